import Streams
import Synchronization

/// One run of a job, between its stream and the downstream. ``RunningJob`` adds what depends on the type of effects.
///
/// Any thread may end it at any time: the loop cancels a job, or a child is removed. One thread at a time is inside the
/// downstream; an end that arrives meanwhile takes effect when that thread returns.
///
/// A run whose loop is isolated to an actor may be ended from another thread. It then sends nothing more, but its contents are
/// released on the actor, and the downstream receives its completion there: see ``atHome(_:)``.
@usableFromInline
class JobInFlight: EffectOrigin, Subscription, CustomStringConvertible, @unchecked Sendable {
    // Sound: `state` lets one thread at a time touch the downstream. Its beginning is behind the lock of `waiting`; the ticket is
    // only touched behind the register's; the rest is immutable or guards itself.

    @usableFromInline
    enum StateBits {
        @inlinable static var delivering: UInt8 { 1 }
        @inlinable static var over: UInt8 { 2 }
        /// Ended because the downstream needs no more values; it receives no completion.
        static var silent: UInt8 { 4 }
        /// The downstream is still receiving its subscription.
        @inlinable static var joining: UInt8 { 8 }
        /// A thread is inside the downstream; when it returns, it completes an end that has arrived meanwhile.
        static var inside: UInt8 { delivering | joining }
    }

    /// The closure with which a job begins, and its time, behind its lock.
    struct Beginning: @unchecked Sendable {
        // Sound: behind the lock of its job.
        /// Subscribes a job to its upstream. Formed where the types are known.
        var begin: ((JobInFlight) -> Void)?
        /// The time at which the job was started or, while it waits, queued.
        var since = ContinuousClock.now
    }

    @usableFromInline final let state = Atomic<UInt8>(StateBits.joining)
    final let id: JobID
    @usableFromInline final let inlet = Inlet()
    private let waiting: Lock<Beginning>
    /// The outcomes of the senders that await the event.
    private let outcomes: [Settlement.Outcome]
    /// Those of the bodies that wait until the event, or an earlier one that has led to it, has settled.
    private let awaited: [Settlement.Outcome]
    final let place = TaskPlace.executor
    /// Its group, and its number in the order of arrival. Set by the register, once.
    final var ticket: (group: JobGroup, number: Int)?

    @usableFromInline
    init(id: JobID, in parent: EffectOrigin, begin: @escaping (JobInFlight) -> Void) {
        self.id = id
        let turn = parent.turnOfJob
        outcomes = turn.askers.map(\.outcome)
        awaited = turn.settlements.map(\.outcome).filter { $0.awaiter != nil }
        waiting = Lock(Beginning(begin: begin))
        super.init(in: parent)
    }

    @usableFromInline final var description: String { "Job" }
    @usableFromInline final var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    final func work(_ id: JobID, isWaiting: Bool) -> LiveWork {
        LiveWork(
            kind: .job(id, isWaiting: isWaiting), path: id.path, event: eventDescription, cause: cause,
            since: waiting.withLock { $0.since })
    }

    /// The streams and jobs whose bodies still wait until its event has settled.
    final var awaiters: [EffectOrigin] { awaited.compactMap(\.awaiter) }

    // MARK: From the loop

    /// Starts it in a turn of the loop, after it has waited, in the context of its event: that of the task that has ended another
    /// job must not be visible to it.
    final func startWaiting() { root.enqueue { withoutTaskContext { TaskPlace.with(self.place) { self.startNow() } } } }

    private func startNow() {
        tell(.began)
        waiting.withLock { $0.since = .now }
        _bind { start() }
    }

    @usableFromInline
    final func start() {
        var begin: ((JobInFlight) -> Void)?
        waiting.withLock { begin = $0.begin.take() }
        // The end of a loop also advances its queues: the next job is then not started, as it ends with the loop. One that
        // another thread has ended still has its closure.
        guard let begin, isWanted else { return }
        note(.started)
        // The journal may have cancelled the loop or the job.
        if isWanted { begin(self) }
    }

    private var isWanted: Bool {
        !context.isCancelled && !isEnded && state.load(ordering: .acquiring) & StateBits.over == 0
    }

    /// Ends the job before its stream has finished: the stream is finished, and its effects in the mailbox are dropped. The
    /// caller has already removed the job from the register. If the loop is isolated to an actor, the stream is finished there.
    @usableFromInline
    final func end(_ how: JobRecord.Step) {
        cancelled.store(true, ordering: .releasing)
        tell(.ended)
        // Before the stream finishes, which settles the event. If it has finished already, its end is still in the mailbox.
        for outcome in outcomes { outcome.fail(.interrupted(how == .replaced ? .jobReplaced(id) : .jobCancelled(id))) }
        atHome { [self] in end(releasingUpstream: true) }
        note(how)
    }

