/// The circumstances in which a loop handles an item: its cause, the senders that wait for it, and its sender's task-locals.
///
/// Each event is sent with one. Events and effects that are sent while the loop handles an item derive theirs from that of the
/// item.
@usableFromInline
package struct Turn: Sendable {
    /// The number of the record that caused the item; nil if it came from outside, or if no journal is kept.
    @usableFromInline var cause: Int?
    /// True if it came from outside.
    @usableFromInline var isFromOutside = false
    /// True if it is an event that follows from an effect.
    @usableFromInline package var isFollowUp = false
    /// The time at which it began to wait; none if it was handled at once, or if time is not measured.
    @usableFromInline var sent = Nanoseconds.none
    /// The duration of `transform`; none if it has not been called yet, or if time is not measured.
    @usableFromInline var transformTime = Nanoseconds.none
    /// The parts that most turns do not have. One reference, because a turn is copied often.
    @usableFromInline var attachments: Attachments?

    @inlinable
    init(cause: Int? = nil, attachments: Attachments? = nil, isFromOutside: Bool = false) {
        self.cause = cause
        self.attachments = attachments
        self.isFromOutside = isFromOutside
    }

    /// Creates the turn of a left-over event.
    package init(isFollowUp: Bool, note: (any AnyObject & Sendable)?) {
        isFromOutside = true
        self.isFollowUp = isFollowUp
        if note != nil { attachments = Attachments(note: note) }
    }

    /// The waiting senders, and the metadata and task-locals of the sender.
    @usableFromInline
    final class Attachments: Sendable {
        /// The settlement of the awaited event that has led here; all unfinished consequences of that event retain it.
        @usableFromInline let settlement: Settlement?
        /// The settlement of this event itself, which fails if the event is refused; nil if no sender waits.
        @usableFromInline let asker: Settlement?
        /// The sender's metadata for this event, for the loop's hook; not passed on.
        @usableFromInline let note: (any AnyObject & Sendable)?
        /// The sender's values of the task-locals that the loop carries.
        @usableFromInline let context: CarriedContext?

        @usableFromInline
        init(
            settlement: Settlement? = nil, asker: Settlement? = nil, note: (any AnyObject & Sendable)? = nil,
            context: CarriedContext? = nil
        ) {
            self.settlement = settlement
            self.asker = asker
            self.note = note
            self.context = context
        }
    }

    @inlinable var settlement: Settlement? { attachments?.settlement }
    @inlinable var asker: Settlement? { attachments?.asker }
    @inlinable package var note: (any AnyObject & Sendable)? { attachments?.note }
    @inlinable var context: CarriedContext? { attachments?.context }

    /// The turn of a consequence of this one that no sender awaits itself.
    @inlinable var follower: Turn { Turn(cause: cause, attachments: attachments == nil ? nil : attachmentsOfFollower) }

    @usableFromInline var attachmentsOfFollower: Attachments? {
        guard let attachments, attachments.asker != nil || attachments.note != nil else { return attachments }
        return attachments.settlement == nil && attachments.context == nil
            ? nil : Attachments(settlement: attachments.settlement, context: attachments.context)
    }

    /// Calls a closure with the carried task-locals bound.
    @inlinable
    func bind(_ call: () -> Void) {
        if let context { context.bind(call) } else { call() }
    }

    /// Adds the circumstances in which an event is sent.
    ///
    /// - Parameter asker: The settlement of a sender that waits for the event.
    @usableFromInline
    mutating func attach(asker: Settlement?, note: (any AnyObject & Sendable)?, context: CarriedContext?) {
        var settlement = settlement
        Settlement.join(&settlement, asker)
        let isEmpty = settlement == nil && note == nil && context == nil
        attachments = isEmpty ? nil : Attachments(settlement: settlement, asker: asker, note: note, context: context)
        if asker != nil { isFromOutside = true }
    }

    /// Replaces the carried task-locals.
    @usableFromInline
    mutating func attach(_ context: CarriedContext?) {
        attachments = Attachments(settlement: settlement, asker: asker, note: note, context: context)
    }

    /// Adds the turn of an event that was coalesced with this one's.
    @usableFromInline
    mutating func join(_ other: Turn) {
        isFromOutside = isFromOutside || other.isFromOutside
        guard attachments != nil || other.attachments != nil else { return }
        var settlement = settlement
        var asker = asker
        // Removed from the old turns first, because a joint settlement grows in place if nothing else retains it.
        attachments = nil
        Settlement.join(&settlement, other.settlement)
        Settlement.join(&asker, other.asker)
        // Of two senders, the later one's values are used.
        attachments = Attachments(settlement: settlement, asker: asker, context: other.context)
    }
}

// For the loop's hook.
extension Turn {
    /// True if a sender waits for the event, or for the one that has led to it.
    package var isAwaited: Bool { settlement != nil }

    /// Fails the waiting sender of this event itself, which was refused.
    @usableFromInline
    package func refuse(_ error: SendError) { asker?.fail(error) }

    /// Fails the waiting sender at once, although consequences of the event still retain the settlement.
    package mutating func endWait(_ error: SendError) {
        settlement?.fail(error)
        for outcome in settlement?.outcomes ?? [] { outcome.end() }
        asker?.decide()
        attachments = context.map { Attachments(context: $0) }
    }
}
