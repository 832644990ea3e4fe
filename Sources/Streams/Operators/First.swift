extension Publishers {
    /// A publisher of the first value only.
    public struct First<Upstream: Publisher>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher of the first value only.
        @inlinable
        public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            let first = firstSubscriber(subscriber, failingAs: Failure.self, named: "First") { _ in true }
            upstream.subscribe(first)
        }
    }

    /// A publisher of the first value that satisfies a predicate, which may throw.
    public struct ThrowingFirstWhere<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// Whether a value is the one.
        public let predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool

        @inlinable
        init(from upstream: Upstream, _ predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.subscribe(
                firstSubscriber(
                    subscriber, failingAs: Upstream.Failure.self,
                    named: Thrown.self == Never.self ? "FirstWhere" : "TryFirstWhere", where: predicate))
        }
    }

    /// A publisher of the first value that satisfies a predicate.
    public typealias FirstWhere<Upstream: Publisher> = ThrowingFirstWhere<Upstream, Never, Upstream.Failure>

    /// A publisher of the first value that satisfies a predicate that may throw.
    public typealias TryFirstWhere<Upstream: Publisher> = ThrowingFirstWhere<Upstream, any Error, any Error>
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.ThrowingFirstWhere: Sendable where Upstream: Sendable {}

extension Publishers.ThrowingFirstWhere where Thrown == Never, Failure == Upstream.Failure {
    /// A publisher of the first value that satisfies a predicate.
    @preconcurrency @inlinable
    public init(upstream: Upstream, predicate: @escaping @Sendable (Output) -> Bool) {
        self.init(from: upstream, predicate)
    }
}

extension Publishers.ThrowingFirstWhere where Thrown == any Error, Failure == any Error {
    /// A publisher of the first value that satisfies a predicate that may throw.
    @preconcurrency @inlinable
    public init(upstream: Upstream, predicate: @escaping @Sendable (Output) throws -> Bool) {
        self.init(from: upstream, predicate)
    }
}

extension Publisher {
    /// Sends the first value, then cancels the upstream and finishes; finishes without it if there is none.
    @inlinable
    public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

    /// Sends the first value that satisfies a predicate, then cancels the upstream and finishes.
    ///
    /// ```swift
    /// (1...).publisher.first { $0.isMultiple(of: 7) }  // 7
    /// ```
    @preconcurrency @inlinable
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }

    /// Like ``first(where:)``, but fails with what the predicate throws.
    @preconcurrency @inlinable
    public func tryFirst(where predicate: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
        Publishers.TryFirstWhere(upstream: self, predicate: predicate)
    }

    /// Like ``first(where:)``, but fails with what the predicate throws, and with nothing else.
    @preconcurrency @inlinable
    public func tryFirst<E>(
        where predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingFirstWhere<Self, E, E> where Failure == Never { .init(from: self, predicate) }

    /// Like ``first(where:)``, but fails with what the predicate throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload
    public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingFirstWhere<Self, Failure, Failure> { .init(from: self, predicate) }
}

@inlinable @inline(__always)
func firstSubscriber<Downstream: Subscriber, Failure: Error, Thrown: Error>(
    _ downstream: Downstream, failingAs: Failure.Type, named name: StaticString,
    where predicate: @escaping (Downstream.Input) throws(Thrown) -> Bool
) -> ReducingSubscriber<Downstream.Input, Failure, Thrown, Downstream.Input?, Downstream> {
    ReducingSubscriber(downstream, named: name, nil) { (found, value) throws(Thrown) in
        if try predicate(value) { found = value }
        return found == nil
    } final: { $0 }
}
