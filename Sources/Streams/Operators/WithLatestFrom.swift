extension Publishers {
    /// A publisher that combines each value with the latest value of another publisher.
    public struct WithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Operator, Attaching
    where Upstream.Failure == Other.Failure {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose latest value is used.
        public let other: Other
        /// The closure that combines a value with the latest value of the other publisher.
        public let resultSelector: @Sendable (Upstream.Output, Other.Output) -> Output

        /// Creates a publisher that combines each value with the latest value of another publisher.
        @preconcurrency @inlinable public init(
            upstream: Upstream, other: Other, resultSelector: @escaping @Sendable (Upstream.Output, Other.Output) -> Output
        ) {
            self.upstream = upstream
            self.other = other
            self.resultSelector = resultSelector
        }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            let logic = GateLogic<Upstream.Output, Other.Output, S>(.accompanies) { [resultSelector] value, key in
                key.map { resultSelector(value, $0) }
            }
            FanIn(logic, subscriber, named: "WithLatestFrom", passesNothing: true)
                .run(upstream, other, asking: .unlimited) { $0 }
        }
    }
}

extension Publishers.WithLatestFrom: Sendable where Upstream: Sendable, Other: Sendable {}

extension Publisher {
    /// Sends, for each value, the latest value of another publisher. Values are dropped until the other has sent its first.
    /// Finishes when this publisher finishes; fails when either fails.
    ///
    /// `saveTaps.withLatestFrom(text)` sends the text to save at each tap.
    @inlinable public func withLatestFrom<P>(_ other: P) -> Publishers.WithLatestFrom<Self, P, P.Output> {
        .init(upstream: self, other: other) { $1 }
    }

    /// Like ``withLatestFrom(_:)``, but sends the result of applying a closure to the two values.
    @preconcurrency @inlinable public func withLatestFrom<P, T>(
        _ other: P, resultSelector: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.WithLatestFrom<Self, P, T> { .init(upstream: self, other: other, resultSelector: resultSelector) }
}
