extension Publishers {
    /// A publisher that combines all values into one result.
    public typealias Reduce<Upstream: Publisher, Output> = Reducing<Upstream, Output, Never, Upstream.Failure>

    /// A publisher that combines all values into one result, with a closure that may throw any error.
    public typealias TryReduce<Upstream: Publisher, Output> = Reducing<Upstream, Output, any Error, any Error>

    /// A publisher that sends the number of its upstream's values.
    public typealias Count<Upstream: Publisher> = Reduce<Upstream, Int>

    /// A publisher that sends only its upstream's completion.
    public typealias IgnoreOutput<Upstream: Publisher> = Reduce<Upstream, Never>
}

extension Publishers.Reducing {
    /// Creates the publisher of `reduce`.
    @inlinable init(
        combining upstream: Upstream, named name: StaticString = Thrown.self == Never.self ? "Reduce" : "TryReduce",
        _ initial: Output, _ nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws(Thrown) -> Output
    ) {
        self.init(upstream, named: name, initial) { (result: inout Output?, value: Upstream.Output) throws(Thrown) in
            if let before = result { result = try nextPartialResult(before, value) }
            return true
        }
    }
}

extension Publisher {
    /// Combines all values, and sends the result when the upstream finishes: `(1...4).publisher.reduce(0, +)` sends 10.
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: Combines the result so far with the next value.
    @preconcurrency @inlinable public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> { .init(combining: self, initialResult, nextPartialResult) }

    /// Like ``reduce(_:_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Publishers.TryReduce<Self, T> { .init(combining: self, initialResult, nextPartialResult) }

    /// Like ``reduce(_:_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryReduce<T, E>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(E) -> T
    ) -> Publishers.Reducing<Self, T, E, E> where Failure == Never {
        .init(combining: self, initialResult, nextPartialResult)
    }

    /// Like ``reduce(_:_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(Failure) -> T
    ) -> Publishers.Reducing<Self, T, Failure, Failure> { .init(combining: self, initialResult, nextPartialResult) }

    /// Sends the number of values when the upstream finishes.
    @inlinable public func count() -> Publishers.Count<Self> {
        .init(combining: self, named: "Count", 0) { count, _ in count + 1 }
    }

    /// Drops all values and sends only the completion. An unlimited number of values is requested from the upstream.
    @inlinable public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
        .init(self, named: "IgnoreOutput", nil) { _, _ in true }
    }
}
