extension Publishers {
    /// A publisher that continues with another publisher when its upstream fails. Creating that publisher may throw.
    public struct ThrowingCatch<Upstream: Publisher, NewPublisher: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching
    where Upstream.Output == NewPublisher.Output {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that creates the publisher to continue with.
        public let handler: @Sendable (Upstream.Failure) throws(Thrown) -> NewPublisher

        /// Creates a publisher that continues with another publisher when its upstream fails.
        @preconcurrency @inlinable public init(
            upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws(Thrown) -> NewPublisher
        ) {
            self.upstream = upstream
            self.handler = handler
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let serial = SerialSubscription(subscriber, named: Thrown.self == Never.self ? "Catch" : "TryCatch")
            serial.follow(upstream) { [handler] error in
                do throws(Thrown) {
                    serial.follow(try handler(error)) { serial.finish(.failure(convert($0))) }
                } catch { serial.finish(.failure(convert(error))) }
            }
        }
    }

    /// A publisher that continues with another publisher when its upstream fails.
    public typealias Catch<Upstream: Publisher, NewPublisher: Publisher> =
        ThrowingCatch<Upstream, NewPublisher, Never, NewPublisher.Failure> where Upstream.Output == NewPublisher.Output
    /// A publisher that continues with another publisher when its upstream fails. Creating that publisher may throw any error.
    public typealias TryCatch<Upstream: Publisher, NewPublisher: Publisher> =
        ThrowingCatch<Upstream, NewPublisher, any Error, any Error> where Upstream.Output == NewPublisher.Output
}

extension Publishers.ThrowingCatch: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Continues with another publisher when this one fails, and requests from it the values that are still owed to the
    /// downstream.
    ///
    /// If this publisher fails during a delivery, from inside it or from another thread, the handler is called, and its publisher
    /// subscribed to, after that delivery, possibly on another thread. Values that a ``PassthroughSubject`` sends before that are
    /// lost; see ``switchToLatest()`` for an alternative. If the downstream cancels inside the handler, nothing is subscribed to.
    /// - Parameter handler: Returns the publisher to continue with, given the error. If that publisher fails, so does the result.
    @preconcurrency @inlinable
    public func `catch`<P: Publisher>(_ handler: @escaping @Sendable (Failure) -> P) -> Publishers.Catch<Self, P>
    where P.Output == Output { Publishers.Catch(upstream: self, handler: handler) }

    /// Like ``catch(_:)``, but fails with the error that the handler throws.
    @preconcurrency @inlinable public func tryCatch<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) throws -> P
    ) -> Publishers.TryCatch<Self, P> where P.Output == Output { Publishers.TryCatch(upstream: self, handler: handler) }

    /// Like ``catch(_:)``, but fails with the error that the handler throws, and with nothing else: its publisher cannot fail.
    @preconcurrency @inlinable public func tryCatch<P: Publisher, E>(
        _ handler: @escaping @Sendable (Failure) throws(E) -> P
    ) -> Publishers.ThrowingCatch<Self, P, E, E> where P.Output == Output, P.Failure == Never {
        .init(upstream: self, handler: handler)
    }

    /// Like ``catch(_:)``, but fails with the error that the handler throws, which has the failure type of its publisher.
    @preconcurrency @inlinable @_disfavoredOverload public func tryCatch<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) throws(P.Failure) -> P
    ) -> Publishers.ThrowingCatch<Self, P, P.Failure, P.Failure> where P.Output == Output {
        .init(upstream: self, handler: handler)
    }
}
