import Streams
import Synchronization

extension Publisher where Failure == Never {
    /// Makes a stream of effects a job of its loop: named, visible, and cancellable by its name.
    ///
    /// ```swift
    /// case .typed(let text):
    ///     return search(text).map(Effect.found).job("search", .latest)
    /// ```
    /// It may stand anywhere in the stream, also inside what `flatMap` or `merge` joins. What has left it belongs to it until
    /// it is applied: if the job is cancelled, those of its effects that wait in the mailbox are dropped. That ends where an
    /// operator below it moves values to another thread or keeps them for later (`receive(on:)`, `delay`, `buffer`, `zip`), or
    /// starts other streams for them (`flatMap`): put `job` after those. It must not stand above `share` or `multicast`, whose
    /// subscribers may belong to any loop: there it does nothing, as it does outside a loop.
    ///
    /// A cancelled job finishes its stream, so that what is appended to it still comes. An operator below it that wants no
    /// more, as `first` does, ends the job, too, but keeps what the job has sent.
    ///
    /// - Parameters:
    ///   - id: The job's name, which belongs to the loop: other loops have their own.
    ///   - policy: What happens if a job of that id, in the same child, is in flight. A job that would wait in a queue for one whose
    ///     body awaits its event is refused for ``JobError/waitsForItself(id:awaitedBy:)``, as else both would wait for ever. Who awaits the event of a job that is replaced,
    ///     ignored or cancelled is told so by ``SendError/interrupted(_:)``. While one is, another policy for its id is refused: the new
    ///     stream finishes at once, and ``JobError/policyConflict(id:running:asked:)`` is in the journal and, as
    ///     ``SendError/rejected(_:)``, the answer to who awaits the event.
    public func job(_ id: some Hashable & Sendable, _ policy: JobPolicy = .latest) -> Publishers.Job<Self> {
        .init(upstream: self, id: JobID(id), policy: policy)
    }
}

extension AnyPublisher where Failure == Never {
    /// A stream of effects that sends none, but cancels all jobs of an id when the loop runs it.
    public static func cancelJob(_ id: some Hashable & Sendable) -> AnyPublisher {
        AnyPublisher(CancelJob(id: JobID(id)))
    }
}

extension Publishers {
    /// A stream of effects that is a job of its loop.
    public struct Job<Upstream: Publisher>: Operator where Upstream.Failure == Never {
        /// Where the effects come from.
        public let upstream: Upstream
        /// The job's name.
        public let id: JobID
        /// What happens if a job of that id is in flight.
        public let policy: JobPolicy

        @usableFromInline
        init(upstream: Upstream, id: JobID, policy: JobPolicy) { (self.upstream, self.id, self.policy) = (upstream, id, policy) }

        /// Attaches a subscriber.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Never {
            guard let parent = subscriber._subscriberContext as? EffectOrigin, let context = parent.context else {
                return upstream._receive(trusting: subscriber, named: "Job")
            }
            let id = id.located(at: parent.path)
            let trace = parent.trace
            // A single effect that lies ready is over before anybody else could see the job, if the loop itself takes it, which asks for
            // all that there is.
            if let effect = upstream.readyValue, subscriber.combineIdentifier == parent.subscriber, context.jobs.isFree(id) {
                context.take(.job(JobRecord(id: id, step: .started)), cause: trace.cause)
                subscriber.receive(subscription: Subscriptions.empty)
                _ = subscriber.receive(effect)
                subscriber.receive(completion: .finished)
                return discard(context.take(.job(JobRecord(id: id, step: .finished)), cause: trace.cause))
            }
            let job = RunningJob(upstream, AnySubscriber(subscriber), id: id, parent: parent, context: context, trace: trace)
            let how: JobRecord.Step
            switch context.jobs.admit(job, id, policy) {
            case .start(let replaced):
                for old in replaced { old.end(.replaced) }
                job.join(as: job)
                return job.start()
            case .wait:
                return job.join(as: job)
            case .ignore:
                how = .ignored
                parent.refuse(.interrupted(.jobIgnored(id)))
            case .refuse(let error):
                how = .refused(error)
                context.jobs.warn(of: error)
                parent.refuse(.rejected(error))
            }
            context.take(.job(JobRecord(id: id, step: how)), cause: trace.cause)
            Empty().receive(subscriber: subscriber)
        }
    }
}

extension Publishers.Job: Sendable where Upstream: Sendable {}

private struct CancelJob<Effect>: GrammaticalPublisher {
    typealias Output = Effect
    typealias Failure = Never
    let id: JobID

    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        if let origin = subscriber._subscriberContext as? EffectOrigin {
            origin.context?.jobs.cancel(id.located(at: origin.path))
        }
        Empty().receive(subscriber: subscriber)
    }
}

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
