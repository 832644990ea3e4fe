import Streams
import Synchronization

/// Whether a loop has been cancelled: known to everybody who would otherwise go on.
///
/// A loop that has come to its natural end can no longer be cancelled: its observers may still ask for the last state.
@usableFromInline
class LoopCancellation: @unchecked Sendable {
    // Sound: it is one atomic. What inherits it answers for itself.
    @usableFromInline final let state = Atomic<UInt8>(State.running)

    @usableFromInline
    enum State {
        @inlinable static var running: UInt8 { 0 }
        @inlinable static var cancelled: UInt8 { 1 }
        @inlinable static var ended: UInt8 { 2 }
    }

    @inlinable
    init() {}

    @inlinable @inline(__always)
    final var isCancelled: Bool { state.load(ordering: .relaxed) == State.cancelled }

    /// Whether the loop has ended, in whichever way.
    @usableFromInline
    final var isOver: Bool { state.load(ordering: .relaxed) != State.running }

    /// Cancels.
    ///
    /// - Returns: Whether this call did; false if it was cancelled or had ended before.
    @inlinable
    final func cancel() -> Bool { leaveRunning(for: State.cancelled) }

    /// Comes to the natural end.
    ///
    /// - Returns: Whether this call did; false if it was cancelled before.
    @inlinable
    final func finish() -> Bool { leaveRunning(for: State.ended) }

    @inlinable
    final func leaveRunning(for next: UInt8) -> Bool {
        state.compareExchange(expected: State.running, desired: next, ordering: .acquiringAndReleasing).exchanged
    }
}
