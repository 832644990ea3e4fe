extension Publishers {
    /// A publisher that sends all values as one array.
    public struct Collect<Upstream: Publisher>: Operator, Attaching {
        /// All values of the upstream.
        public typealias Output = [Upstream.Output]
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that sends all values as one array.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<[Upstream.Output], Failure>) {
            upstream.reduce(into: subscriber, as: "Collect", []) { values, value in
                values?.append(value)
                return true
            }
        }
    }

    /// A publisher that collects a fixed number of values into each array.
    public struct CollectByCount<Upstream: Publisher>: Operator, Attaching {
        /// Arrays of `count` values; the last one may be shorter.
        public typealias Output = [Upstream.Output]
        /// The upstream publisher.
        public let upstream: Upstream
        /// The number of values in an array.
        public let count: Int

        /// Creates a publisher of arrays of `count` values; traps if `count` is less than one.
        @inlinable public init(upstream: Upstream, count: Int) {
            precondition(count > 0, "collect(\(count)): the count must be one or more")
            self.upstream = upstream
            self.count = count
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<[Upstream.Output], Failure>) {
            upstream.subscribe(CollectByCountSubscriber(subscriber, count: count))
        }
    }
}

extension Publishers.Collect: Sendable where Upstream: Sendable {}
extension Publishers.Collect: Equatable where Upstream: Equatable {}
extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Sends all values as one array when the upstream finishes. If it fails, they are dropped.
    @inlinable public func collect() -> Publishers.Collect<Self> { .init(upstream: self) }

    /// Collects values into arrays of a fixed length. When the upstream finishes, a last array holds the rest; when it fails, the
    /// rest is dropped.
    /// - Parameter count: The number of values in an array; one or more. Each array requested requests that many values from the
    ///   upstream.
    @inlinable public func collect(_ count: Int) -> Publishers.CollectByCount<Self> { .init(upstream: self, count: count) }
}

@usableFromInline
final class CollectByCountSubscriber<Input, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Downstream.Failure, Downstream>, @unchecked Sendable
where Downstream.Input == [Input] {
    // Sound: see the base class.
    @usableFromInline let count: Int
    @exclusivity(unchecked) @usableFromInline var values: [Input] = []

    @inlinable init(_ downstream: Downstream, count: Int) {
        self.count = count
        super.init(downstream, named: "CollectByCount")
    }

    @inlinable override func receive(_ input: Input) -> Subscribers.Demand {
        if inlet.isEnded {
            values = []
            return .none
        }
        values.append(input)
        return values.count < count ? .none : outlet.send(takeValues()) * count
    }

    @inlinable override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        let rest = takeValues()
        if case .finished = completion, !rest.isEmpty { _ = outlet.send(rest) }
        outlet.finish(completion)
    }

    @inlinable func takeValues() -> [Input] {
        defer { values = [] }
        return values
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        inlet.request(demand * count)
    }
}
