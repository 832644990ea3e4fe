extension Publishers {
    /// A publisher that sends whether all values satisfy a predicate.
    public typealias AllSatisfy<Upstream: Publisher> = Reducing<Upstream, Bool, Never, Upstream.Failure>

    /// A publisher that sends whether all values satisfy a predicate, which may throw any error.
    public typealias TryAllSatisfy<Upstream: Publisher> = Reducing<Upstream, Bool, any Error, any Error>
}

extension Publishers.Reducing where Output == Bool {
    /// Creates the publisher of `allSatisfy`.
    @inlinable init(allOf upstream: Upstream, satisfy predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
        self.init(upstream, named: Thrown.self == Never.self ? "AllSatisfy" : "TryAllSatisfy", true) {
            (areAll: inout Bool?, value: Upstream.Output) throws(Thrown) in
            areAll = try predicate(value)
            return areAll == true
        }
    }
}

extension Publisher {
    /// Sends whether all values satisfy a predicate, then finishes.
    ///
    /// Sends `false` and cancels the upstream at the first value that does not satisfy the predicate. Sends `true` if the
    /// upstream finishes before that.
    @preconcurrency @inlinable
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        .init(allOf: self, satisfy: predicate)
    }

    /// Like ``allSatisfy(_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryAllSatisfy<Self> { .init(allOf: self, satisfy: predicate) }

    /// Like ``allSatisfy(_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryAllSatisfy<E>(
        _ predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.Reducing<Self, Bool, E, E> where Failure == Never { .init(allOf: self, satisfy: predicate) }

    /// Like ``allSatisfy(_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.Reducing<Self, Bool, Failure, Failure> { .init(allOf: self, satisfy: predicate) }
}
