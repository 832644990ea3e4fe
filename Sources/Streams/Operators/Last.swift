extension Publishers {
    /// A publisher that sends only the last value.
    public struct Last<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that sends only the last value.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.reduce(into: subscriber, as: "Last", nil) { last, value in
                last = value
                return true
            }
        }
    }

    /// A publisher that sends the last value that satisfies a predicate, which may throw.
    public struct ThrowingLastWhere<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that values are tested with.
        public let predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// Creates a publisher that sends the last value that satisfies a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "LastWhere" : "TryLastWhere"
            upstream.reduce(into: subscriber, as: name, nil) { [predicate] last, value throws(Thrown) in
                if try predicate(value) { last = value }
                return true
            }
        }
    }

    /// A `ThrowingLastWhere` whose predicate does not throw.
    public typealias LastWhere<Upstream: Publisher> = ThrowingLastWhere<Upstream, Never, Upstream.Failure>
    /// A `ThrowingLastWhere` whose predicate may throw any error.
    public typealias TryLastWhere<Upstream: Publisher> = ThrowingLastWhere<Upstream, any Error, any Error>
}

extension Publishers.Last: Sendable where Upstream: Sendable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publishers.ThrowingLastWhere: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the last value when the upstream finishes. Finishes without a value if there is none.
    @inlinable public func last() -> Publishers.Last<Self> { .init(upstream: self) }
    /// Sends the last value that satisfies a predicate when the upstream finishes.
    @preconcurrency @inlinable
    public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.LastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Like ``last(where:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryLast(where predicate: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``last(where:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryLast<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingLastWhere<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``last(where:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryLast(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingLastWhere<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
