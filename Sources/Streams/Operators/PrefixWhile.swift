extension Publishers {
    /// A publisher that sends values until one does not satisfy a predicate, which may throw.
    public struct ThrowingPrefixWhile<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that values are tested with.
        public let predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// Creates a publisher that sends values until one does not satisfy a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "PrefixWhile" : "TryPrefixWhile"
            upstream.step(into: subscriber, as: name) { [predicate] value throws(Thrown) in
                try predicate(value) ? .send(value) : .finish
            }
        }
    }

    /// A `ThrowingPrefixWhile` whose predicate does not throw.
    public typealias PrefixWhile<Upstream: Publisher> = ThrowingPrefixWhile<Upstream, Never, Upstream.Failure>
    /// A `ThrowingPrefixWhile` whose predicate may throw any error.
    public typealias TryPrefixWhile<Upstream: Publisher> = ThrowingPrefixWhile<Upstream, any Error, any Error>
}

extension Publishers.ThrowingPrefixWhile: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends values until one does not satisfy a predicate, then cancels the upstream and finishes:
    /// `[1, 2, 3, 1].publisher.prefix { $0 < 3 }` sends 1, 2.
    @preconcurrency @inlinable
    public func prefix(while predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``prefix(while:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryPrefixWhile<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``prefix(while:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryPrefix<E>(
        while predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingPrefixWhile<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``prefix(while:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingPrefixWhile<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
