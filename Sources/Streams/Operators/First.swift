extension Publishers {
    /// A publisher of the first value only.
    public struct First<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher of the first value only.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.reduce(into: subscriber, as: "First", nil) { first, value in
                first = value
                return false
            }
        }
    }

    /// A publisher of the first value that satisfies a predicate, which may throw.
    public struct ThrowingFirstWhere<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// Where the values come from; whether a value is the one.
        public let upstream: Upstream, predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// A publisher of the first value that satisfies a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "TryFirst" : "TryFirstWhere"
            upstream.reduce(into: subscriber, as: name, nil) { [predicate] found, value throws(Thrown) in
                if try predicate(value) { found = value }
                return found == nil
            }
        }
    }

    /// For a predicate that does not throw.
    public typealias FirstWhere<Upstream: Publisher> = ThrowingFirstWhere<Upstream, Never, Upstream.Failure>
    /// For a predicate that may throw anything.
    public typealias TryFirstWhere<Upstream: Publisher> = ThrowingFirstWhere<Upstream, any Error, any Error>
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.ThrowingFirstWhere: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the first value, then finishes; finishes without it if there is none.
    ///
    /// The upstream is asked for everything and cancelled at the first value; the value waits until it is asked for.
    @inlinable public func first() -> Publishers.First<Self> { .init(upstream: self) }
    /// Sends the first value that satisfies a predicate, then finishes: `(1...).publisher.first { $0 > 7 }` sends 8. See ``first()``.
    @preconcurrency @inlinable
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``first(where:)``, but fails with what the closure throws.
    @preconcurrency @inlinable public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryFirstWhere<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``first(where:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryFirst<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingFirstWhere<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``first(where:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingFirstWhere<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
