import Streams
import Synchronization

/// A source of effects: the stream of an event, or a job in such a stream.
///
/// Effects in the mailbox are dropped if their origin has been cancelled.
@usableFromInline
class EffectOrigin: LoopPlace, @unchecked Sendable {
    // Sound: the flag and the count are atomic, only the loop's owner uses `number`, the rest is immutable.
    @usableFromInline final let cancelled = Atomic<Bool>(false)
    /// The number of the journal record of its event; nil if no journal is kept.
    @usableFromInline final let cause: Int?
    /// The job or stream that contains this one.
    @usableFromInline final let parent: EffectOrigin?
    /// The number of a stream among the sources of its loop, in the order in which they began; 0 before, and for a job.
    @exclusivity(unchecked) @usableFromInline final var number = 0

    /// The number of bodies in a stream that are awaiting an event of its loop; 0 for a job.
    final let awaitingBodies = Atomic<Int32>(0)

    @usableFromInline
    init(_ context: LoopContext, cause: Int? = nil) {
        self.cause = cause
        parent = nil
        super.init(context)
    }

    /// Creates an origin inside another one.
    init(in parent: EffectOrigin) {
        cause = parent.cause
        self.parent = parent
        super.init(parent.context, at: parent.path, locals: parent.locals)
    }

    /// True once its effects are unwanted, including those in the mailbox.
    @inlinable final var isCancelled: Bool {
        if cancelled.load(ordering: .acquiring) { return true }
        return parent?.isCancelled ?? false
    }

    @usableFromInline final override var _wantsNoMore: Bool { isCancelled || context.isCancelled }

    /// The stream of an event that contains this one, directly or not; this one itself if it is such a stream.
    final var root: EffectOrigin { parent?.root ?? self }

    /// Returns whether this is the given origin, or inside it.
    @usableFromInline
    final func isInside(_ other: EffectOrigin) -> Bool { self === other || parent?.isInside(other) ?? false }

    // MARK: Implemented by the stream of an event

    /// The turn of its event. Only to be read by the loop's owner.
    @usableFromInline var turn: Turn { parent?.turn ?? Turn() }

    /// The turn of its event, for a job that begins on any thread; empty once the stream has ended.
    var turnOfJob: Turn { parent?.turnOfJob ?? Turn() }

    /// A description of the event of its effects.
    var eventDescription: String { parent?.eventDescription ?? "" }

    /// Fails the waiting sender of the event with an error, and notifies observers of refusals. Safe from any thread.
    @usableFromInline func refuse(_ error: SendError) { parent?.refuse(error) }

    /// Removes a job of this stream from the register of jobs, after the effects that it has sent have been applied; until then,
    /// a job that replaces it drops them.
    func letLeave(_ job: EffectOrigin) { job.leaveRegister() }

    /// True if this thread may release the values of a job of this stream: the loop is isolated to no actor, or the thread is certainly
    /// on that actor.
    var isAtHome: Bool { true }

    /// Calls a closure in a turn of the loop, on its actor if it has one.
    func enqueue(_ work: @escaping () -> Void) { work() }

    /// Ends the stream, because its child was removed.
    func childWasRemoved() {}

    // MARK: Implemented by a job

    /// Removes itself from the register of jobs.
    @usableFromInline func leaveRegister() {}
}

/// The stream or job to which the running code belongs.
package enum RunningWork {
    /// The number of the journal record of the event whose `run` body the current task executes, or was started by; nil if there
    /// is none, or if its loop keeps no journal.
    package static var cause: Int? { (RunningBody.surroundingOrigin as? EffectOrigin)?.cause }
}
