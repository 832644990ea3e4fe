import Streams

/// Accompanies a stream of effects from its subscription to its end; see ``Effects/accompanied(by:)``.
public struct StreamCompanion: Sendable {
    /// Subscribes to the stream. It must call its argument, once, and may bind task-locals around the call.
    public var subscribing: @Sendable (_ subscribe: () -> Void) -> Void
    /// Called once when the stream has finished or is cancelled.
    public var ended: @Sendable (_ isCancelled: Bool) -> Void

    /// Creates a companion of one stream.
    ///
    /// - Parameters:
    ///   - subscribing: Subscribes to the stream, by calling its argument.
    ///   - ended: Called once when the stream has finished or is cancelled, on the thread that does it.
    public init(
        subscribing: @escaping @Sendable (_ subscribe: () -> Void) -> Void = { $0() },
        ended: @escaping @Sendable (_ isCancelled: Bool) -> Void
    ) {
        self.subscribing = subscribing
        self.ended = ended
    }
}

extension Effects {
    /// Returns these effects with each stream that is not ready accompanied, for example by a span of a trace.
    ///
    /// ```swift
    /// try next(state, event, environment).accompanied {
    ///     let span = tracer.startSpan("\(event)")
    ///     return StreamCompanion(
    ///         subscribing: { subscribe in ServiceContext.$current.withValue(span.context, operation: subscribe) },
    ///         ended: { _ in span.end() })
    /// }
    /// ```
    /// Ready effects, such as those of `Just`, are applied at once, without a companion. The streams stay tied to their children,
    /// and jobs remain jobs. If a job has to wait for others, its stream starts outside of `subscribing`.
    ///
    /// - Parameter begin: Called for each such stream when it is about to be subscribed to.
    public func accompanied(by begin: @escaping @Sendable () -> StreamCompanion) -> Effects {
        mapStreams { $0.isReady ? $0 : AnyPublisher(storing: .hiding(AccompaniedStream(upstream: $0, begin: begin))) }
    }
}

/// A stream with a companion.
package struct AccompaniedStream<Upstream: Publisher>: Operator {
    package let upstream: Upstream
    let begin: @Sendable () -> StreamCompanion

    package func attach<S: Subscriber>(_ subscriber: S) where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
        let companion = begin()
        let stream = upstream.handleEvents(
            receiveCompletion: { _ in companion.ended(false) }, receiveCancel: { companion.ended(true) })
        companion.subscribing { stream.receive(subscriber: subscriber) }
    }
}

extension AccompaniedStream: NamedStream where Upstream: NamedStream {
    var jobID: JobID? { upstream.jobID }
}
