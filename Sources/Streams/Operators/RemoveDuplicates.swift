extension Publishers {
    /// A publisher that omits each value equal to the one before it.
    public struct RemoveDuplicates<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that returns whether a value equals the one before it.
        public let predicate: @Sendable (Upstream.Output, Upstream.Output) -> Bool
        /// Creates a publisher that omits each value equal to the one before it.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream._receive(
                trusting: RemoveDuplicatesSubscriber(downstream: subscriber, predicate: predicate),
                named: "RemoveDuplicates", strict: true)
        }
    }

    /// A publisher that omits each value equal to the one before it, according to a predicate that may throw.
    public struct ThrowingRemoveDuplicates<Upstream: Publisher, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that returns whether a value equals the one before it.
        public let predicate: @Sendable (Upstream.Output, Upstream.Output) throws(Failure) -> Bool

        /// Creates a publisher that omits each value equal to the one before it, according to a predicate that may throw.
        @preconcurrency @inlinable public init(
            upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) throws(Failure) -> Bool
        ) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let last = OperatorState<Upstream.Output?>(nil)
            upstream.step(into: subscriber, as: "TryRemoveDuplicates") { [predicate] value throws(Failure) in
                let before = last.value
                last.value = value
                return try before.map { before throws(Failure) in try predicate(before, value) } == true
                    ? .skip : .send(value)
            }
        }
    }

    /// A `ThrowingRemoveDuplicates` whose predicate may throw any error.
    public typealias TryRemoveDuplicates<Upstream: Publisher> = ThrowingRemoveDuplicates<Upstream, any Error>
}

extension Publishers.RemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publishers.ThrowingRemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Omits each value equal to the one before it: `[1, 1, 2, 1].publisher.removeDuplicates()` sends 1, 2, 1.
    @inlinable @inline(__always) public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> where Output: Equatable {
        Publishers.RemoveDuplicates(upstream: self, predicate: uncheckedSendable { $0 == $1 })
    }

    /// Omits each value equal to the one before it, according to a predicate.
    /// - Parameter predicate: Returns whether two values are equal. It is called with the upstream's previous value, whether that
    ///   was sent or not, and the new one.
    @preconcurrency @inlinable @inline(__always) public func removeDuplicates(
        by predicate: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> { Publishers.RemoveDuplicates(upstream: self, predicate: predicate) }

    /// Like ``removeDuplicates(by:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryRemoveDuplicates(
        by predicate: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryRemoveDuplicates<Self> { .init(upstream: self, predicate: predicate) }

    /// Like ``removeDuplicates(by:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryRemoveDuplicates<E>(
        by predicate: @escaping @Sendable (Output, Output) throws(E) -> Bool
    ) -> Publishers.ThrowingRemoveDuplicates<Self, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``removeDuplicates(by:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryRemoveDuplicates(
        by predicate: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingRemoveDuplicates<Self, Failure> { .init(upstream: self, predicate: predicate) }
}

@usableFromInline struct RemoveDuplicatesSubscriber<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let predicate: @Sendable (Downstream.Input, Downstream.Input) -> Bool
    @usableFromInline let last = OperatorState<Downstream.Input?>(nil)
    @inlinable @inline(__always)
    init(downstream: Downstream, predicate: @escaping @Sendable (Downstream.Input, Downstream.Input) -> Bool) {
        self.downstream = downstream
        self.predicate = predicate
    }

    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        let before = last.value
        last.value = input
        if let before, predicate(before, input) { return .max(1) }
        return downstream.receive(input)
    }
}

/// Returns a comparison such as `==` as a `@Sendable` closure. It captures only its type; the compiler cannot prove here that the
/// type's conformance is not isolated to an actor.
@inlinable @inline(__always)
func uncheckedSendable<Value>(_ areEqual: @escaping (Value, Value) -> Bool) -> @Sendable (Value, Value) -> Bool {
    let areEqual = UncheckedTransfer(areEqual)
    return { areEqual.value($0, $1) }
}
