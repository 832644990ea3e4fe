/// The bits of the word that is the state of a subscription; the lower ones count the demand.
@usableFromInline package enum StateBits {
    @inlinable static var unlimited: UInt64 { 1 << 60 }
    @inlinable static var demand: UInt64 { 1 << 61 - 1 }

    /// The subscriber has not returned from `receive(subscription:)`.
    @inlinable package static var starting: UInt64 { 1 << 61 }

    /// Somebody sends what lies ready.
    @inlinable static var draining: UInt64 { 1 << 62 }

    /// The subscriber has not seen its subject's current value, for lack of demand.
    @inlinable package static var owed: UInt64 { 1 << 62 }

    /// Cancelled or completed: nothing more.
    @inlinable package static var closed: UInt64 { 1 << 63 }
}
