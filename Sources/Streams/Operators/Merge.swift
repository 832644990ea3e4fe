// Swift has no way to write these once for every number of publishers that differ in type (a parameter pack cannot be
// told to share one Output), so there is one struct for each.

extension Publishers {
    /// A publisher that sends what two publishers send, as it comes.
    public struct Merge<A: Publisher, B: Publisher>: GrammaticalPublisher
    where
        A.Output == B.Output, A.Failure == B.Failure
    {
        /// What is sent.
        public typealias Output = A.Output
        /// How it may fail.
        public typealias Failure = A.Failure

        /// A publisher to merge.
        public let a: A

        /// A publisher to merge.
        public let b: B

        /// A publisher of what all of the given ones send.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            merge.add(a)
            merge.add(b)
            merge.allAdded()
        }
    }

    /// A publisher that sends what three publishers send, as it comes.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: GrammaticalPublisher
    where
        A.Output == B.Output, A.Output == C.Output, A.Failure == B.Failure, A.Failure == C.Failure
    {
        /// What is sent.
        public typealias Output = A.Output
        /// How it may fail.
        public typealias Failure = A.Failure

        /// A publisher to merge.
        public let a: A

        /// A publisher to merge.
        public let b: B

        /// A publisher to merge.
        public let c: C

        /// A publisher of what all of the given ones send.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            merge.add(a)
            merge.add(b)
            merge.add(c)
            merge.allAdded()
        }
    }

    /// A publisher that sends what four publishers send, as it comes.
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: GrammaticalPublisher
    where
        A.Output == B.Output, A.Output == C.Output, A.Output == D.Output, A.Failure == B.Failure,
        A.Failure == C.Failure, A.Failure == D.Failure
    {
        /// What is sent.
        public typealias Output = A.Output
        /// How it may fail.
        public typealias Failure = A.Failure

        /// A publisher to merge.
        public let a: A

        /// A publisher to merge.
        public let b: B

        /// A publisher to merge.
        public let c: C

        /// A publisher to merge.
        public let d: D

        /// A publisher of what all of the given ones send.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            merge.add(a)
            merge.add(b)
            merge.add(c)
            merge.add(d)
            merge.allAdded()
        }
    }

    /// A publisher that sends what five publishers send, as it comes.
    public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: GrammaticalPublisher
    where
        A.Output == B.Output, A.Output == C.Output, A.Output == D.Output, A.Output == E.Output,
        A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure, A.Failure == E.Failure
    {
        /// What is sent.
        public typealias Output = A.Output
        /// How it may fail.
        public typealias Failure = A.Failure

        /// A publisher to merge.
        public let a: A

        /// A publisher to merge.
        public let b: B

        /// A publisher to merge.
        public let c: C

        /// A publisher to merge.
        public let d: D

        /// A publisher to merge.
        public let e: E

        /// A publisher of what all of the given ones send.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            merge.add(a)
            merge.add(b)
            merge.add(c)
            merge.add(d)
            merge.add(e)
            merge.allAdded()
        }
    }

    /// A publisher that sends what six publishers send, as it comes.
    public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>:
        GrammaticalPublisher
    where
        A.Output == B.Output, A.Output == C.Output, A.Output == D.Output, A.Output == E.Output,
        A.Output == F.Output, A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure,
        A.Failure == E.Failure, A.Failure == F.Failure
    {
        /// What is sent.
        public typealias Output = A.Output
        /// How it may fail.
        public typealias Failure = A.Failure

        /// A publisher to merge.
        public let a: A

        /// A publisher to merge.
        public let b: B

        /// A publisher to merge.
        public let c: C

        /// A publisher to merge.
        public let d: D

        /// A publisher to merge.
        public let e: E

        /// A publisher to merge.
        public let f: F

        /// A publisher of what all of the given ones send.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            merge.add(a)
            merge.add(b)
            merge.add(c)
            merge.add(d)
            merge.add(e)
            merge.add(f)
            merge.allAdded()
        }
    }

    /// A publisher that sends what seven publishers send, as it comes.
    public struct Merge7<
        A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
    >: GrammaticalPublisher
    where
        A.Output == B.Output, A.Output == C.Output, A.Output == D.Output, A.Output == E.Output,
        A.Output == F.Output, A.Output == G.Output, A.Failure == B.Failure, A.Failure == C.Failure,
        A.Failure == D.Failure, A.Failure == E.Failure, A.Failure == F.Failure, A.Failure == G.Failure
    {
        /// What is sent.
        public typealias Output = A.Output
        /// How it may fail.
        public typealias Failure = A.Failure

        /// A publisher to merge.
        public let a: A

        /// A publisher to merge.
        public let b: B

        /// A publisher to merge.
        public let c: C

        /// A publisher to merge.
        public let d: D

        /// A publisher to merge.
        public let e: E

        /// A publisher to merge.
        public let f: F

        /// A publisher to merge.
        public let g: G

        /// A publisher of what all of the given ones send.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            merge.add(a)
            merge.add(b)
            merge.add(c)
            merge.add(d)
            merge.add(e)
            merge.add(f)
            merge.add(g)
            merge.allAdded()
        }
    }

    /// A publisher that sends what eight publishers send, as it comes.
    public struct Merge8<
        A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
    >: GrammaticalPublisher
    where
        A.Output == B.Output, A.Output == C.Output, A.Output == D.Output, A.Output == E.Output,
        A.Output == F.Output, A.Output == G.Output, A.Output == H.Output, A.Failure == B.Failure,
        A.Failure == C.Failure, A.Failure == D.Failure, A.Failure == E.Failure, A.Failure == F.Failure,
        A.Failure == G.Failure, A.Failure == H.Failure
    {
        /// What is sent.
        public typealias Output = A.Output
        /// How it may fail.
        public typealias Failure = A.Failure

        /// A publisher to merge.
        public let a: A

        /// A publisher to merge.
        public let b: B

        /// A publisher to merge.
        public let c: C

        /// A publisher to merge.
        public let d: D

        /// A publisher to merge.
        public let e: E

        /// A publisher to merge.
        public let f: F

        /// A publisher to merge.
        public let g: G

        /// A publisher to merge.
        public let h: H

        /// A publisher of what all of the given ones send.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
            self.h = h
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            merge.add(a)
            merge.add(b)
            merge.add(c)
            merge.add(d)
            merge.add(e)
            merge.add(f)
            merge.add(g)
            merge.add(h)
            merge.allAdded()
        }
    }
}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Merge3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.Merge4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.Merge5: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable {}
extension Publishers.Merge6: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}
extension Publishers.Merge7: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable {}
extension Publishers.Merge8: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable {}

