extension Publishers {
    /// A publisher that sends values until one does not satisfy a predicate.
    public typealias PrefixWhile<Upstream: Publisher> = Stepping<Upstream, Upstream.Output, Never, Upstream.Failure>

    /// A publisher that sends values until one does not satisfy a predicate, which may throw any error.
    public typealias TryPrefixWhile<Upstream: Publisher> = Stepping<Upstream, Upstream.Output, any Error, any Error>
}

extension Publishers.Stepping where Output == Upstream.Output {
    /// Creates the publisher of `prefix(while:)`.
    @inlinable init(prefixOf upstream: Upstream, _ predicate: @escaping @Sendable (Output) throws(Thrown) -> Bool) {
        self.init(upstream, named: Thrown.self == Never.self ? "PrefixWhile" : "TryPrefixWhile") {
            { (value: Output) throws(Thrown) in try predicate(value) ? .send(value) : .finish }
        }
    }
}

extension Publisher {
    /// Sends values until one does not satisfy a predicate, then cancels the upstream and finishes:
    /// `[1, 2, 3, 1].publisher.prefix { $0 < 3 }` sends 1, 2.
    @preconcurrency @inlinable
    public func prefix(while predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        .init(prefixOf: self, predicate)
    }

    /// Like ``prefix(while:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryPrefixWhile<Self> { .init(prefixOf: self, predicate) }

    /// Like ``prefix(while:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryPrefix<E>(
        while predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.Stepping<Self, Output, E, E> where Failure == Never { .init(prefixOf: self, predicate) }

    /// Like ``prefix(while:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.Stepping<Self, Output, Failure, Failure> { .init(prefixOf: self, predicate) }
}
