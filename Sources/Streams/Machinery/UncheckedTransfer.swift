/// Carries a value out from under a lock.
@usableFromInline
package struct UncheckedTransfer<Value>: @unchecked Sendable {
    // Sound: whoever takes it out is its only user, or the value is immutable.
    @usableFromInline package let value: Value
    @inlinable package init(_ value: Value) { self.value = value }
}
