extension Publishers {
    /// A publisher that sends only the first value.
    public struct First<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that sends only the first value.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.reduce(into: subscriber, as: "First", nil) { first, value in
                first = value
                return false
            }
        }
    }

    /// A publisher that sends the first value that satisfies a predicate, which may throw.
    public struct ThrowingFirstWhere<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that values are tested with.
        public let predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// Creates a publisher that sends the first value that satisfies a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "TryFirst" : "TryFirstWhere"
            upstream.reduce(into: subscriber, as: name, nil) { [predicate] found, value throws(Thrown) in
                if try predicate(value) { found = value }
                return found == nil
            }
        }
    }

    /// A `ThrowingFirstWhere` whose predicate does not throw.
    public typealias FirstWhere<Upstream: Publisher> = ThrowingFirstWhere<Upstream, Never, Upstream.Failure>
    /// A `ThrowingFirstWhere` whose predicate may throw any error.
    public typealias TryFirstWhere<Upstream: Publisher> = ThrowingFirstWhere<Upstream, any Error, any Error>
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.ThrowingFirstWhere: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the first value, then finishes. Finishes without a value if the upstream does.
    ///
    /// An unlimited number of values is requested from the upstream, which is cancelled at the first. The value waits until it is
    /// requested.
    @inlinable public func first() -> Publishers.First<Self> { .init(upstream: self) }
    /// Sends the first value that satisfies a predicate, then finishes: `(1...).publisher.first { $0 > 7 }` sends 8. The
    /// upstream's demand and cancellation are those of ``first()``.
    @preconcurrency @inlinable
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``first(where:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryFirstWhere<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``first(where:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryFirst<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingFirstWhere<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``first(where:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingFirstWhere<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
