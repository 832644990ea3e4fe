extension Publishers {
    /// A publisher of whether all values satisfied a predicate, which may throw.
    public struct ThrowingAllSatisfy<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// Whether they did.
        public typealias Output = Bool
        /// Where the values come from; what each must satisfy.
        public let upstream: Upstream, predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// A publisher of whether all values satisfied a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Bool, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "AllSatisfy" : "TryAllSatisfy"
            upstream.reduce(into: subscriber, as: name, true) { [predicate] areAll, value throws(Thrown) in
                areAll = try predicate(value)
                return areAll == true
            }
        }
    }

    /// For a predicate that does not throw.
    public typealias AllSatisfy<Upstream: Publisher> = ThrowingAllSatisfy<Upstream, Never, Upstream.Failure>
    /// For a predicate that may throw anything.
    public typealias TryAllSatisfy<Upstream: Publisher> = ThrowingAllSatisfy<Upstream, any Error, any Error>
}

extension Publishers.ThrowingAllSatisfy: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends false at the first value that does not satisfy a predicate, true if the upstream finishes without; then finishes.
    @preconcurrency @inlinable
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``allSatisfy(_:)``, but fails with what the closure throws.
    @preconcurrency @inlinable public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryAllSatisfy<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``allSatisfy(_:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryAllSatisfy<E>(
        _ predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingAllSatisfy<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``allSatisfy(_:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingAllSatisfy<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}
