extension Publishers {
    /// A publisher that combines each value with the result so far, and sends every result.
    public struct Scan<Upstream: Publisher, Output>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The result before the first value; not sent itself.
        @usableFromInline let initialResult: Output
        @usableFromInline let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

        @inlinable @inline(__always) init(
            _ upstream: Upstream, _ initialResult: Output,
            _ nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Output, Failure>) {
            let result = OperatorState(initialResult)
            let scanning = CompactMapSubscriber(subscriber) { [nextPartialResult] (value: Upstream.Output) in
                let next = nextPartialResult(result.value, value)
                result.value = next
                return next
            }
            upstream._receive(trusting: scanning, named: "Scan")
        }
    }

    /// A publisher that combines each value with the result so far, and sends every result. The closure may throw any error.
    public typealias TryScan<Upstream: Publisher, Output> = Stepping<Upstream, Output, any Error, any Error>
}

extension Publishers.Scan: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publishers.Stepping {
    /// Creates the publisher of `tryScan`.
    @inlinable init(
        scanning upstream: Upstream, _ initialResult: Output,
        _ nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws(Thrown) -> Output
    ) {
        let initialResult = UncheckedTransfer(initialResult)
        self.init(upstream, named: "TryScan", isStrict: false) {
            let result = OperatorState(initialResult.value)
            return { (value: Upstream.Output) throws(Thrown) in
                result.value = try nextPartialResult(result.value, value)
                return .send(result.value)
            }
        }
    }
}

extension Publisher {
    /// Combines each value with the result so far, and sends every result: `(1...4).publisher.scan(0, +)` sends 1, 3, 6, 10.
    /// - Parameters:
    ///   - initialResult: The result before the first value; not sent.
    ///   - nextPartialResult: Combines the result so far with the next value.
    @preconcurrency @inlinable @inline(__always) public func scan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Scan<Self, T> { .init(self, initialResult, nextPartialResult) }

    /// Like ``scan(_:_:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Publishers.TryScan<Self, T> { .init(scanning: self, initialResult, nextPartialResult) }

    /// Like ``scan(_:_:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryScan<T, E>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(E) -> T
    ) -> Publishers.Stepping<Self, T, E, E> where Failure == Never {
        .init(scanning: self, initialResult, nextPartialResult)
    }

    /// Like ``scan(_:_:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(Failure) -> T
    ) -> Publishers.Stepping<Self, T, Failure, Failure> { .init(scanning: self, initialResult, nextPartialResult) }
}
