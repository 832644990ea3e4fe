extension Publishers {
    /// A publisher of the result of combining all values by a closure, which may throw.
    public struct ThrowingReduce<Upstream: Publisher, Output, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// Where the values come from; the result if there is no value.
        public let upstream: Upstream, initial: Output
        /// What combines the result so far with the next value.
        public let nextPartialResult: @Sendable (Output, Upstream.Output) throws(Thrown) -> Output

        /// A publisher of the result of combining all values.
        @preconcurrency @inlinable public init(
            upstream: Upstream, initial: Output,
            nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws(Thrown) -> Output
        ) { (self.upstream, self.initial, self.nextPartialResult) = (upstream, initial, nextPartialResult) }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "Reduce" : "TryReduce"
            upstream.reduce(into: subscriber, as: name, initial) { [nextPartialResult] result, value throws(Thrown) in
                if let before = result { result = try nextPartialResult(before, value) }
                return true
            }
        }
    }

    /// For a closure that does not throw.
    public typealias Reduce<Upstream: Publisher, Output> = ThrowingReduce<Upstream, Output, Never, Upstream.Failure>
    /// For a closure that may throw anything.
    public typealias TryReduce<Upstream: Publisher, Output> = ThrowingReduce<Upstream, Output, any Error, any Error>
}

extension Publishers.ThrowingReduce: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publisher {
    /// Combines all values, and sends the result when the upstream finishes: `(1...4).publisher.reduce(0, +)` sends 10.
    @preconcurrency @inlinable public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> { .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult) }

    /// Like ``reduce(_:_:)``, but fails with what the closure throws.
    @preconcurrency @inlinable public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Publishers.TryReduce<Self, T> { .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult) }

    /// Like ``reduce(_:_:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryReduce<T, E>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(E) -> T
    ) -> Publishers.ThrowingReduce<Self, T, E, E> where Failure == Never {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }

    /// Like ``reduce(_:_:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(Failure) -> T
    ) -> Publishers.ThrowingReduce<Self, T, Failure, Failure> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}