extension Publisher {
    /// Sends what this publisher and another send, as it comes.
    @inlinable @inline(__always)
    public func merge<B: Publisher>(
        with other: B
    ) -> Publishers.Merge<Self, B>
    where
        Output == B.Output, Failure == B.Failure
    {
        Publishers.Merge(self, other)
    }

    /// Sends what this publisher and two others send, as it comes.
    @inlinable @inline(__always)
    public func merge<B: Publisher, C: Publisher>(
        with b: B, _ c: C
    ) -> Publishers.Merge3<Self, B, C>
    where
        Output == B.Output, Output == C.Output, Failure == B.Failure, Failure == C.Failure
    {
        Publishers.Merge3(self, b, c)
    }

    /// Sends what this publisher and three others send, as it comes.
    @inlinable @inline(__always)
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B, _ c: C, _ d: D
    ) -> Publishers.Merge4<Self, B, C, D>
    where
        Output == B.Output, Output == C.Output, Output == D.Output, Failure == B.Failure, Failure == C.Failure,
        Failure == D.Failure
    {
        Publishers.Merge4(self, b, c, d)
    }

    /// Sends what this publisher and four others send, as it comes.
    @inlinable @inline(__always)
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
        with b: B, _ c: C, _ d: D, _ e: E
    ) -> Publishers.Merge5<Self, B, C, D, E>
    where
        Output == B.Output, Output == C.Output, Output == D.Output, Output == E.Output, Failure == B.Failure,
        Failure == C.Failure, Failure == D.Failure, Failure == E.Failure
    {
        Publishers.Merge5(self, b, c, d, e)
    }

    /// Sends what this publisher and five others send, as it comes.
    @inlinable @inline(__always)
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> Publishers.Merge6<Self, B, C, D, E, F>
    where
        Output == B.Output, Output == C.Output, Output == D.Output, Output == E.Output, Output == F.Output,
        Failure == B.Failure, Failure == C.Failure, Failure == D.Failure, Failure == E.Failure,
        Failure == F.Failure
    {
        Publishers.Merge6(self, b, c, d, e, f)
    }

    /// Sends what this publisher and six others send, as it comes.
    @inlinable @inline(__always)
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
    where
        Output == B.Output, Output == C.Output, Output == D.Output, Output == E.Output, Output == F.Output,
        Output == G.Output, Failure == B.Failure, Failure == C.Failure, Failure == D.Failure,
        Failure == E.Failure, Failure == F.Failure, Failure == G.Failure
    {
        Publishers.Merge7(self, b, c, d, e, f, g)
    }

    /// Sends what this publisher and seven others send, as it comes.
    @inlinable @inline(__always)
    public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
    where
        Output == B.Output, Output == C.Output, Output == D.Output, Output == E.Output, Output == F.Output,
        Output == G.Output, Output == H.Output, Failure == B.Failure, Failure == C.Failure, Failure == D.Failure,
        Failure == E.Failure, Failure == F.Failure, Failure == G.Failure, Failure == H.Failure
    {
        Publishers.Merge8(self, b, c, d, e, f, g, h)
    }
}
