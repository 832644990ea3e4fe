extension Publishers {
    /// A publisher that transforms each value of its upstream.
    public struct Map<Upstream: Publisher, Output>: Operator, Attaching {
        /// Where the values come from; what is done to each.
        public let upstream: Upstream, transform: @Sendable (Upstream.Output) -> Output
        /// A publisher of transformed values.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream._receive(trusting: MapSubscriber(downstream: subscriber, transform: transform), named: "Map")
        }

        /// Hands over what becomes of the upstream's values, if those lie ready.
        @inlinable @inline(__always) public func _sendReady(to take: (Output?) -> Bool) -> _ReadyValues<Output, Failure> {
            upstream._sendReady { take($0.map(transform)) }.through { $0.map(transform) }
        }
    }

    /// A publisher that transforms each value by a closure that may throw.
    public struct ThrowingMap<Upstream: Publisher, Output, Failure: Error>: Operator, Attaching {
        /// Where the values come from; what is done to each.
        public let upstream: Upstream, transform: @Sendable (Upstream.Output) throws(Failure) -> Output
        /// A publisher that transforms each value by a closure that may throw.
        @preconcurrency @inlinable
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws(Failure) -> Output) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream.step(into: subscriber, as: "TryMap", isStrict: false) { [transform] value throws(Failure) in
                .send(try transform(value))
            }
        }
    }

    /// For a closure that may throw anything.
    public typealias TryMap<Upstream: Publisher, Output> = ThrowingMap<Upstream, Output, any Error>
}

extension Publishers.Map: Sendable where Upstream: Sendable {}

extension Publishers.ThrowingMap: Sendable where Upstream: Sendable {}

extension Publishers.Map {
    /// Transforms each value once more, as one step.
    @preconcurrency @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.Map<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in transform(first($0)) }
    }
    /// Transforms each value once more, as one step that fails with what the closure throws.
    @preconcurrency @inlinable
    public func tryMap<T>(_ transform: @escaping @Sendable (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in try transform(first($0)) }
    }
}

extension Publishers.ThrowingMap {
    /// Transforms each value once more, as one step.
    @preconcurrency @inlinable public func map<T>(
        _ transform: @escaping @Sendable (Output) -> T
    ) -> Publishers.ThrowingMap<Upstream, T, Failure> {
        .init(upstream: upstream) { [first = self.transform] value throws(Failure) in transform(try first(value)) }
    }
    /// Transforms each value once more, as one step that fails with what the closure throws.
    @preconcurrency @inlinable
    public func tryMap<T>(_ transform: @escaping @Sendable (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        .init(upstream: upstream) { [first = self.transform] in try transform(first($0)) }
    }
}

extension Publisher {
    /// Transforms each value: `(1...3).publisher.map { $0 * $0 }` sends 1, 4, 9.
    @preconcurrency @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    /// Sends the same value in place of each.
    @inlinable @inline(__always) public func mapTo<T>(_ value: T) -> Publishers.Map<Self, T> {
        let value = UncheckedTransfer(value)
        return map { _ in value.value }
    }

    /// Sends a value in place of each nil.
    @inlinable @inline(__always) public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
        let output = UncheckedTransfer(output)
        return map { $0 ?? output.value }
    }
    /// Like `map(_:)`, but fails with what the closure throws.
    @preconcurrency @inlinable
    public func tryMap<T>(_ transform: @escaping @Sendable (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        .init(upstream: self, transform: transform)
    }

    /// Like `map(_:)`, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryMap<T, E>(
        _ transform: @escaping @Sendable (Output) throws(E) -> T
    ) -> Publishers.ThrowingMap<Self, T, E> where Failure == Never { .init(upstream: self, transform: transform) }

    /// Like `map(_:)`, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryMap<T>(
        _ transform: @escaping @Sendable (Output) throws(Failure) -> T
    ) -> Publishers.ThrowingMap<Self, T, Failure> { .init(upstream: self, transform: transform) }
}

@usableFromInline struct MapSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream, transform: @Sendable (Input) -> Downstream.Input

    @inlinable @inline(__always) init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input) {
        (self.downstream, self.transform) = (downstream, transform)
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
}
