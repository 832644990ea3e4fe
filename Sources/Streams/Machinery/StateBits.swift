/// The bits of a subscription's state word: the lower 61 count the demand, the others are flags.
@usableFromInline package enum StateBits {
    /// The demand that stands for no limit.
    @inlinable static var unlimited: UInt64 { 1 << 60 }
    /// The mask of the demand.
    @inlinable static var demand: UInt64 { 1 << 61 - 1 }

    /// The subscriber has not returned from `receive(subscription:)`.
    @inlinable package static var starting: UInt64 { 1 << 61 }

    /// A thread is sending the ready values. For ``PullSubscription``.
    @inlinable static var draining: UInt64 { 1 << 62 }

    /// The subscriber has not received its subject's current value, for lack of demand. For ``SubjectMember``.
    @inlinable package static var owed: UInt64 { 1 << 62 }

    /// The subscription was cancelled or has completed: nothing more is sent.
    @inlinable package static var closed: UInt64 { 1 << 63 }
}
