import Streams
import Synchronization

/// One run of a job, between its stream and what receives its effects.
@usableFromInline
final class RunningJob<Effect>: CancellableRun<Effect>, JobInFlight, Subscriber, Subscription, CustomStringConvertible,
    @unchecked Sendable
{
    // Sound: demand and upstream are behind the lock of `waiting`; the ticket is only touched behind the register's; the rest
    // is immutable or guards itself.
    //
    // The types of upstream and downstream are erased: code that is called through witness tables is not specialized, and
    // would look up every type that it uses.
    @usableFromInline typealias Input = Effect
    @usableFromInline typealias Failure = Never

    @usableFromInline let id: JobID
    @usableFromInline let inlet = Inlet()
    @usableFromInline let sent = Atomic<Int>(0)
    @usableFromInline let waiting: Lock<JobBeginning>
    @usableFromInline let loopContext: LoopContext
    /// The number of the event's record. The rest of the turn is kept, and released, by the event's stream.
    @usableFromInline let cause: Int?
    /// The outcomes of those that await the event.
    @usableFromInline let outcomes: [Settlement.Outcome]
    @usableFromInline let awaiters: [EffectOrigin]
    @usableFromInline let place = TaskPlace.executor
    @usableFromInline var ticket: (group: JobGroup, number: Int)?

    @inlinable
    init(
        _ upstream: some Publisher<Effect, Never>, _ downstream: AnySubscriber<Effect, Never>, id: JobID, parent: EffectOrigin,
        context: LoopContext, turn: Turn
    ) {
        self.id = id
        cause = turn.cause
        outcomes = turn.asker?.outcomes ?? []
        awaiters = turn.settlement?.awaiters ?? []
        waiting = Lock(JobBeginning { upstream.subscribe(unsafeDowncast($0, to: RunningJob.self)) })
        loopContext = context
        super.init(downstream, parent: parent)
    }

    @usableFromInline override var context: LoopContext? { loopContext }
    @usableFromInline var origin: EffectOrigin { self }
    @usableFromInline var _subscriberContext: AnyObject? { self }
    @usableFromInline var description: String { "Job" }
    @usableFromInline var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    @usableFromInline
    func info(_ id: JobID, _ policy: JobPolicy, isWaiting: Bool) -> JobInfo {
        JobInfo(
            id: id, policy: policy, event: eventDescription, cause: cause, since: waiting.withLock { $0.since },
            effectsSent: sent.load(ordering: .relaxed), isWaiting: isWaiting)
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
        // The end of a loop also lets a queue go on: the next job is then not started, as it ends with the loop. One that was ended
        // from elsewhere still has its closure.
        guard let begin, !loopContext.isCancelled, state.load(ordering: .acquiring) & StateBits.over == 0 else { return }
        note(.started)
        begin(self)
    }

    @inlinable
    func end(_ how: JobRecord.Step, for asker: EffectOrigin?) {
        cancelled.store(true, ordering: .releasing)
        // Before the stream finishes, which settles the event. If it has finished already, its end is still in the mailbox.
        for outcome in outcomes { outcome.fail(.interrupted(how == .replaced ? .jobReplaced(id) : .jobCancelled(id))) }
        if (asker ?? self).root.isAtHome { _ = end { letGo() } } else { endFromElsewhere() }
        note(how)
    }

    /// Cancels the upstream, or releases the closure that would subscribe to it.
    @usableFromInline
    override func letGo() {
        inlet.cancel()
        discard(waiting.withLock { UncheckedTransfer($0.begin.take()) })
    }

    @usableFromInline
    override func willComplete() {
        // One that was replaced, or cancelled by its id, has left the register already.
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

    // MARK: From upstream

    @inlinable
    func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        let demand = waiting.withLock { waiting in
            waiting.isThere = true
            return waiting.demand
        }
        inlet.request(demand)
    }

    @inlinable
    func receive(_ effect: Effect) -> Subscribers.Demand {
        send {
            sent.wrappingAdd(1, ordering: .relaxed)
            return effect
        }
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Never>) {
        if inlet.finish() { _ = end() }
    }

    // MARK: From downstream

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        let isThere = waiting.withLock { waiting in
            if !waiting.isThere { waiting.demand += demand }
            return waiting.isThere
        }
        if isThere { inlet.request(demand) }
    }

    @inlinable
    func cancel() {
        // `cancelled` stays false: an operator downstream has all that it wants, and passes on what it has. If the whole
        // stream is cancelled, the job's parent says so.
        _ = end(silently: true) { letGo() }
    }
}

/// The parts of a job that are guarded by its lock, and what it needs to begin. Not generic, because it is also used where
/// the job's types are not known.
@usableFromInline
struct JobBeginning: @unchecked Sendable {
    // Sound: behind the lock of its job.

    /// Subscribes the job that is passed to it to its upstream. Formed where the types are known.
    @usableFromInline var begin: ((EffectOrigin) -> Void)?
    /// The demand that is requested before the upstream's subscription has arrived.
    @usableFromInline var demand = Subscribers.Demand.none
    /// Whether the upstream's subscription has arrived.
    @usableFromInline var isThere = false
    /// When the job was started or, while it waits, queued.
    @usableFromInline var since = ContinuousClock.now

    @inlinable
    init(_ begin: @escaping (EffectOrigin) -> Void) { self.begin = begin }
}
