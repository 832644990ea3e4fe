extension Publishers {
    /// A publisher that omits each value equal to the one before it.
    public struct RemoveDuplicates<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let predicate: @Sendable (Upstream.Output, Upstream.Output) -> Bool

        @inlinable @inline(__always)
        init(_ upstream: Upstream, _ predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let last = OperatorState<Output?>(nil)
            let comparing = CompactMapSubscriber(subscriber) { [predicate] (value: Output) -> Output? in
                let before = last.value
                last.value = value
                if let before, predicate(before, value) { return nil }
                return value
            }
            upstream._receive(trusting: comparing, named: "RemoveDuplicates", strict: true)
        }
    }

    /// A publisher that omits each value equal to the one before it, according to a predicate that may throw any error.
    public typealias TryRemoveDuplicates<Upstream: Publisher> = Stepping<Upstream, Upstream.Output, any Error, any Error>
}

extension Publishers.RemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publishers.Stepping where Output == Upstream.Output {
    /// Creates the publisher of `tryRemoveDuplicates`.
    @inlinable
    init(removingDuplicates upstream: Upstream, _ predicate: @escaping @Sendable (Output, Output) throws(Thrown) -> Bool) {
        self.init(upstream, named: "TryRemoveDuplicates") {
            let last = OperatorState<Output?>(nil)
            return { (value: Output) throws(Thrown) in
                let before = last.value
                last.value = value
                if let before, try predicate(before, value) { return .skip }
                return .send(value)
            }
        }
    }
}

extension Publisher {
    /// Omits each value equal to the one before it: `[1, 1, 2, 1].publisher.removeDuplicates()` sends 1, 2, 1.
    @inlinable @inline(__always) public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> where Output: Equatable {
        .init(self, sendable { $0 == $1 })
    }

    /// Omits each value equal to the one before it, according to a predicate.
    /// - Parameter predicate: Returns whether two values are equal. It is called with the upstream's previous value, whether that
    ///   was sent or not, and the new one.
    @preconcurrency @inlinable @inline(__always) public func removeDuplicates(
        by predicate: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> { .init(self, predicate) }

    /// Like ``removeDuplicates(by:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryRemoveDuplicates(
        by predicate: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryRemoveDuplicates<Self> { .init(removingDuplicates: self, predicate) }

    /// Like ``removeDuplicates(by:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryRemoveDuplicates<E>(
        by predicate: @escaping @Sendable (Output, Output) throws(E) -> Bool
    ) -> Publishers.Stepping<Self, Output, E, E> where Failure == Never { .init(removingDuplicates: self, predicate) }

    /// Like ``removeDuplicates(by:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryRemoveDuplicates(
        by predicate: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
    ) -> Publishers.Stepping<Self, Output, Failure, Failure> { .init(removingDuplicates: self, predicate) }
}
