extension Publishers {
    /// A publisher that transforms each value and leaves out those that become nil.
    public struct CompactMap<Upstream: Publisher, Output>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// What is done to each.
        public let transform: @Sendable (Upstream.Output) -> Output?

        /// A publisher of the transformed values that are not nil.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            upstream.receive(trusting: CompactMapSubscriber(downstream: subscriber, transform: transform), named: nil)
        }
    }
}

extension Publishers.CompactMap: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Transforms each value and leaves out those that become nil.
    ///
    /// ```swift
    /// ["1", "x", "3"].publisher.compactMap { Int($0) }  // 1, 3
    /// ```
    @preconcurrency @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping @Sendable (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }
}

@usableFromInline
struct CompactMapSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Input) -> Downstream.Input?

    @inlinable @inline(__always)
    init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input?) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        if let output = transform(input) { downstream.receive(output) } else { .max(1) }
    }
}
