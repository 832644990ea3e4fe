extension Publishers {
    /// A publisher that lets through the values that satisfy a predicate.
    public struct Filter<Upstream: Publisher>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// Whether a value goes through.
        public let isIncluded: @Sendable (Upstream.Output) -> Bool

        /// A publisher of the values that satisfy the predicate.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.receive(trusting: FilterSubscriber(downstream: subscriber, isIncluded: isIncluded), named: nil)
        }
    }
}

extension Publishers.Filter: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Lets through the values that satisfy a predicate.
    ///
    /// ```swift
    /// (1...6).publisher.filter { $0.isMultiple(of: 2) }  // 2, 4, 6
    /// ```
    @preconcurrency @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }
}

@usableFromInline
struct FilterSubscriber<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let isIncluded: @Sendable (Downstream.Input) -> Bool

    @inlinable @inline(__always)
    init(downstream: Downstream, isIncluded: @escaping @Sendable (Downstream.Input) -> Bool) {
        self.downstream = downstream
        self.isIncluded = isIncluded
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        isIncluded(input) ? downstream.receive(input) : .max(1)
    }
}
