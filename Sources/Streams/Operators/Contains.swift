extension Publishers {
    /// A publisher that sends whether the upstream sends a certain value.
    public typealias Contains<Upstream: Publisher> = ContainsWhere<Upstream> where Upstream.Output: Equatable

    /// A publisher that sends whether any value satisfies a predicate.
    public typealias ContainsWhere<Upstream: Publisher> = Reducing<Upstream, Bool, Never, Upstream.Failure>

    /// A publisher that sends whether any value satisfies a predicate, which may throw any error.
    public typealias TryContainsWhere<Upstream: Publisher> = Reducing<Upstream, Bool, any Error, any Error>
}

extension Publishers.Reducing where Output == Bool {
    /// Creates the publisher of `contains`.
    @inlinable init(
        anyOf upstream: Upstream, named name: StaticString = Thrown.self == Never.self ? "ContainsWhere" : "TryContainsWhere",
        satisfies predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool
    ) {
        self.init(upstream, named: name, false) { (isFound: inout Bool?, value: Upstream.Output) throws(Thrown) in
            isFound = try predicate(value)
            return isFound == false
        }
    }
}

extension Publisher {
    /// Sends whether this publisher sends a value equal to the given one, then finishes.
    ///
    /// Sends `true` and cancels the upstream at the first such value. Sends `false` if the upstream finishes without one.
    @inlinable public func contains(_ output: Output) -> Publishers.Contains<Self> where Output: Equatable {
        .init(anyOf: self, named: "Contains", satisfies: sendable { $0 == output })
    }

    /// Sends whether this publisher sends a value that satisfies a predicate, then finishes.
    ///
    /// Sends `true` and cancels the upstream at the first such value. Sends `false` if the upstream finishes without one.
    @preconcurrency @inlinable
    public func contains(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        .init(anyOf: self, satisfies: predicate)
    }

    /// Like ``contains(where:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryContains(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryContainsWhere<Self> { .init(anyOf: self, satisfies: predicate) }

    /// Like ``contains(where:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryContains<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.Reducing<Self, Bool, E, E> where Failure == Never { .init(anyOf: self, satisfies: predicate) }

    /// Like ``contains(where:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryContains(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.Reducing<Self, Bool, Failure, Failure> { .init(anyOf: self, satisfies: predicate) }
}
