import Streams
import Synchronization

/// One run of a job: stands between its stream and the rest.
@usableFromInline
final class RunningJob<Effect>: CancellableRun<Effect>, JobInFlight, Subscriber, Subscription, CustomStringConvertible,
    @unchecked Sendable
{
    // Sound: demand and upstream wait behind their lock; the ticket is the register's, behind its lock; the rest guards itself.
    //
    // The types of upstream and downstream are hidden: what goes through witness tables is not specialised, and would look up a type
    // for each that it touches.
    @usableFromInline typealias Input = Effect
    @usableFromInline typealias Failure = Never

    @usableFromInline let id: JobID
    @usableFromInline let inlet = Inlet()
    @usableFromInline let sent = Atomic<Int>(0)
    @usableFromInline let waiting: Lock<JobBeginning>
    @usableFromInline let loopContext: LoopContext
    /// The record of the event. The rest of what the event comes from is its stream's to keep, and to let go.
    @usableFromInline let cause: Int?
    /// What goes with the event, should the job have to wait.
    @usableFromInline let carried: CarriedContext?
    /// What is told to who awaits the event.
    @usableFromInline let outcomes: [Settlement.Outcome]
    @usableFromInline let awaiters: [EffectOrigin]
    @usableFromInline let place = TaskPlace.executor
    @usableFromInline var ticket: (group: JobGroup, number: Int)?

    @inlinable
    init(
        _ upstream: some Publisher<Effect, Never>, _ downstream: AnySubscriber<Effect, Never>, id: JobID, parent: EffectOrigin,
        context: LoopContext, trace: Trace
    ) {
        (self.id, cause, carried) = (id, trace.cause, trace.context)
        outcomes = trace.asker?.outcomes ?? []
        awaiters = trace.settlement?.awaiters ?? []
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
            if let carried { carried.bind(start) } else { start() }
        }
    }

    @inlinable
    func start() {
        let begin = waiting.withLock { UncheckedTransfer($0.begin.take()) }.value
        // The end of a loop, too, lets a queue go on: to the next, which ends with it.
        guard let begin, !loopContext.isCancelled else { return }
        note(.started)
        begin(self)
    }

    @inlinable
    func end(_ how: JobRecord.Step) {
        cancelled.store(true, ordering: .releasing)
        let hasEnded = end {
            // Before the stream is told, whose end settles the event.
            for outcome in outcomes { outcome.fail(.interrupted(how == .replaced ? .jobReplaced(id) : .jobCancelled(id))) }
            letGo()
        }
        if hasEnded { note(how) }
    }

    @inlinable
    func letGo() {
        inlet.cancel()
        discard(waiting.withLock { UncheckedTransfer($0.begin.take()) })
    }

    @inlinable
    func leave() { loopContext.jobs.remove(self) }

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
        if inlet.finish(), end({ note(.finished) }) { leave() }
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
        // Not `cancelled`: an operator below has all that it wants, and passes on what it has. If the whole stream is
        // cancelled, its origin says so.
        guard end(silently: true, { letGo() }) else { return }
        note(.cancelled)
        leave()
    }
}

/// A job before it begins. Not generic: it is also looked at where the job's types are not known.
@usableFromInline
struct JobBeginning: @unchecked Sendable {
    // Sound: behind the lock of its job.

    /// Subscribes the job that it is given to its upstream. Formed where the types are known.
    @usableFromInline var begin: ((EffectOrigin) -> Void)?
    /// What is asked for before the upstream's subscription is there.
    @usableFromInline var demand = Subscribers.Demand.none
    @usableFromInline var isThere = false
    /// When it was queued or, by now, started.
    @usableFromInline var since = ContinuousClock.now

    @inlinable
    init(_ begin: @escaping (EffectOrigin) -> Void) { self.begin = begin }
}
