extension Publishers {
    /// A publisher that sends only the last value.
    public typealias Last<Upstream: Publisher> = LastWhere<Upstream>

    /// A publisher that sends the last value that satisfies a predicate.
    public typealias LastWhere<Upstream: Publisher> = Reducing<Upstream, Upstream.Output, Never, Upstream.Failure>

    /// A publisher that sends the last value that satisfies a predicate, which may throw any error.
    public typealias TryLastWhere<Upstream: Publisher> = Reducing<Upstream, Upstream.Output, any Error, any Error>
}

extension Publishers.Reducing where Output == Upstream.Output {
    /// Creates the publisher of `last`.
    @inlinable init(
        lastOf upstream: Upstream, named name: StaticString = Thrown.self == Never.self ? "LastWhere" : "TryLastWhere",
        where predicate: @escaping @Sendable (Output) throws(Thrown) -> Bool
    ) {
        self.init(upstream, named: name, nil) { (last: inout Output?, value: Output) throws(Thrown) in
            if try predicate(value) { last = value }
            return true
        }
    }
}

extension Publisher {
    /// Sends the last value when the upstream finishes. Finishes without a value if there is none.
    @inlinable public func last() -> Publishers.Last<Self> { .init(lastOf: self, named: "Last") { _ in true } }

    /// Sends the last value that satisfies a predicate when the upstream finishes.
    @preconcurrency @inlinable
    public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.LastWhere<Self> {
        .init(lastOf: self, where: predicate)
    }

    /// Like ``last(where:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryLast(where predicate: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
        .init(lastOf: self, where: predicate)
    }

    /// Like ``last(where:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryLast<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.Reducing<Self, Output, E, E> where Failure == Never { .init(lastOf: self, where: predicate) }

    /// Like ``last(where:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryLast(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.Reducing<Self, Output, Failure, Failure> { .init(lastOf: self, where: predicate) }
}
