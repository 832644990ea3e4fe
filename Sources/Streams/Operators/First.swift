extension Publishers {
    /// A publisher that sends only the first value.
    public typealias First<Upstream: Publisher> = FirstWhere<Upstream>

    /// A publisher that sends the first value that satisfies a predicate.
    public typealias FirstWhere<Upstream: Publisher> = Reducing<Upstream, Upstream.Output, Never, Upstream.Failure>

    /// A publisher that sends the first value that satisfies a predicate, which may throw any error.
    public typealias TryFirstWhere<Upstream: Publisher> = Reducing<Upstream, Upstream.Output, any Error, any Error>
}

extension Publishers.Reducing where Output == Upstream.Output {
    /// Creates the publisher of `first`.
    @inlinable init(
        firstOf upstream: Upstream, named name: StaticString = Thrown.self == Never.self ? "TryFirst" : "TryFirstWhere",
        where predicate: @escaping @Sendable (Output) throws(Thrown) -> Bool
    ) {
        self.init(upstream, named: name, nil) { (first: inout Output?, value: Output) throws(Thrown) in
            if try predicate(value) { first = value }
            return first == nil
        }
    }
}

extension Publisher {
    /// Sends the first value, then finishes. Finishes without a value if the upstream does.
    ///
    /// An unlimited number of values is requested from the upstream, which is cancelled at the first. The value waits until it is
    /// requested.
    @inlinable public func first() -> Publishers.First<Self> { .init(firstOf: self, named: "First") { _ in true } }

    /// Sends the first value that satisfies a predicate, then finishes: `(1...).publisher.first { $0 > 7 }` sends 8. The
    /// upstream's demand and cancellation are those of ``first()``.
    @preconcurrency @inlinable
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        .init(firstOf: self, where: predicate)
    }

    /// Like ``first(where:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryFirstWhere<Self> { .init(firstOf: self, where: predicate) }

    /// Like ``first(where:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryFirst<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.Reducing<Self, Output, E, E> where Failure == Never { .init(firstOf: self, where: predicate) }

    /// Like ``first(where:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.Reducing<Self, Output, Failure, Failure> { .init(firstOf: self, where: predicate) }
}
