extension Publishers {
    /// A publisher that sends whether all values satisfy a predicate, which may throw.
    public struct ThrowingAllSatisfy<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// True if all values satisfied the predicate.
        public typealias Output = Bool
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that values are tested with.
        public let predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// Creates a publisher that sends whether all values satisfy a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Bool, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "AllSatisfy" : "TryAllSatisfy"
            upstream.reduce(into: subscriber, as: name, true) { [predicate] areAll, value throws(Thrown) in
                areAll = try predicate(value)
                return areAll == true
            }
        }
    }

    /// A `ThrowingAllSatisfy` whose predicate does not throw.
    public typealias AllSatisfy<Upstream: Publisher> = ThrowingAllSatisfy<Upstream, Never, Upstream.Failure>
    /// A `ThrowingAllSatisfy` whose predicate may throw any error.
    public typealias TryAllSatisfy<Upstream: Publisher> = ThrowingAllSatisfy<Upstream, any Error, any Error>
}

extension Publishers.ThrowingAllSatisfy: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends whether all values satisfy a predicate, then finishes.
    ///
    /// Sends `false` and cancels the upstream at the first value that does not satisfy the predicate. Sends `true` if the
    /// upstream finishes before that.
    @preconcurrency @inlinable
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``allSatisfy(_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryAllSatisfy<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``allSatisfy(_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryAllSatisfy<E>(
        _ predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingAllSatisfy<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``allSatisfy(_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingAllSatisfy<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
