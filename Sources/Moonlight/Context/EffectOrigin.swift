import Streams
import Synchronization

/// Who sends effects: the stream of an event, or a job in it.
///
/// Effects that wait in the mailbox are dropped when their origin has been cancelled.
@usableFromInline
class EffectOrigin: LoopMember, @unchecked Sendable {
    // Sound: the flag is atomic, the rest immutable.
    @usableFromInline let cancelled = Atomic<Bool>(false)
    /// The job or stream that this one is part of.
    @usableFromInline let parent: EffectOrigin?

    /// Whether its event has a trace, so that its effects go with one.
    @usableFromInline let isTraced: Bool

    @inlinable
    init(parent: EffectOrigin) { (self.parent, isTraced) = (parent, parent.isTraced) }

    @inlinable
    init(isTraced: Bool) { (parent, self.isTraced) = (nil, isTraced) }

    /// Whether its effects are no longer wanted, also those that wait in the mailbox.
    @inlinable final var isCancelled: Bool {
        if cancelled.load(ordering: .acquiring) { return true }
        return parent?.isCancelled ?? false
    }

    /// The stream that it is part of in the end.
    @usableFromInline final var root: EffectOrigin { parent?.root ?? self }

    /// Whether it is another one or part of it.
    @usableFromInline
    final func isInside(_ other: EffectOrigin) -> Bool { self === other || parent?.isInside(other) ?? false }

    /// What its loop lends to jobs; nil if it has ended.
    @usableFromInline var context: LoopContext? { parent?.context }

    /// The loop's own subscriber to the stream, if this is it.
    @usableFromInline var subscriber: CombineIdentifier? { nil }

    /// The path of the child that its effects are of.
    @usableFromInline var path: ScopePath { parent?.path ?? .root }

    /// What its event came from, for those who keep the journal. The loop's owner may ask, and who is subscribing to the
    /// stream.
    @usableFromInline var trace: Trace { parent?.trace ?? Trace() }

    /// Tells who waits for the event, and who watches refusals. As for the trace, the loop's owner may, and who is subscribing.
    @usableFromInline func refuse(_ error: SendError) { parent?.refuse(error) }

    /// The event that it answers, described.
    @usableFromInline var eventDescription: String { parent?.eventDescription ?? "" }
}
