extension Publishers {
    /// A publisher that transforms each value of its upstream.
    public struct Map<Upstream: Publisher, Output>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms each value.
        public let transform: @Sendable (Upstream.Output) -> Output
        /// Creates a publisher that transforms each value of its upstream.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream._receive(trusting: MapSubscriber(downstream: subscriber, transform: transform), named: "Map")
        }
    }

    /// A publisher that transforms each value with a closure that may throw.
    public struct ThrowingMap<Upstream: Publisher, Output, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms each value.
        public let transform: @Sendable (Upstream.Output) throws(Failure) -> Output
        /// Creates a publisher that transforms each value with a closure that may throw.
        @preconcurrency @inlinable
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws(Failure) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream.step(into: subscriber, as: "TryMap", isStrict: false) { [transform] value throws(Failure) in
                .send(try transform(value))
            }
        }
    }

    /// A `ThrowingMap` whose closure may throw any error.
    public typealias TryMap<Upstream: Publisher, Output> = ThrowingMap<Upstream, Output, any Error>
}

extension Publishers.Map: Sendable where Upstream: Sendable {}

extension Publishers.ThrowingMap: Sendable where Upstream: Sendable {}

extension Publishers.Map {
    /// Applies a second closure to each value, in the same operator.
    @preconcurrency @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.Map<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in transform(first($0)) }
    }
    /// Applies a second closure to each value, in the same operator. Fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryMap<T>(_ transform: @escaping @Sendable (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in try transform(first($0)) }
    }
}

extension Publishers.ThrowingMap {
    /// Applies a second closure to each value, in the same operator.
    @preconcurrency @inlinable public func map<T>(
        _ transform: @escaping @Sendable (Output) -> T
    ) -> Publishers.ThrowingMap<Upstream, T, Failure> {
        .init(upstream: upstream) { [first = self.transform] value throws(Failure) in transform(try first(value)) }
    }
    /// Applies a second closure to each value, in the same operator. Fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryMap<T>(_ transform: @escaping @Sendable (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in try transform(first($0)) }
    }
}

extension Publisher {
    // Disfavored, so that the compiler need not also try it where the fused form of ``Publishers/Map`` applies: with two forms in each
    // step, it would try every combination.

    /// Transforms each value: `(1...3).publisher.map { $0 * $0 }` sends 1, 4, 9.
    @preconcurrency @_disfavoredOverload @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    /// Sends the given value in place of each value.
    @inlinable @inline(__always) public func mapTo<T>(_ value: T) -> Publishers.Map<Self, T> {
        let value = UncheckedTransfer(value)
        return map { _ in value.value }
    }

    /// Sends the given value in place of each nil.
    @inlinable @inline(__always) public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
        let output = UncheckedTransfer(output)
        return map { $0 ?? output.value }
    }
    /// Like `map(_:)`, but fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryMap<T>(_ transform: @escaping @Sendable (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        .init(upstream: self, transform: transform)
    }

    /// Like `map(_:)`, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryMap<T, E>(
        _ transform: @escaping @Sendable (Output) throws(E) -> T
    ) -> Publishers.ThrowingMap<Self, T, E> where Failure == Never { .init(upstream: self, transform: transform) }

    /// Like `map(_:)`, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryMap<T>(
        _ transform: @escaping @Sendable (Output) throws(Failure) -> T
    ) -> Publishers.ThrowingMap<Self, T, Failure> { .init(upstream: self, transform: transform) }
}

@usableFromInline struct MapSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Input) -> Downstream.Input

    @inlinable @inline(__always) init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
}
