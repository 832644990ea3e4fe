extension Publishers {
    /// A publisher that sends the first values of two publishers together, then the second ones, and so on.
    public typealias Zip<A: Publisher, B: Publisher> = Tuples<(A, B), (A.Output, B.Output), A.Failure, Zipping>
    where A.Failure == B.Failure

    /// A publisher that sends the first values of three publishers together, then the second ones, and so on.
    public typealias Zip3<A: Publisher, B: Publisher, C: Publisher> = Tuples<
        (A, B, C), (A.Output, B.Output, C.Output), A.Failure, Zipping
    >
    where A.Failure == B.Failure, A.Failure == C.Failure

    /// A publisher that sends the first values of four publishers together, then the second ones, and so on.
    public typealias Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Tuples<
        (A, B, C, D), (A.Output, B.Output, C.Output, D.Output), A.Failure, Zipping
    >
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure
}

extension Publisher {
    /// Sends the first values of this publisher and another as a pair, then the second ones, and so on:
    /// `[1, 2, 3].publisher.zip(["a", "b"].publisher)` sends (1, "a"), (2, "b").
    ///
    /// A value waits until the other publisher has sent its counterpart. Finishes as soon as one publisher has finished and all
    /// its values have been sent; fails when either fails.
    @inlinable public func zip<P>(_ other: P) -> Publishers.Zip<Self, P> { .init(self, other) }

    /// Like ``zip(_:)``, but sends the result of applying a closure to the values.
    @preconcurrency @inlinable public func zip<P, T>(
        _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T> { zip(other).map { transform($0.0, $0.1) } }

    /// Sends the first values of this publisher and two others as a tuple, then the second ones, and so on.
    @inlinable public func zip<P, Q>(
        _ publisher1: P, _ publisher2: Q
    ) -> Publishers.Zip3<Self, P, Q> { .init(self, publisher1, publisher2) }

    /// Like `zip(_:_:)`, but sends the result of applying a closure to the values.
    @preconcurrency @inlinable public func zip<P, Q, T>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T> { zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) } }

    /// Sends the first values of this publisher and three others as a tuple, then the second ones, and so on.
    @inlinable public func zip<P, Q, R>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.Zip4<Self, P, Q, R> { .init(self, publisher1, publisher2, publisher3) }

    /// Like `zip(_:_:_:)`, but sends the result of applying a closure to the values.
    @preconcurrency @inlinable public func zip<P, Q, R, T>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T> {
        zip(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}
