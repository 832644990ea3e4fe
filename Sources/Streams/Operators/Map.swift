extension Publishers {
    /// A publisher that transforms each value of its upstream.
    public struct Map<Upstream: Publisher, Output>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// What is done to each.
        public let transform: @Sendable (Upstream.Output) -> Output

        /// A publisher of transformed values.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            upstream.receive(trusting: MapSubscriber(downstream: subscriber, transform: transform), named: nil)
        }
    }
}

extension Publishers.Map: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Transforms each value.
    ///
    /// ```swift
    /// (1...3).publisher.map { $0 * $0 }  // 1, 4, 9
    /// ```
    @preconcurrency @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }
}

@usableFromInline
struct MapSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Input) -> Downstream.Input

    @inlinable @inline(__always)
    init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
}
