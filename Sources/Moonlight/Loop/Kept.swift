/// The state of a loop, which calls are given where it lies.
///
/// To borrow instead of to copy is what a type that cannot be copied stands for. Specialised code copies a large value all
/// the same, for each call through a closure that it is handed to: so where the state is large, such calls are made from code
/// that is not specialised. It knows nothing of the value but its address, and spends some 400 ns an event on finding types.
@usableFromInline
struct Kept<State>: ~Copyable {
    @usableFromInline var value: State

    @inlinable
    init(_ value: State) { self.value = value }

    /// Whether its copies cost more than to find types does: from some 2 KB on.
    @inlinable @inline(__always)
    static var isLarge: Bool { MemoryLayout<State>.size > 2048 }

    @inlinable @inline(__always)
    borrowing func read<Result, Failure: Error>(_ body: (State) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(value)
    }
}
