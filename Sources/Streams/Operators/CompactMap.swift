extension Publishers {
    /// A publisher that transforms each value and sends the results that are not nil.
    public struct CompactMap<Upstream: Publisher, Output>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms each value.
        public let transform: @Sendable (Upstream.Output) -> Output?
        /// Creates a publisher that transforms values and sends the results that are not nil.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream._receive(trusting: CompactMapSubscriber(downstream: subscriber, transform: transform), named: "CompactMap")
        }
    }

    /// A publisher that transforms each value with a closure that may throw, and sends the results that are not nil.
    public struct ThrowingCompactMap<Upstream: Publisher, Output, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms each value.
        public let transform: @Sendable (Upstream.Output) throws(Failure) -> Output?
        /// Creates a publisher that transforms each value with a closure that may throw, and sends the results that are not nil.
        @preconcurrency @inlinable
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws(Failure) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream.step(into: subscriber, as: "TryCompactMap") { [transform] value throws(Failure) in
                try transform(value).map { .send($0) } ?? .skip
            }
        }
    }

    /// A `ThrowingCompactMap` whose closure may throw any error.
    public typealias TryCompactMap<Upstream: Publisher, Output> = ThrowingCompactMap<Upstream, Output, any Error>
}

extension Publishers.CompactMap: Sendable where Upstream: Sendable {}

extension Publishers.ThrowingCompactMap: Sendable where Upstream: Sendable {}

extension Publishers.CompactMap {
    /// Applies a second closure to each value, in the same operator.
    @preconcurrency @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping @Sendable (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in first($0).flatMap(transform) }
    }
    /// Applies a second closure to each value, in the same operator.
    @preconcurrency @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in first($0).map(transform) }
    }
}

extension Publishers.ThrowingCompactMap {
    /// Applies a second closure to each value, in the same operator.
    @preconcurrency @inlinable public func compactMap<T>(
        _ transform: @escaping @Sendable (Output) -> T?
    ) -> Publishers.ThrowingCompactMap<Upstream, T, Failure> {
        .init(upstream: upstream) { [first = self.transform] value throws(Failure) in
            if let output = try first(value) { transform(output) } else { nil }
        }
    }
}

extension Publisher {
    /// Transforms each value and sends results that are not nil: `["1", "x", "3"].publisher.compactMap { Int($0) }` sends 1, 3.
    @preconcurrency @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping @Sendable (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }

    /// Like ``compactMap(_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryCompactMap<T>(
        _ transform: @escaping @Sendable (Output) throws -> T?
    ) -> Publishers.TryCompactMap<Self, T> { .init(upstream: self, transform: transform) }

    /// Like ``compactMap(_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryCompactMap<T, E>(
        _ transform: @escaping @Sendable (Output) throws(E) -> T?
    ) -> Publishers.ThrowingCompactMap<Self, T, E> where Failure == Never { .init(upstream: self, transform: transform) }

    /// Like ``compactMap(_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryCompactMap<T>(
        _ transform: @escaping @Sendable (Output) throws(Failure) -> T?
    ) -> Publishers.ThrowingCompactMap<Self, T, Failure> { .init(upstream: self, transform: transform) }
}

@usableFromInline struct CompactMapSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Input) -> Downstream.Input?

    @inlinable @inline(__always) init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input?) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        if let output = transform(input) { downstream.receive(output) } else { .max(1) }
    }
}
