// Swift has no way to write these once for every number of publishers that differ in type (a parameter pack cannot be
// told to share one Output), so there is one struct for each.

/// A publisher made of several. It fails as the first of them may.
public protocol Combined<A>: GrammaticalPublisher {
    /// The first of the publishers.
    associatedtype A: Publisher
    associatedtype Output = A.Output
    associatedtype Failure = A.Failure
}

extension Publishers {
    /// A publisher that sends and fails as another does.
    public typealias _Like<P: Publisher> = Publisher<P.Output, P.Failure>

    /// A publisher that sends what two publishers send, as it comes.
    public struct Merge<A: Publisher, B: _Like<A>>: Combined, Attaching {
        /// What is merged.
        public let a: A, b: B

        /// A publisher of what all of the given ones send.
        @inlinable public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

        /// As many as behind the deeper one.
        @inlinable public var _erasureDepth: Int { Swift.max(a._erasureDepth, b._erasureDepth) }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 2, into: subscriber).merge(a).merge(b)
        }
    }

    /// A publisher that sends what three publishers send, as it comes.
    public struct Merge3<A: Publisher, B: _Like<A>, C: _Like<A>>: Combined, Attaching {
        /// What is merged.
        public let a: A, b: B, c: C

        /// A publisher of what all of the given ones send.
        @inlinable public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 3, into: subscriber).merge(a).merge(b).merge(c)
        }
    }

    /// A publisher that sends what four publishers send, as it comes.
    public struct Merge4<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>>: Combined, Attaching {
        /// What is merged.
        public let a: A, b: B, c: C, d: D

        /// A publisher of what all of the given ones send.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 4, into: subscriber).merge(a).merge(b).merge(c).merge(d)
        }
    }

    /// A publisher that sends what five publishers send, as it comes.
    public struct Merge5<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>>: Combined, Attaching {
        /// What is merged.
        public let a: A, b: B, c: C, d: D, e: E

        /// A publisher of what all of the given ones send.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
        }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 5, into: subscriber).merge(a).merge(b).merge(c).merge(d).merge(e)
        }
    }

    /// A publisher that sends what six publishers send, as it comes.
    public struct Merge6<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>>: Combined, Attaching {
        /// What is merged.
        public let a: A, b: B, c: C, d: D, e: E, f: F

        /// A publisher of what all of the given ones send.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
        }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 6, into: subscriber).merge(a).merge(b).merge(c).merge(d).merge(e).merge(f)
        }
    }

    /// A publisher that sends what seven publishers send, as it comes.
    public struct Merge7<
        A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>, G: _Like<A>
    >: Combined, Attaching {
        /// What is merged.
        public let a: A, b: B, c: C, d: D, e: E, f: F, g: G

        /// A publisher of what all of the given ones send.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            (self.a, self.b, self.c, self.d, self.e, self.f, self.g) = (a, b, c, d, e, f, g)
        }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 7, into: subscriber).merge(a).merge(b).merge(c).merge(d).merge(e).merge(f).merge(g)
        }
    }

    /// A publisher that sends what eight publishers send, as it comes.
    public struct Merge8<
        A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>, G: _Like<A>, H: _Like<A>
    >: Combined, Attaching {
        /// What is merged.
        public let a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H

        /// A publisher of what all of the given ones send.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
            (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h) = (a, b, c, d, e, f, g, h)
        }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 8, into: subscriber)
                .merge(a).merge(b).merge(c).merge(d).merge(e).merge(f).merge(g).merge(h)
        }
    }
}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Merge3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.Merge4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.Merge5: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable {}
extension Publishers.Merge6: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}

extension Publishers.Merge7: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable {}

extension Publishers.Merge8: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable {}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Merge6: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}

extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}

extension Publishers.Merge8: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable, H: Equatable {}

extension Publisher {
    /// Sends what this publisher and another send, as it comes.
    @inlinable public func merge<B>(with other: B) -> Publishers.Merge<Self, B> { .init(self, other) }

    /// Sends what this publisher and two others send, as it comes.
    @inlinable public func merge<B, C>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C> { .init(self, b, c) }

    /// Sends what this publisher and three others send, as it comes.
    @inlinable public func merge<B, C, D>(with b: B, _ c: C, _ d: D) -> Publishers.Merge4<Self, B, C, D> { .init(self, b, c, d) }

    /// Sends what this publisher and four others send, as it comes.
    @inlinable public func merge<B, C, D, E>(
        with b: B, _ c: C, _ d: D, _ e: E
    ) -> Publishers.Merge5<Self, B, C, D, E> { .init(self, b, c, d, e) }

    /// Sends what this publisher and five others send, as it comes.
    @inlinable public func merge<B, C, D, E, F>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> Publishers.Merge6<Self, B, C, D, E, F> { .init(self, b, c, d, e, f) }

    /// Sends what this publisher and six others send, as it comes.
    @inlinable public func merge<B, C, D, E, F, G>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<Self, B, C, D, E, F, G> { .init(self, b, c, d, e, f, g) }

    /// Sends what this publisher and seven others send, as it comes.
    @inlinable public func merge<B, C, D, E, F, G, H>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H> { .init(self, b, c, d, e, f, g, h) }
}
