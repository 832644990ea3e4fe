extension Publishers {
    /// A publisher that sends the values that satisfy a predicate.
    public typealias Filter<Upstream: Publisher> = CompactMap<Upstream, Upstream.Output>

    /// A publisher that sends the values that satisfy a predicate, which may throw any error.
    public typealias TryFilter<Upstream: Publisher> = Stepping<Upstream, Upstream.Output, any Error, any Error>
}

extension Publishers.Stepping where Output == Upstream.Output {
    /// Creates the publisher of `tryFilter`.
    @inlinable init(filtering upstream: Upstream, _ isIncluded: @escaping @Sendable (Output) throws(Thrown) -> Bool) {
        self.init(upstream, named: "TryFilter") {
            { (value: Output) throws(Thrown) in try isIncluded(value) ? .send(value) : .skip }
        }
    }
}

extension Publisher {
    /// Sends the values that satisfy a predicate: `(1...6).publisher.filter { $0.isMultiple(of: 2) }` sends 2, 4, 6.
    @preconcurrency @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Publishers.Filter<Self> {
        compactMap { isIncluded($0) ? .some($0) : nil }
    }

    /// Like ``filter(_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryFilter(_ isIncluded: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        .init(filtering: self, isIncluded)
    }

    /// Like ``filter(_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryFilter<E>(
        _ isIncluded: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.Stepping<Self, Output, E, E> where Failure == Never { .init(filtering: self, isIncluded) }

    /// Like ``filter(_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryFilter(
        _ isIncluded: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.Stepping<Self, Output, Failure, Failure> { .init(filtering: self, isIncluded) }
}
