/// Carries a value out from under a lock.
@usableFromInline package struct UncheckedTransfer<Value>: @unchecked Sendable {
    // Sound: whoever takes it out is its only user, or the value is immutable.
    @usableFromInline package let value: Value

    @inlinable package init(_ value: Value) { self.value = value }
}

/// Mutable state behind a lock whose type is not Sendable by itself.
@usableFromInline struct UncheckedBox<Value>: @unchecked Sendable {
    // Sound: only used inside a Lock.
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
}
