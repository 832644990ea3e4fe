import Streams
import Synchronization

/// One run of a job, between its stream and the downstream.
///
/// Any thread may end it at any time: the loop cancels a job, or a child is removed. One thread at a time is inside the
/// downstream; an end that arrives meanwhile takes effect when that thread returns.
///
/// A run whose loop is isolated to an actor may be ended from another thread. It then sends nothing more, but its contents are
/// released on the actor, and the downstream receives its completion there: see ``endFromElsewhere()``.
@usableFromInline
final class RunningJob<Effect>: EffectOrigin, JobInFlight, Subscriber, Subscription, CustomStringConvertible,
    @unchecked Sendable
{
    // Sound: `state` lets one thread at a time touch the downstream, only the loop's owner once it says `atHome`. Its beginning
    // is behind the lock of `waiting`; the ticket is only touched behind the register's; the rest is immutable or guards itself.
    //
    // The types of upstream and downstream are erased: code that is called through witness tables is not specialized, and
    // would look up every type that it uses.
    @usableFromInline typealias Input = Effect
    @usableFromInline typealias Failure = Never

    @usableFromInline
    enum StateBits {
        @inlinable static var delivering: UInt8 { 1 }
        @inlinable static var over: UInt8 { 2 }
        /// Ended because the downstream needs no more values; it receives no completion.
        @inlinable static var silent: UInt8 { 4 }
        /// The downstream is still receiving its subscription.
        @inlinable static var joining: UInt8 { 8 }
        /// Ended; the loop's owner releases the contents on the loop's actor.
        @inlinable static var atHome: UInt8 { 16 }
        /// A thread is inside the downstream; when it returns, it completes an end that has arrived meanwhile.
        @inlinable static var inside: UInt8 { delivering | joining }
    }

    @usableFromInline let state = Atomic<UInt8>(StateBits.joining)
    @exclusivity(unchecked) @usableFromInline var downstream: AnySubscriber<Effect, Never>?
    @usableFromInline let id: JobID
    @usableFromInline let inlet = Inlet()
    @usableFromInline let waiting: Lock<JobBeginning>
    @usableFromInline let loopContext: LoopContext
    /// The number of the event's record. The rest of the turn is kept, and released, by the event's stream.
    @usableFromInline let cause: Int?
    /// The outcomes of the senders that await the event.
    @usableFromInline let outcomes: [Settlement.Outcome]
    @usableFromInline let awaiters: [EffectOrigin]
    @usableFromInline let place = TaskPlace.executor
    @usableFromInline var ticket: (group: JobGroup, number: Int)?

    @inlinable
    init(
        _ upstream: some Publisher<Effect, Never>, _ downstream: AnySubscriber<Effect, Never>, id: JobID, parent: EffectOrigin,
        context: LoopContext, turn: Turn
    ) {
        self.downstream = downstream
        self.id = id
        cause = turn.cause
        outcomes = turn.asker?.outcomes ?? []
        awaiters = turn.settlement?.awaiters ?? []
        waiting = Lock(JobBeginning { upstream.subscribe(unsafeDowncast($0, to: RunningJob.self)) })
        loopContext = context
        super.init(parent: parent)
    }

    @usableFromInline override var context: LoopContext? { loopContext }
    @usableFromInline var origin: EffectOrigin { self }
    @usableFromInline var _subscriberContext: AnyObject? { self }
    @usableFromInline var description: String { "Job" }
    @usableFromInline var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    @usableFromInline
    func work(_ id: JobID, isWaiting: Bool) -> LiveWork {
        LiveWork(
            kind: .job(id, isWaiting: isWaiting), path: id.path, event: eventDescription, cause: cause,
            since: waiting.withLock { $0.since })
    }

    // MARK: From the loop

    @inlinable
    func startWaiting() {
        TaskPlace.with(place) {
            waiting.withLock { $0.since = .now }
            bind { start() }
        }
    }

    @inlinable
    func start() {
        let begin = waiting.withLock { UncheckedTransfer($0.begin.take()) }.value
        // The end of a loop also advances its queues: the next job is then not started, as it ends with the loop. One that
        // another thread has ended still has its closure.
        guard let begin, !loopContext.isCancelled, state.load(ordering: .acquiring) & StateBits.over == 0 else { return }
        note(.started)
        begin(self)
    }

    @inlinable
    func end(_ how: JobRecord.Step, for asker: EffectOrigin?) {
        cancelled.store(true, ordering: .releasing)
        // Before the stream finishes, which settles the event. If it has finished already, its end is still in the mailbox.
        for outcome in outcomes { outcome.fail(.interrupted(how == .replaced ? .jobReplaced(id) : .jobCancelled(id))) }
        if (asker ?? self).root.isAtHome { _ = end { releaseUpstream() } } else { endFromElsewhere() }
        note(how)
    }

    /// Cancels the upstream, or releases the closure that would subscribe to it.
    @usableFromInline
    func releaseUpstream() {
        inlet.cancel()
        discard(waiting.withLock { UncheckedTransfer($0.begin.take()) })
    }

    /// Called when no thread is inside the downstream any more, before a completion is sent to it.
    @usableFromInline
    func willComplete() {
        // A job that was replaced, or cancelled by its id, is not in the register any more.
        if !cancelled.load(ordering: .acquiring) { root.letLeave(self) }
    }

    @usableFromInline
    override func leaveRegister() {
        loopContext.jobs.remove(self) { note(state.load(ordering: .relaxed) & StateBits.silent == 0 ? .finished : .cancelled) }
    }

    @inlinable
    func note(_ step: JobRecord.Step) {
        loopContext.take(.job(JobRecord(id: id, step: step)), cause: cause)
    }

    // MARK: The downstream

    /// Passes the downstream its subscription. Before that, it receives nothing, and no completion either.
    @inlinable
    func join(as subscription: any Subscription) {
        downstream?.receive(subscription: subscription)
        comeBack(from: StateBits.joining)
    }

    /// Ends the run.
    ///
    /// - Parameters:
    ///   - silently: Whether the downstream receives no completion, because it needs no more values.
    ///   - release: Called before the downstream gets its completion.
    /// - Returns: Whether this call ended the run; false if it was over before.
    @inlinable
    func end(silently: Bool = false, _ release: () -> Void = {}) -> Bool {
        let before = state.bitwiseOr(
            silently ? StateBits.over | StateBits.silent : StateBits.over, ordering: .acquiringAndReleasing
        ).oldValue
        guard before & StateBits.over == 0 else { return false }
        release()
        if before & StateBits.inside == 0 { leave(silently: silently) }
        return true
    }

    /// Ends the run from a thread that must not release its contents: the loop's owner does that, by ``endAtHome()``.
    @usableFromInline
    func endFromElsewhere() {
        let before = state.bitwiseOr(StateBits.over | StateBits.atHome, ordering: .acquiringAndReleasing).oldValue
        // If it had already ended, the ending thread releases its contents.
        if before & StateBits.over == 0 { root.takeHome(self) }
    }

    /// Releases the contents of the run, except for the downstream if a thread is still inside it; that thread then releases it.
    @usableFromInline
    override func endAtHome() {
        releaseUpstream()
        let seen = state.load(ordering: .acquiring)
        if seen & StateBits.inside == 0 { leave(silently: seen & StateBits.silent != 0) }
    }

    /// Marks this thread as inside the downstream.
    ///
    /// - Returns: False, without marking it, if the run is over: the end may have been completed already.
    @inlinable
    func goInside() -> Bool {
        var seen = state.load(ordering: .relaxed)
        while seen & StateBits.over == 0 {
            let (exchanged, now) = state.compareExchange(
                expected: seen, desired: seen | StateBits.delivering, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            seen = now
        }
        return false
    }

    /// Marks this thread as outside again. The last one to return completes an end that has arrived meanwhile.
    @inlinable
    func comeBack(from bit: UInt8) {
        let before = state.bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue
        guard before & StateBits.over != 0, before & StateBits.inside == bit else { return }
        if before & StateBits.atHome != 0 { root.takeHome(self) } else { leave(silently: before & StateBits.silent != 0) }
    }

    /// Releases the downstream, after a completion unless the run ended silently.
    @inlinable
    func leave(silently: Bool) {
        let last = downstream.take()
        willComplete()
        if !silently { last?.receive(completion: .finished) }
    }

    // MARK: From upstream

    @inlinable
    func receive(subscription: any Subscription) { inlet.fill(subscription) }

    @inlinable
    func receive(_ effect: Effect) -> Subscribers.Demand {
        guard goInside() else { return .none }
        let inner = DeliveryOrigin.current as? EffectOrigin
        let demand =
            if inner?.isInside(self) == true { downstream?.receive(effect) } else {
                DeliveryOrigin.with(self) { downstream?.receive(effect) }
            }
        comeBack(from: StateBits.delivering)
        return demand ?? .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Never>) {
        if inlet.finish() { _ = end() }
    }

    // MARK: From downstream

    @inlinable
    func request(_ demand: Subscribers.Demand) { inlet.request(demand) }

    @inlinable
    func cancel() {
        // `cancelled` stays false: an operator downstream needs no more values, and its effects are still applied. If the whole
        // stream is cancelled, the job's parent is.
        _ = end(silently: true) { releaseUpstream() }
    }
}

/// The parts of a job that are guarded by its lock, and what it needs to begin. Not generic, because it is also used where
/// the job's types are not known.
@usableFromInline
struct JobBeginning: @unchecked Sendable {
    // Sound: behind the lock of its job.

    /// Subscribes a job to its upstream. Formed where the types are known.
    @usableFromInline var begin: ((EffectOrigin) -> Void)?
    /// The time at which the job was started or, while it waits, queued.
    @usableFromInline var since = ContinuousClock.now

    @inlinable
    init(_ begin: @escaping (EffectOrigin) -> Void) { self.begin = begin }
}
