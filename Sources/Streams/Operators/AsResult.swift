import Synchronization

extension Publishers {
    /// A publisher of its upstream's values, and of its error as a last value.
    public struct AsResult<Upstream: Publisher>: Operator {
        /// What is sent.
        public typealias Output = Result<Upstream.Output, Upstream.Failure>
        /// It does not fail.
        public typealias Failure = Never
        /// Where the values come from.
        public let upstream: Upstream
        /// A publisher of results.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }
        /// Attaches a subscriber.
        @inlinable @inline(__always) public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Never {
            upstream.subscribe(AsResultSubscriber<Upstream.Output, Upstream.Failure, S>(subscriber))
        }
    }
}

extension Publishers.AsResult: Sendable where Upstream: Sendable {}
extension Publishers.AsResult: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Turns values into successes and an error into a last value, a failure, so that nothing can fail from here on.
    ///
    /// The last value, too, is sent only when it is asked for.
    @inlinable public func asResult() -> Publishers.AsResult<Self> { Publishers.AsResult(upstream: self) }
}

@usableFromInline
final class AsResultSubscriber<Input, Failure: Error, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Failure, Downstream>, @unchecked Sendable
where Downstream.Input == Result<Input, Failure>, Downstream.Failure == Never {
    // Sound: as the base class says; the demand is behind the lock.
    @usableFromInline let open = Lock((demand: Subscribers.Demand.none, error: Failure?.none))
    @inlinable init(_ downstream: Downstream) { super.init(downstream, named: "AsResult") }

    @inlinable override func receive(_ input: Input) -> Subscribers.Demand {
        open.withLock { $0.demand -= 1 }
        let more = outlet.send(.success(input))
        open.withLock { $0.demand += more }
        return more
    }

    @inlinable override func receive(completion: Subscribers.Completion<Failure>) {
        guard inlet.finish() else { return }
        guard case .failure(let error) = completion else { return outlet.finish(.finished) }
        let isWanted = open.withLock { open in
            open.error = error
            return open.demand != .none
        }
        if isWanted { sendLast(error) }
    }

    @inlinable func sendLast(_ error: Failure) {
        _ = outlet.send(.failure(error))
        outlet.finish(.finished)
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        let error = open.withLock { open in
            defer { open.demand += demand }
            return open.demand == .none ? open.error : nil
        }
        if let error { sendLast(error) } else { inlet.request(demand) }
    }
}
