extension Publishers {
    /// A publisher that sends the latest values of two publishers whenever one of them sends.
    public struct CombineLatest<A: Publisher, B: Publisher>: Combined, Attaching where A.Failure == B.Failure {
        /// A tuple of one value of each publisher.
        public typealias Output = (A.Output, B.Output)
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B

        /// Creates a publisher that combines the given publishers.
        @inlinable public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// The greater of the two publishers' depths.
        @inlinable public var _erasureDepth: Int { Swift.max(a._erasureDepth, b._erasureDepth) }

        @inlinable __consuming func attach<S: Subscriber<Output, A.Failure>>(_ subscriber: __owned S) {
            let logic = TupleLogic<A.Output, B.Output, Never, Never, S>(of: 2, keeping: true) { ($0.a.take(), $0.b.take()) }
            FanIn(logic, subscriber, named: "CombineLatest").attach(a) { .a($0) }.attach(b) { .b($0) }.start()
        }
    }

    /// A publisher that sends the latest values of three publishers whenever one of them sends.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Combined, Attaching
    where A.Failure == B.Failure, A.Failure == C.Failure {
        /// A tuple of one value of each publisher.
        public typealias Output = (A.Output, B.Output, C.Output)
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C

        /// Creates a publisher that combines the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int { Swift.max(a._erasureDepth, b._erasureDepth, c._erasureDepth) }

        @inlinable __consuming func attach<S: Subscriber<Output, A.Failure>>(_ subscriber: __owned S) {
            let logic = TupleLogic<A.Output, B.Output, C.Output, Never, S>(of: 3, keeping: true) {
                ($0.a.take(), $0.b.take(), $0.c.take())
            }
            FanIn(logic, subscriber, named: "CombineLatest")
                .attach(a) { .a($0) }.attach(b) { .b($0) }.attach(c) { .c($0) }.start()
        }
    }

    /// A publisher that sends the latest values of four publishers whenever one of them sends.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Combined, Attaching
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
        /// A tuple of one value of each publisher.
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C
        /// The fourth upstream publisher.
        public let d: D

        /// Creates a publisher that combines the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int { Swift.max(a._erasureDepth, b._erasureDepth, c._erasureDepth, d._erasureDepth) }

        @inlinable __consuming func attach<S: Subscriber<Output, A.Failure>>(_ subscriber: __owned S) {
            let logic = TupleLogic<A.Output, B.Output, C.Output, D.Output, S>(of: 4, keeping: true) {
                ($0.a.take(), $0.b.take(), $0.c.take(), $0.d.take())
            }
            FanIn(logic, subscriber, named: "CombineLatest")
                .attach(a) { .a($0) }.attach(b) { .b($0) }.attach(c) { .c($0) }.attach(d) { .d($0) }.start()
        }
    }
}

extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}
extension Publishers.CombineLatest3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.CombineLatest4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

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
