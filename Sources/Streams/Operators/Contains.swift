extension Publishers {
    /// A publisher of whether a value was among the upstream's.
    public struct Contains<Upstream: Publisher>: Operator, Attaching where Upstream.Output: Equatable {
        /// Whether it was.
        public typealias Output = Bool
        /// Where the values come from; what is looked for.
        public let upstream: Upstream, output: Upstream.Output

        /// A publisher of whether a value was sent.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) { (self.upstream, self.output) = (upstream, output) }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Bool, Failure>) {
            upstream.reduce(into: subscriber, as: "Contains", false) { [output] isFound, value in
                isFound = value == output
                return isFound == false
            }
        }
    }

    /// A publisher of whether a value satisfied a predicate, which may throw.
    public struct ThrowingContainsWhere<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// Whether one did.
        public typealias Output = Bool
        /// Where the values come from; whether a value is of those looked for.
        public let upstream: Upstream, predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// A publisher of whether a value satisfied a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Bool, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "ContainsWhere" : "TryContainsWhere"
            upstream.reduce(into: subscriber, as: name, false) { [predicate] isFound, value throws(Thrown) in
                isFound = try predicate(value)
                return isFound == false
            }
        }
    }

    /// For a predicate that does not throw.
    public typealias ContainsWhere<Upstream: Publisher> = ThrowingContainsWhere<Upstream, Never, Upstream.Failure>
    /// For a predicate that may throw anything.
    public typealias TryContainsWhere<Upstream: Publisher> = ThrowingContainsWhere<Upstream, any Error, any Error>
}

extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publishers.ThrowingContainsWhere: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends true at the first value that equals the given one, false if the upstream finishes without; then finishes.
    @inlinable public func contains(_ output: Output) -> Publishers.Contains<Self> where Output: Equatable {
        .init(upstream: self, output: output)
    }
    /// Sends true at the first value that satisfies a predicate, false if the upstream finishes without; then finishes.
    @preconcurrency @inlinable
    public func contains(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``contains(where:)``, but fails with what the closure throws.
    @preconcurrency @inlinable public func tryContains(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryContainsWhere<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``contains(where:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryContains<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingContainsWhere<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``contains(where:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryContains(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingContainsWhere<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
