extension Publishers {
    /// A publisher that transforms each value and sends the results that are not nil.
    public struct CompactMap<Upstream: Publisher, Output>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let transform: @Sendable (Upstream.Output) -> Output?

        @inlinable @inline(__always) init(_ upstream: Upstream, _ transform: @escaping @Sendable (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream._receive(trusting: CompactMapSubscriber(subscriber, transform), named: "CompactMap")
        }
    }

    /// A publisher that transforms each value with a closure that may throw any error, and sends the results that are not nil.
    public typealias TryCompactMap<Upstream: Publisher, Output> = Stepping<Upstream, Output, any Error, any Error>
}

extension Publishers.CompactMap: Sendable where Upstream: Sendable {}

extension Publishers.Stepping {
    /// Creates the publisher of `tryCompactMap`.
    @inlinable
    init(compactMapping upstream: Upstream, _ transform: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Output?) {
        self.init(upstream, named: "TryCompactMap") {
            { (value: Upstream.Output) throws(Thrown) in try transform(value).map { .send($0) } ?? .skip }
        }
    }
}

extension Publisher {
    /// Transforms each value and sends results that are not nil: `["1", "x", "3"].publisher.compactMap { Int($0) }` sends 1, 3.
    @preconcurrency @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping @Sendable (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        .init(self, transform)
    }

    /// Like ``compactMap(_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryCompactMap<T>(
        _ transform: @escaping @Sendable (Output) throws -> T?
    ) -> Publishers.TryCompactMap<Self, T> { .init(compactMapping: self, transform) }

    /// Like ``compactMap(_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryCompactMap<T, E>(
        _ transform: @escaping @Sendable (Output) throws(E) -> T?
    ) -> Publishers.Stepping<Self, T, E, E> where Failure == Never { .init(compactMapping: self, transform) }

    /// Like ``compactMap(_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryCompactMap<T>(
        _ transform: @escaping @Sendable (Output) throws(Failure) -> T?
    ) -> Publishers.Stepping<Self, T, Failure, Failure> { .init(compactMapping: self, transform) }
}
