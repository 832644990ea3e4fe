import Streams
import Synchronization

extension Publisher where Failure == Never {
    /// Makes this stream of effects a job of its loop: named, visible, and cancellable by its name.
    ///
    /// ```swift
    /// case .typed(let text):
    ///     return search(text).map(Effect.found).job("search", .latest)
    /// ```
    /// It may stand anywhere in the stream, also inside streams that `flatMap` or `merge` joins. An effect that it has sent
    /// belongs to it until the effect is applied: if the job is cancelled, those of its effects that are in the mailbox are
    /// dropped. That no longer holds downstream of an operator that moves values to another thread or keeps them for later
    /// (`receive(on:)`, `delay`, `buffer`, `zip`), or that starts other streams for them (`flatMap`): put `job` after those.
    /// Do not put it upstream of `share` or `multicast`, whose subscribers may belong to any loop: there it does nothing, as
    /// outside a loop.
    ///
    /// A cancelled job finishes its stream, so streams that are appended to it still run. An operator downstream that cancels
    /// it, such as `first`, also ends the job, but effects that the job has sent are kept.
    ///
    /// - Parameters:
    ///   - id: The job's name. Names belong to a loop: each loop has its own.
    ///   - policy: The decision about a further job while one with that id, in the same child, is in flight: a stream with another
    ///     policy does not start but finishes at once: ``/LoopValues/JobError/policyConflict(id:running:requested:)`` is written to
    ///     the journal, and a sender that awaits the event receives it as ``/LoopValues/SendError/rejected(_:)``. A job is also
    ///     refused, with ``/LoopValues/JobError/waitsForItself(id:awaitedBy:)``, if it would wait in a queue for a job whose body
    ///     awaits its event, since both would wait forever. A sender that awaits the event of a job that is replaced, ignored or
    ///     cancelled receives ``/LoopValues/SendError/interrupted(_:)``.
    /// - Returns: The stream, as a job.
    @inlinable
    public func job(_ id: some Hashable & Sendable, _ policy: JobPolicy = .latest) -> AnyPublisher<Output, Never> {
        AnyPublisher(storing: .hiding(JobStream(upstream: self, id: JobID(id), policy: policy)))
    }
}

extension AnyPublisher where Failure == Never {
    /// Returns a stream that sends no effects, but cancels all jobs with an id when the loop runs it.
    ///
    /// - Parameter id: The id, as it was passed to ``Streams/Publisher/job(_:_:)``.
    /// - Returns: A stream that finishes at once.
    public static func cancelJob(_ id: some Hashable & Sendable) -> AnyPublisher {
        AnyPublisher(storing: .hiding(CancelJob(id: JobID(id))))
    }
}

/// A stream of effects that is a job of its loop.
@usableFromInline
package struct JobStream<Upstream: Publisher>: Operator where Upstream.Failure == Never {
    @usableFromInline package let upstream: Upstream
    @usableFromInline let id: JobID
    /// The treatment of a further job while one with that id is in flight.
    @usableFromInline let policy: JobPolicy

    @usableFromInline
    init(upstream: Upstream, id: JobID, policy: JobPolicy) {
        self.upstream = upstream
        self.id = id
        self.policy = policy
    }

    /// Starts the job if its policy allows. Outside a loop, the subscriber is attached to the upstream itself.
    @inlinable
    package func attach<S: Subscriber>(_ subscriber: S) where S.Input == Upstream.Output, S.Failure == Never {
        guard let parent = subscriber._subscriberContext as? EffectOrigin else {
            return upstream._receive(trusting: subscriber, named: "Job")
        }
        let context = parent.context
        let id = id.located(at: parent.path)
        // A single ready effect needs no running job if the loop itself receives it: the loop requests everything, so the job is
        // over before other code could observe it.
        if !context.isCancelled, parent.parent == nil, subscriber.combineIdentifier == CombineIdentifier(parent),
            let effect = upstream.readyValue, context.jobs.isFree(id)
        {
            context.note(id, .started, cause: parent.cause)
            subscriber.receive(subscription: Subscriptions.empty)
            _ = subscriber.receive(effect)
            subscriber.receive(completion: .finished)
            return context.note(id, context.isCancelled ? .cancelled : .finished, cause: parent.cause)
        }
        let job = RunningJob(upstream, AnySubscriber(subscriber), id: id, in: parent)
        let how: JobRecord.Step
        // The order matters: first end the jobs that are replaced, then join, which sends the subscription downstream, then
        // start. A job that waits joins now, too, and is started later.
        switch context.jobs.admit(job, id, policy) {
        case .start(let replaced):
            for old in replaced { old.end(.replaced) }
            job.join()
            return job.start()
        case .wait:
            return job.join()
        case .ignore:
            how = .ignored
            parent.refuse(.interrupted(.jobIgnored(id)))
        case .refuse(let error):
            how = .refused(error)
            context.jobs.warn(of: error)
            parent.refuse(.rejected(error))
        }
        context.note(id, how, cause: parent.cause)
        Empty().receive(subscriber: subscriber)
    }
}

extension JobStream: Sendable where Upstream: Sendable {}

private struct CancelJob<Effect>: GrammaticalPublisher {
    typealias Output = Effect
    typealias Failure = Never
    let id: JobID

    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        if let origin = subscriber._subscriberContext as? EffectOrigin {
            origin.context.jobs.cancel(id.located(at: origin.path))
        }
        Empty().receive(subscriber: subscriber)
    }
}

/// A stream whose job is known before it is subscribed to.
protocol NamedStream {
    /// The name of the job; nil for a stream that is not a job.
    var jobID: JobID? { get }
}

extension JobStream: NamedStream {
    var jobID: JobID? { id }
}

extension AnyPublisher: NamedStream {
    var jobID: JobID? { if case .hidden(let box) = storage { (box as? any NamedStream)?.jobID } else { nil } }
}

extension Publishers.CompactMap: NamedStream where Upstream: NamedStream {
    var jobID: JobID? { upstream.jobID }
}

extension HiddenPublisherOf: NamedStream where P: NamedStream {
    var jobID: JobID? { publisher?.jobID }
}
