extension Publishers {
    /// A publisher that continues with another publisher when its upstream fails. Creating that publisher may throw.
    public struct Catching<Upstream: Publisher, NewPublisher: Publisher, Thrown: Error, Failure: Error>: Operator
    where Upstream.Output == NewPublisher.Output {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let name: StaticString
        @usableFromInline let handler: @Sendable (Upstream.Failure) throws(Thrown) -> NewPublisher

        @inlinable @inline(__always) package func attach<S: Subscriber<Upstream.Output, Failure>>(_ subscriber: S) {
            let logic = SerialLogic<S> { [handler] _, error, run in
                guard let error, let source = SerialLogic<S>.source(of: NewPublisher.self, in: run) else { return nil }
                return {
                    do throws(Thrown) {
                        let publisher = try handler(convert(error))
                        if !run.isClosed { publisher.subscribe(source) }
                    } catch { run.post(.ended(nil, error)) }
                }
            }
            FanIn(logic, subscriber, named: name).begin(with: upstream)
        }
    }

    /// A publisher that continues with another publisher when its upstream fails.
    public typealias Catch<Upstream: Publisher, NewPublisher: Publisher> =
        Catching<Upstream, NewPublisher, Never, NewPublisher.Failure> where Upstream.Output == NewPublisher.Output

    /// A publisher that continues with another publisher when its upstream fails. Creating that publisher may throw any error.
    public typealias TryCatch<Upstream: Publisher, NewPublisher: Publisher> =
        Catching<Upstream, NewPublisher, any Error, any Error> where Upstream.Output == NewPublisher.Output

    /// A publisher that sends a given value in place of a failure, and finishes.
    public typealias ReplaceError<Upstream: Publisher> = Catch<Upstream, Just<Upstream.Output>>

    /// A publisher that sends its upstream's values and error as results.
    public typealias AsResult<Upstream: Publisher> = ReplaceError<Map<Upstream, Result<Upstream.Output, Upstream.Failure>>>
}

extension Publishers.Catching: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Continues with another publisher when this one fails, and requests from it the values that are still owed to the
    /// downstream.
    ///
    /// If this publisher fails during a delivery, from inside it or from another thread, the handler is called, and its publisher
    /// subscribed to, after that delivery, possibly on another thread. If it fails while it is being subscribed to, that happens
    /// after that call. Values that a ``PassthroughSubject`` sends before that are lost; see ``switchToLatest()`` for an
    /// alternative. If the downstream cancels inside the handler, nothing is subscribed to.
    /// - Parameter handler: Returns the publisher to continue with, given the error. If that publisher fails, so does the result.
    @preconcurrency
    public func `catch`<P: Publisher>(_ handler: @escaping @Sendable (Failure) -> P) -> Publishers.Catch<Self, P>
    where P.Output == Output { .init(upstream: self, name: "Catch", handler: handler) }

    /// Like ``catch(_:)``, but fails with the error that the handler throws.
    @preconcurrency public func tryCatch<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) throws -> P
    ) -> Publishers.TryCatch<Self, P> where P.Output == Output { .init(upstream: self, name: "TryCatch", handler: handler) }

    /// Like ``catch(_:)``, but fails with the error that the handler throws, and with nothing else: its publisher cannot fail.
    @preconcurrency public func tryCatch<P: Publisher, E>(
        _ handler: @escaping @Sendable (Failure) throws(E) -> P
    ) -> Publishers.Catching<Self, P, E, E> where P.Output == Output, P.Failure == Never {
        .init(upstream: self, name: "TryCatch", handler: handler)
    }

    /// Like ``catch(_:)``, but fails with the error that the handler throws, which has the failure type of its publisher.
    @preconcurrency @_disfavoredOverload public func tryCatch<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) throws(P.Failure) -> P
    ) -> Publishers.Catching<Self, P, P.Failure, P.Failure> where P.Output == Output {
        .init(upstream: self, name: "TryCatch", handler: handler)
    }

    /// Sends the given value instead of failing, once a value is requested, then finishes.
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        let just = UncheckedTransfer(Just(output))
        return .init(upstream: self, name: "ReplaceError") { _ in just.value }
    }

    /// Sends each value as a success and, instead of failing, sends the error as a failure and finishes.
    ///
    /// Like any value, the failure is sent only when it is requested.
    public func asResult() -> Publishers.AsResult<Self> {
        .init(upstream: map { .success($0) }, name: "AsResult") { Just(.failure($0)) }
    }
}
