extension Publishers {
    /// A publisher that transforms each value and leaves out those that become nil.
    public struct CompactMap<Upstream: Publisher, Output>: Operator, Attaching {
        /// Where the values come from; what is done to each.
        public let upstream: Upstream, transform: @Sendable (Upstream.Output) -> Output?
        /// A publisher of the transformed values that are not nil.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream._receive(trusting: CompactMapSubscriber(downstream: subscriber, transform: transform), named: "CompactMap")
        }

        /// Hands over what becomes of the upstream's values, if those lie ready.
        @inlinable @inline(__always) public func _sendReady(to take: (Output?) -> Bool) -> _ReadyValues<Output, Failure> {
            upstream._sendReady { take($0.flatMap(transform)) }.through { $0.compactMap(transform) }
        }
    }

    /// A publisher that transforms each value by a closure that may throw, and leaves out those that become nil.
    public struct ThrowingCompactMap<Upstream: Publisher, Output, Failure: Error>: Operator, Attaching {
        /// Where the values come from; what is done to each.
        public let upstream: Upstream, transform: @Sendable (Upstream.Output) throws(Failure) -> Output?
        /// A publisher that transforms each value by a closure that may throw, and leaves out those that become nil.
        @preconcurrency @inlinable
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws(Failure) -> Output?) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream.step(into: subscriber, as: "TryCompactMap") { [transform] value throws(Failure) in
                try transform(value).map { .send($0) } ?? .skip
            }
        }
    }

    /// For a closure that may throw anything.
    public typealias TryCompactMap<Upstream: Publisher, Output> = ThrowingCompactMap<Upstream, Output, any Error>
}

extension Publishers.CompactMap: Sendable where Upstream: Sendable {}

extension Publishers.ThrowingCompactMap: Sendable where Upstream: Sendable {}

extension Publishers.CompactMap {
    /// Transforms each value once more, as one step.
    @preconcurrency @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping @Sendable (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in first($0).flatMap(transform) }
    }
    /// Transforms each value once more, as one step.
    @preconcurrency @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in first($0).map(transform) }
    }
}

extension Publishers.ThrowingCompactMap {
    /// Transforms each value once more, as one step.
    @preconcurrency @inlinable public func compactMap<T>(
        _ transform: @escaping @Sendable (Output) -> T?
    ) -> Publishers.ThrowingCompactMap<Upstream, T, Failure> {
        .init(upstream: upstream) { [first = self.transform] value throws(Failure) in
            if let output = try first(value) { transform(output) } else { nil }
        }
    }
}

extension Publisher {
    /// Transforms each value and leaves out those that become nil: `["1", "x", "3"].publisher.compactMap { Int($0) }` sends 1, 3.
    @preconcurrency @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping @Sendable (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }

    /// Like ``compactMap(_:)``, but fails with what the closure throws.
    @preconcurrency @inlinable public func tryCompactMap<T>(
        _ transform: @escaping @Sendable (Output) throws -> T?
    ) -> Publishers.TryCompactMap<Self, T> { .init(upstream: self, transform: transform) }

    /// Like ``compactMap(_:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryCompactMap<T, E>(
        _ transform: @escaping @Sendable (Output) throws(E) -> T?
    ) -> Publishers.ThrowingCompactMap<Self, T, E> where Failure == Never { .init(upstream: self, transform: transform) }

    /// Like ``compactMap(_:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryCompactMap<T>(
        _ transform: @escaping @Sendable (Output) throws(Failure) -> T?
    ) -> Publishers.ThrowingCompactMap<Self, T, Failure> { .init(upstream: self, transform: transform) }
}

@usableFromInline struct CompactMapSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream, transform: @Sendable (Input) -> Downstream.Input?

    @inlinable @inline(__always) init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input?) {
        (self.downstream, self.transform) = (downstream, transform)
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        if let output = transform(input) { downstream.receive(output) } else { .max(1) }
    }
}