    final override func leaveRegister() {
        context.jobs.remove(self) { note(state.load(ordering: .relaxed) & StateBits.silent == 0 ? .finished : .cancelled) }
    }

    /// Tells a test about a change of the job.
    private func tell(_ change: JobChange) {
        if let place, let witness = place as? any JobWitness { witness.note(change, of: id) }
    }

    private func note(_ step: JobRecord.Step) { context.note(id, step, cause: cause) }

    // MARK: The end

    /// Ends the run, unless it is over.
    ///
    /// - Parameters:
    ///   - silently: Whether the downstream receives no completion, because it needs no more values.
    ///   - releasingUpstream: Whether the upstream is cancelled, before the downstream gets its completion.
    @usableFromInline
    final func end(silently: Bool = false, releasingUpstream: Bool = false) {
        let bits = silently ? StateBits.over | StateBits.silent : StateBits.over
        let before = state.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
        guard before & StateBits.over == 0 else { return }
        if releasingUpstream { releaseUpstream() }
        if before & StateBits.inside == 0 { leave(silently: silently) }
    }

    /// Calls a closure that releases contents of the run: now, or on the actor of the loop if this thread is not certainly there.
    private func atHome(_ release: @escaping () -> Void) {
        if root.isAtHome { release() } else { root.enqueue(release) }
    }

    /// True once it was replaced or cancelled by its id. It then sends nothing more, even if its contents are not released yet.
    @inlinable final var isEnded: Bool { cancelled.load(ordering: .acquiring) }

    /// Cancels the upstream, or releases the closure that would subscribe to it.
    private func releaseUpstream() {
        inlet.cancel()
        discard(waiting.withLock { UncheckedTransfer($0.begin.take()) })
    }

    /// Marks this thread as inside the downstream.
    ///
    /// - Returns: False, without marking it, if the run is over: the end may have been completed already.
    @inlinable
    final func goInside() -> Bool {
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
    @usableFromInline
    final func comeBack(from bit: UInt8) {
        let before = state.bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue
        guard before & StateBits.over != 0, before & StateBits.inside == bit else { return }
        atHome { [self] in leave(silently: before & StateBits.silent != 0) }
    }

    /// Releases the downstream, after a completion unless the run ended silently. No thread is inside it any more.
    func leave(silently: Bool) {
        // A job that was replaced, or cancelled by its id, is not in the register any more.
        if !isEnded { root.letLeave(self) }
    }

    // MARK: From downstream

    @usableFromInline
    final func request(_ demand: Subscribers.Demand) { inlet.request(demand) }

    @usableFromInline
    final func cancel() {
        // `cancelled` stays false: an operator downstream needs no more values, and its effects are still applied. If the whole
        // stream is cancelled, the job's parent is.
        end(silently: true, releasingUpstream: true)
    }
}

/// A run of a job that sends effects of a type.
///
/// The types of upstream and downstream are erased: code that is called through witness tables is not specialized, and would look
/// up every type that it uses.
@usableFromInline
final class RunningJob<Effect>: JobInFlight, Subscriber, @unchecked Sendable {
    // Sound: see `JobInFlight`.
    @usableFromInline typealias Input = Effect
    @usableFromInline typealias Failure = Never

    @exclusivity(unchecked) @usableFromInline var downstream: AnySubscriber<Effect, Never>?

    @inlinable
    init(
        _ upstream: some Publisher<Effect, Never>, _ downstream: AnySubscriber<Effect, Never>, id: JobID, in parent: EffectOrigin
    ) {
        self.downstream = downstream
        super.init(id: id, in: parent) { upstream.subscribe(unsafeDowncast($0, to: RunningJob.self)) }
    }

    @usableFromInline var _subscriberContext: (any _SubscriberContext)? { self }

    /// Passes the downstream its subscription. Before that, it receives nothing, and no completion either.
    @inlinable
    func join() {
        downstream?.receive(subscription: self)
        comeBack(from: StateBits.joining)
    }

    override func leave(silently: Bool) {
        let last = downstream.take()
        super.leave(silently: silently)
        if silently { return }
        // What follows belongs to this stream, and not to the event that has ended the job.
        if isEnded {
            TaskPlace.with(place) { last?.receive(completion: .finished) }
        } else {
            last?.receive(completion: .finished)
        }
    }

    @inlinable
    func receive(subscription: any Subscription) { inlet.fill(subscription) }

    @inlinable
    func receive(_ effect: Effect) -> Subscribers.Demand {
        guard !isEnded, goInside() else { return .none }
        let inner = WorkContext.origin as? EffectOrigin
        let demand =
            if inner?.isInside(self) == true { downstream?.receive(effect) } else {
                WorkContext.with(origin: self) { downstream?.receive(effect) }
            }
        comeBack(from: StateBits.delivering)
        return demand ?? .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Never>) {
        if inlet.finish(), !isEnded { end() }
    }
}
