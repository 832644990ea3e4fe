extension Publishers {
    /// A publisher that combines each value with the result so far, and sends every result.
    public struct Scan<Upstream: Publisher, Output>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The result before the first value; not sent itself.
        public let initialResult: Output
        /// The closure that combines the result so far with the next value.
        public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

        /// Creates a publisher that combines each value with the result so far, and sends every result.
        @preconcurrency @inlinable @inline(__always) public init(
            upstream: Upstream, initialResult: Output, nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream._receive(
                trusting: ScanSubscriber(
                    downstream: subscriber, result: initialResult, nextPartialResult: nextPartialResult), named: "Scan")
        }
    }

    /// A publisher that combines each value with the result so far, and sends every result. The closure may throw.
    public struct ThrowingScan<Upstream: Publisher, Output, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The result before the first value; not sent itself.
        public let initialResult: Output
        /// The closure that combines the result so far with the next value.
        public let nextPartialResult: @Sendable (Output, Upstream.Output) throws(Failure) -> Output

        /// Creates a publisher that combines each value with the result so far, and sends every result. The closure may throw.
        @preconcurrency @inlinable public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws(Failure) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            let result = OperatorState(initialResult)
            upstream.step(into: subscriber, as: "TryScan", isStrict: false) {
                [nextPartialResult] value throws(Failure) in
                result.value = try nextPartialResult(result.value, value)
                return .send(result.value)
            }
        }
    }

    /// A `ThrowingScan` whose closure may throw any error.
    public typealias TryScan<Upstream: Publisher, Output> = ThrowingScan<Upstream, Output, any Error>
}

extension Publishers.Scan: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publishers.ThrowingScan: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publisher {
    /// Combines each value with the result so far, and sends every result: `(1...4).publisher.scan(0, +)` sends 1, 3, 6, 10.
    /// - Parameters:
    ///   - initialResult: The result before the first value; not sent.
    ///   - nextPartialResult: Combines the result so far with the next value.
    @preconcurrency @inlinable @inline(__always) public func scan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Scan<Self, T> {
        Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }

    /// Like ``scan(_:_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Publishers.TryScan<Self, T> { .init(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult) }

    /// Like ``scan(_:_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryScan<T, E>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(E) -> T
    ) -> Publishers.ThrowingScan<Self, T, E> where Failure == Never {
        .init(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }

    /// Like ``scan(_:_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(Failure) -> T
    ) -> Publishers.ThrowingScan<Self, T, Failure> {
        .init(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}

@usableFromInline struct ScanSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let result: OperatorState<Downstream.Input>
    @usableFromInline let nextPartialResult: @Sendable (Downstream.Input, Input) -> Downstream.Input

    @inlinable @inline(__always) init(
        downstream: Downstream, result: Downstream.Input,
        nextPartialResult: @escaping @Sendable (Downstream.Input, Input) -> Downstream.Input
    ) {
        self.downstream = downstream
        self.result = OperatorState(result)
        self.nextPartialResult = nextPartialResult
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        let next = nextPartialResult(result.value, input)
        result.value = next
        return downstream.receive(next)
    }
}
