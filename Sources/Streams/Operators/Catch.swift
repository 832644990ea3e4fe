extension Publishers {
    /// A publisher that goes on with another publisher when its upstream fails; to make that one may throw.
    public struct ThrowingCatch<Upstream: Publisher, NewPublisher: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching
    where Upstream.Output == NewPublisher.Output {
        /// Where the values come from at first; makes the publisher to go on with.
        public let upstream: Upstream, handler: @Sendable (Upstream.Failure) throws(Thrown) -> NewPublisher

        /// A publisher that goes on with another publisher when its upstream fails.
        @preconcurrency @inlinable public init(
            upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws(Thrown) -> NewPublisher
        ) { (self.upstream, self.handler) = (upstream, handler) }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let serial = SerialSubscription(subscriber, named: Thrown.self == Never.self ? "Catch" : "TryCatch")
            serial.follow(upstream) { [handler] error in
                do throws(Thrown) {
                    serial.follow(try handler(error)) { serial.finish(.failure(convert($0))) }
                } catch { serial.finish(.failure(convert(error))) }
            }
        }
    }

    /// A publisher that goes on with another publisher when its upstream fails.
    public typealias Catch<Upstream: Publisher, NewPublisher: Publisher> =
        ThrowingCatch<Upstream, NewPublisher, Never, NewPublisher.Failure> where Upstream.Output == NewPublisher.Output
    /// A publisher that goes on with another publisher, if that can be made, when its upstream fails.
    public typealias TryCatch<Upstream: Publisher, NewPublisher: Publisher> =
        ThrowingCatch<Upstream, NewPublisher, any Error, any Error> where Upstream.Output == NewPublisher.Output
}

extension Publishers.ThrowingCatch: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Goes on with another publisher when this one fails; what is asked for and not yet sent is asked of that one.
    @preconcurrency @inlinable
    public func `catch`<P: Publisher>(_ handler: @escaping @Sendable (Failure) -> P) -> Publishers.Catch<Self, P>
    where P.Output == Output { Publishers.Catch(upstream: self, handler: handler) }

    /// Like ``catch(_:)``, but fails with what the handler throws.
    @preconcurrency @inlinable public func tryCatch<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) throws -> P
    ) -> Publishers.TryCatch<Self, P> where P.Output == Output { Publishers.TryCatch(upstream: self, handler: handler) }

    /// Like ``catch(_:)``, but fails with what the handler throws, and with nothing else.
    @preconcurrency @inlinable public func tryCatch<P: Publisher, E>(
        _ handler: @escaping @Sendable (Failure) throws(E) -> P
    ) -> Publishers.ThrowingCatch<Self, P, E, E> where P.Output == Output, P.Failure == Never {
        .init(upstream: self, handler: handler)
    }

    /// Like ``catch(_:)``, but fails with what the handler throws, which is what its publisher fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryCatch<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) throws(P.Failure) -> P
    ) -> Publishers.ThrowingCatch<Self, P, P.Failure, P.Failure> where P.Output == Output {
        .init(upstream: self, handler: handler)
    }
}
