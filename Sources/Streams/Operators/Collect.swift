extension Publishers {
    /// A publisher that sends all values as one array.
    public typealias Collect<Upstream: Publisher> = Reducing<Upstream, [Upstream.Output], Never, Upstream.Failure>

    /// A publisher that collects a fixed number of values into each array.
    public struct CollectByCount<Upstream: Publisher>: Operator {
        /// Arrays of `count` values; the last one may be shorter.
        public typealias Output = [Upstream.Output]
        @usableFromInline package let upstream: Upstream
        @usableFromInline let count: Int

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<[Upstream.Output], Failure>) {
            upstream.subscribe(CollectByCountSubscriber(subscriber, count: count))
        }
    }
}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends all values as one array when the upstream finishes. If it fails, they are dropped.
    public func collect() -> Publishers.Collect<Self> {
        .init(self, named: "Collect", []) { values, value in
            values?.append(value)
            return true
        }
    }

    /// Collects values into arrays of a fixed length. When the upstream finishes, a last array holds the rest; when it fails, the
    /// rest is dropped.
    /// - Parameter count: The number of values in an array; one or more. Each array requested requests that many values from the
    ///   upstream.
    public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
        precondition(count > 0, "collect(\(count)): the count must be one or more")
        return .init(upstream: self, count: count)
    }
}

@usableFromInline
final class CollectByCountSubscriber<Input, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Downstream.Failure, CollectingDownstream<Input, Downstream>>, @unchecked Sendable
where Downstream.Input == [Input] {
    // Sound: see the base class.
    @usableFromInline let count: Int

    @inlinable init(_ downstream: Downstream, count: Int) {
        self.count = count
        super.init(CollectingDownstream(downstream), named: "CollectByCount")
    }

    @inlinable override func receive(_ input: Input) -> Subscribers.Demand {
        var demand = Subscribers.Demand.none
        outlet.borrow { holder in
            holder.value.values.value.append(input)
            if holder.value.values.value.count == count { demand = holder.value.sendValues() * count }
        }
        return demand
    }

    @inlinable override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        if case .finished = completion {
            outlet.borrow { if !$0.value.values.value.isEmpty { _ = $0.value.sendValues() } }
        }
        outlet.finish(completion)
    }

    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        inlet.request(demand * count)
    }
}

/// The downstream of ``CollectByCountSubscriber`` with the values that are collected for it, so that both are released together.
@usableFromInline struct CollectingDownstream<Input, Downstream: Subscriber>: PassingSubscriber
where Downstream.Input == [Input] {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let values = OperatorState<[Input]>([])

    @inlinable init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable func receive(_ input: [Input]) -> Subscribers.Demand { downstream.receive(input) }

    @inlinable func sendValues() -> Subscribers.Demand {
        let sent = values.value
        values.value = []
        return downstream.receive(sent)
    }
}
