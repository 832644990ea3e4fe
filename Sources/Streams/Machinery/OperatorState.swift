/// What an operator remembers from one value to the next. It needs no lock: only the one who delivers touches it, and an upstream
/// delivers one value at a time.
@usableFromInline final class OperatorState<Value>: @unchecked Sendable {
    // Sound: as said above.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable @inline(__always) init(_ value: Value) { self.value = value }
}
