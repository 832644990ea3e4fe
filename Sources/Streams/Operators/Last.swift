extension Publishers {
    /// A publisher of the last value only.
    public struct Last<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher of the last value only.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.reduce(into: subscriber, as: "Last", nil) { last, value in
                last = value
                return true
            }
        }
    }

    /// A publisher of the last value that satisfies a predicate, which may throw.
    public struct ThrowingLastWhere<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// Where the values come from; whether a value may be the one.
        public let upstream: Upstream, predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// A publisher of the last value that satisfies a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "LastWhere" : "TryLastWhere"
            upstream.reduce(into: subscriber, as: name, nil) { [predicate] last, value throws(Thrown) in
                if try predicate(value) { last = value }
                return true
            }
        }
    }

    /// For a predicate that does not throw.
    public typealias LastWhere<Upstream: Publisher> = ThrowingLastWhere<Upstream, Never, Upstream.Failure>
    /// For a predicate that may throw anything.
    public typealias TryLastWhere<Upstream: Publisher> = ThrowingLastWhere<Upstream, any Error, any Error>
}

extension Publishers.Last: Sendable where Upstream: Sendable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publishers.ThrowingLastWhere: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the last value when the upstream finishes; finishes without it if there is none.
    @inlinable public func last() -> Publishers.Last<Self> { .init(upstream: self) }
    /// Sends the last value that satisfies a predicate when the upstream finishes.
    @preconcurrency @inlinable
    public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.LastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Like ``last(where:)``, but fails with what the closure throws.
    @preconcurrency @inlinable
    public func tryLast(where predicate: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``last(where:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryLast<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingLastWhere<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``last(where:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryLast(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingLastWhere<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
