extension Publishers {
    /// A publisher of one array of all values.
    public struct Collect<Upstream: Publisher>: Operator, Attaching {
        /// The values.
        public typealias Output = [Upstream.Output]
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher of one array of all values.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<[Upstream.Output], Failure>) {
            upstream.reduce(into: subscriber, as: "Collect", []) { values, value in
                values?.append(value)
                return true
            }
        }
    }

    /// A publisher of arrays of so many values.
    public struct CollectByCount<Upstream: Publisher>: Operator, Attaching {
        /// So many values, fewer at the end.
        public typealias Output = [Upstream.Output]
        /// Where the values come from; how many make an array.
        public let upstream: Upstream, count: Int

        /// A publisher of arrays of so many values: one at least.
        @inlinable public init(upstream: Upstream, count: Int) {
            precondition(count > 0, "collect(\(count)): an array needs one value at least")
            (self.upstream, self.count) = (upstream, count)
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
    /// Sends all values as one array when the upstream finishes; nothing of them if it fails.
    @inlinable public func collect() -> Publishers.Collect<Self> { .init(upstream: self) }

    /// Sends arrays of so many values, the last of what is left; a failure drops what is not yet sent.
    /// - Parameter count: How many; one at least. For each array asked for, so many values are.
    @inlinable public func collect(_ count: Int) -> Publishers.CollectByCount<Self> { .init(upstream: self, count: count) }
}

@usableFromInline
final class CollectByCountSubscriber<Input, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Downstream.Failure, Downstream>, @unchecked Sendable
where Downstream.Input == [Input] {
    // Sound: as the base class says.
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
