/// A wrapper that carries a value from one thread or isolation to another, or out of a lock.
@usableFromInline package struct UncheckedTransfer<Value>: @unchecked Sendable {
    // Sound: the receiver is the only user of the value, or the value is immutable.
    @usableFromInline package let value: Value

    @inlinable package init(_ value: Value) { self.value = value }
}

/// A wrapper for mutable state behind a lock whose type is not `Sendable`.
@usableFromInline struct UncheckedBox<Value>: @unchecked Sendable {
    // Sound: only used inside a `Lock`.
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
}

/// The state that an operator keeps from one value to the next. It needs no lock: only a delivery uses it, and an upstream
/// delivers one value at a time.
@usableFromInline final class OperatorState<Value>: @unchecked Sendable {
    // Sound: deliveries do not overlap, and nothing else uses `value`.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable @inline(__always) init(_ value: Value) { self.value = value }
}
