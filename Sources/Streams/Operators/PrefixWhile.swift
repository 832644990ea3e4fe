extension Publishers {
    /// A publisher of the first values as long as they satisfy a predicate, which may throw.
    public struct ThrowingPrefixWhile<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// Where the values come from; whether a value is still sent.
        public let upstream: Upstream, predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// A publisher of the first values as long as they satisfy a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "PrefixWhile" : "TryPrefixWhile"
            upstream.step(into: subscriber, as: name) { [predicate] value throws(Thrown) in
                try predicate(value) ? .send(value) : .finish
            }
        }
    }

    /// For a predicate that does not throw.
    public typealias PrefixWhile<Upstream: Publisher> = ThrowingPrefixWhile<Upstream, Never, Upstream.Failure>
    /// For a predicate that may throw anything.
    public typealias TryPrefixWhile<Upstream: Publisher> = ThrowingPrefixWhile<Upstream, any Error, any Error>
}

extension Publishers.ThrowingPrefixWhile: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the first values as long as they satisfy a predicate, then cancels the upstream and finishes:
    /// `[1, 2, 3, 1].publisher.prefix { $0 < 3 }` sends 1, 2.
    @preconcurrency @inlinable
    public func prefix(while predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``prefix(while:)``, but fails with what the closure throws.
    @preconcurrency @inlinable public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryPrefixWhile<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``prefix(while:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryPrefix<E>(
        while predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingPrefixWhile<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``prefix(while:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingPrefixWhile<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
