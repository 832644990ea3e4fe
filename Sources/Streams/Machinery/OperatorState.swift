/// The state that an operator keeps from one value to the next. It needs no lock: only a delivery uses it, and an upstream
/// delivers one value at a time.
@usableFromInline final class OperatorState<Value>: @unchecked Sendable {
    // Sound: deliveries do not overlap, and nothing else uses `value`.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable @inline(__always) init(_ value: Value) { self.value = value }
}
