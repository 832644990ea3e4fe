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
    ///     body awaits its event is refused for ``JobError/waitsForItself(id:awaitedBy:)``, as else both would wait for ever. Who awaits
    ///     the event of a job that is replaced, ignored or cancelled is told so by ``SendError/interrupted(_:)``. While one is in flight,
    ///     another policy for its id is refused: the new stream finishes at once, and ``JobError/policyConflict(id:running:asked:)`` is in
    ///     the journal and, as ``SendError/rejected(_:)``, the answer to who awaits the event.
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
            if !context.isCancelled, let effect = upstream.readyValue, subscriber.combineIdentifier == parent.subscriber,
                context.jobs.isFree(id)
            {
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
