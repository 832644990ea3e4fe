extension Publishers {
    /// A publisher that combines all values into one result. The closure that does so may throw.
    public struct ThrowingReduce<Upstream: Publisher, Output, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The result before the first value; sent if there is none.
        public let initial: Output
        /// The closure that combines the result so far with the next value.
        public let nextPartialResult: @Sendable (Output, Upstream.Output) throws(Thrown) -> Output

        /// Creates a publisher that combines all values into one result.
        @preconcurrency @inlinable public init(
            upstream: Upstream, initial: Output,
            nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws(Thrown) -> Output
        ) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "Reduce" : "TryReduce"
            upstream.reduce(into: subscriber, as: name, initial) { [nextPartialResult] result, value throws(Thrown) in
                if let before = result { result = try nextPartialResult(before, value) }
                return true
            }
        }
    }

    /// A `ThrowingReduce` whose closure does not throw.
    public typealias Reduce<Upstream: Publisher, Output> = ThrowingReduce<Upstream, Output, Never, Upstream.Failure>
    /// A `ThrowingReduce` whose closure may throw any error.
    public typealias TryReduce<Upstream: Publisher, Output> = ThrowingReduce<Upstream, Output, any Error, any Error>
}

extension Publishers.ThrowingReduce: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publisher {
    /// Combines all values, and sends the result when the upstream finishes: `(1...4).publisher.reduce(0, +)` sends 10.
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: Combines the result so far with the next value.
    @preconcurrency @inlinable public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> { .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult) }

    /// Like ``reduce(_:_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Publishers.TryReduce<Self, T> { .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult) }

    /// Like ``reduce(_:_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryReduce<T, E>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(E) -> T
    ) -> Publishers.ThrowingReduce<Self, T, E, E> where Failure == Never {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }

    /// Like ``reduce(_:_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(Failure) -> T
    ) -> Publishers.ThrowingReduce<Self, T, Failure, Failure> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}
