extension Publishers {
    /// A publisher that sends the latest values of two publishers whenever one of them sends.
    public typealias CombineLatest<A: Publisher, B: Publisher> = Tuples<(A, B), (A.Output, B.Output), A.Failure, CombiningLatest>
    where A.Failure == B.Failure

    /// A publisher that sends the latest values of three publishers whenever one of them sends.
    public typealias CombineLatest3<A: Publisher, B: Publisher, C: Publisher> = Tuples<
        (A, B, C), (A.Output, B.Output, C.Output), A.Failure, CombiningLatest
    >
    where A.Failure == B.Failure, A.Failure == C.Failure

    /// A publisher that sends the latest values of four publishers whenever one of them sends.
    public typealias CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Tuples<
        (A, B, C, D), (A.Output, B.Output, C.Output, D.Output), A.Failure, CombiningLatest
    >
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure
}

extension Publisher {
    /// Sends the latest values of this publisher and another, as a tuple, whenever one of them sends, once both have sent.
    ///
    /// With limited demand, tuples in between are skipped, but never the latest: it is sent when requested. Finishes when both
    /// publishers have finished and the latest tuple has been sent; fails when one of them fails.
    /// `width.combineLatest(height).map { $0 * $1 }` is the area, always up to date.
    @inlinable public func combineLatest<P>(_ other: P) -> Publishers.CombineLatest<Self, P> { .init(self, other) }

    /// Like ``combineLatest(_:)``, but sends the result of applying a closure to the values.
    @preconcurrency @inlinable public func combineLatest<P, T>(
        _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> { combineLatest(other).map { transform($0.0, $0.1) } }

    /// Sends the latest values of this publisher and two others, as a tuple, whenever one of them sends, once all have sent.
    @inlinable public func combineLatest<P, Q>(
        _ publisher1: P, _ publisher2: Q
    ) -> Publishers.CombineLatest3<Self, P, Q> { .init(self, publisher1, publisher2) }

    /// Like `combineLatest(_:_:)`, but sends the result of applying a closure to the values.
    @preconcurrency @inlinable public func combineLatest<P, Q, T>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> {
        combineLatest(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
    }

    /// Sends the latest values of this publisher and three others, as a tuple, whenever one of them sends, once all have sent.
    @inlinable public func combineLatest<P, Q, R>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.CombineLatest4<Self, P, Q, R> { .init(self, publisher1, publisher2, publisher3) }

    /// Like `combineLatest(_:_:_:)`, but sends the result of applying a closure to the values.
    @preconcurrency @inlinable public func combineLatest<P, Q, R, T>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T> {
        combineLatest(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}
