extension Publishers {
    /// A publisher that sends whether the upstream sends a certain value.
    public struct Contains<Upstream: Publisher>: Operator, Attaching where Upstream.Output: Equatable {
        /// True if the value was sent.
        public typealias Output = Bool
        /// The upstream publisher.
        public let upstream: Upstream
        /// The value to look for.
        public let output: Upstream.Output

        /// Creates a publisher that sends whether the upstream sends a certain value.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Bool, Failure>) {
            upstream.reduce(into: subscriber, as: "Contains", false) { [output] isFound, value in
                isFound = value == output
                return isFound == false
            }
        }
    }

    /// A publisher that sends whether any value satisfies a predicate, which may throw.
    public struct ThrowingContainsWhere<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// True if a value satisfied the predicate.
        public typealias Output = Bool
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that values are tested with.
        public let predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// Creates a publisher that sends whether any value satisfies a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Bool, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "ContainsWhere" : "TryContainsWhere"
            upstream.reduce(into: subscriber, as: name, false) { [predicate] isFound, value throws(Thrown) in
                isFound = try predicate(value)
                return isFound == false
            }
        }
    }

    /// A `ThrowingContainsWhere` whose predicate does not throw.
    public typealias ContainsWhere<Upstream: Publisher> = ThrowingContainsWhere<Upstream, Never, Upstream.Failure>
    /// A `ThrowingContainsWhere` whose predicate may throw any error.
    public typealias TryContainsWhere<Upstream: Publisher> = ThrowingContainsWhere<Upstream, any Error, any Error>
}

extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publishers.ThrowingContainsWhere: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends whether this publisher sends a value equal to the given one, then finishes.
    ///
    /// Sends `true` and cancels the upstream at the first such value. Sends `false` if the upstream finishes without one.
    @inlinable public func contains(_ output: Output) -> Publishers.Contains<Self> where Output: Equatable {
        .init(upstream: self, output: output)
    }
    /// Sends whether this publisher sends a value that satisfies a predicate, then finishes.
    ///
    /// Sends `true` and cancels the upstream at the first such value. Sends `false` if the upstream finishes without one.
    @preconcurrency @inlinable
    public func contains(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``contains(where:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryContains(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryContainsWhere<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``contains(where:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryContains<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingContainsWhere<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``contains(where:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryContains(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingContainsWhere<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
