extension Publishers {
    /// A publisher that sends the first values of two publishers together, then the second ones, and so on.
    public struct Zip<A: Publisher, B: Publisher>: Combined, Attaching where A.Failure == B.Failure {
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
            let logic = TupleLogic<A.Output, B.Output, Never, Never, S>(of: 2) { ($0.a.take(), $0.b.take()) }
            FanIn(logic, subscriber, named: "Zip").attach(a) { .a($0) }.attach(b) { .b($0) }.start()
        }
    }

    /// A publisher that sends the first values of three publishers together, then the second ones, and so on.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Combined, Attaching
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
            let logic = TupleLogic<A.Output, B.Output, C.Output, Never, S>(of: 3) { ($0.a.take(), $0.b.take(), $0.c.take()) }
            FanIn(logic, subscriber, named: "Zip")
                .attach(a) { .a($0) }.attach(b) { .b($0) }.attach(c) { .c($0) }.start()
        }
    }

    /// A publisher that sends the first values of four publishers together, then the second ones, and so on.
    public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Combined, Attaching
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
            let logic = TupleLogic<A.Output, B.Output, C.Output, D.Output, S>(of: 4) {
                ($0.a.take(), $0.b.take(), $0.c.take(), $0.d.take())
            }
            FanIn(logic, subscriber, named: "Zip")
                .attach(a) { .a($0) }.attach(b) { .b($0) }.attach(c) { .c($0) }.attach(d) { .d($0) }.start()
        }
    }
}

extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.Zip4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

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
