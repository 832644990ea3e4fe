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
