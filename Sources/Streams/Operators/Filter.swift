extension Publishers {
    /// A publisher that sends the values that satisfy a predicate.
    public struct Filter<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that returns whether a value is sent.
        public let isIncluded: @Sendable (Upstream.Output) -> Bool
        /// Creates a publisher that sends the values that satisfy a predicate.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream._receive(trusting: FilterSubscriber(downstream: subscriber, isIncluded: isIncluded), named: "Filter")
        }
    }

    /// A publisher that sends the values that satisfy a predicate, which may throw.
    public struct ThrowingFilter<Upstream: Publisher, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that returns whether a value is sent.
        public let isIncluded: @Sendable (Upstream.Output) throws(Failure) -> Bool
        /// Creates a publisher that sends the values that satisfy a predicate, which may throw.
        @preconcurrency @inlinable
        public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) throws(Failure) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.step(into: subscriber, as: "TryFilter") { [isIncluded] value throws(Failure) in
                try isIncluded(value) ? .send(value) : .skip
            }
        }
    }

    /// A `ThrowingFilter` whose predicate may throw any error.
    public typealias TryFilter<Upstream: Publisher> = ThrowingFilter<Upstream, any Error>
}

extension Publishers.Filter: Sendable where Upstream: Sendable {}

extension Publishers.ThrowingFilter: Sendable where Upstream: Sendable {}

extension Publishers.Filter {
    /// Sends the values that satisfy both predicates, in a single operator.
    @preconcurrency @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Publishers.Filter<Upstream> {
        .init(upstream: upstream) { [first = self.isIncluded] in first($0) && isIncluded($0) }
    }
    /// Sends the values that satisfy both predicates, in a single operator. Fails with the error that the second one throws.
    @preconcurrency @inlinable
    public func tryFilter(_ isIncluded: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        .init(upstream: upstream) { [first = self.isIncluded] in try first($0) && isIncluded($0) }
    }
}

extension Publishers.ThrowingFilter {
    /// Sends the values that satisfy both predicates, in a single operator.
    @preconcurrency @inlinable public func filter(
        _ isIncluded: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.ThrowingFilter<Upstream, Failure> {
        .init(upstream: upstream) { [first = self.isIncluded] value throws(Failure) in
            if try first(value) { isIncluded(value) } else { false }
        }
    }
    /// Sends the values that satisfy both predicates, in a single operator. Fails with the error that either throws.
    @preconcurrency @inlinable
    public func tryFilter(_ isIncluded: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        .init(upstream: upstream) { [first = self.isIncluded] in try first($0) && isIncluded($0) }
    }
}

extension Publisher {
    /// Sends the values that satisfy a predicate: `(1...6).publisher.filter { $0.isMultiple(of: 2) }` sends 2, 4, 6.
    @preconcurrency @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }
    /// Like ``filter(_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryFilter(_ isIncluded: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        .init(upstream: self, isIncluded: isIncluded)
    }

    /// Like ``filter(_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryFilter<E>(
        _ isIncluded: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingFilter<Self, E> where Failure == Never { .init(upstream: self, isIncluded: isIncluded) }

    /// Like ``filter(_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryFilter(
        _ isIncluded: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingFilter<Self, Failure> { .init(upstream: self, isIncluded: isIncluded) }
}

@usableFromInline struct FilterSubscriber<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let isIncluded: @Sendable (Downstream.Input) -> Bool

    @inlinable @inline(__always) init(downstream: Downstream, isIncluded: @escaping @Sendable (Downstream.Input) -> Bool) {
        self.downstream = downstream
        self.isIncluded = isIncluded
    }

    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        isIncluded(input) ? downstream.receive(input) : .max(1)
    }
}
