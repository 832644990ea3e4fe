// There is one struct for each number of publishers. Swift cannot express them as one type with a parameter pack of publishers,
// because the elements of a pack cannot be required to share one Output.

/// A publisher that combines several publishers. By default it has the output and failure types of the first.
public protocol Combined<A>: GrammaticalPublisher {
    /// The first of the publishers.
    associatedtype A: Publisher
    associatedtype Output = A.Output
    associatedtype Failure = A.Failure
}

extension Publishers {
    /// A publisher with the same output and failure types as another.
    public typealias _Like<P: Publisher> = Publisher<P.Output, P.Failure>

    /// A publisher that sends the values of two publishers as they arrive.
    public struct Merge<A: Publisher, B: _Like<A>>: Combined, Attaching {
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B

        /// Creates a publisher that merges the given publishers.
        @inlinable public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// The greater of the two publishers' depths.
        @inlinable public var _erasureDepth: Int { Swift.max(a._erasureDepth, b._erasureDepth) }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 2, into: subscriber).merge(a).merge(b)
        }
    }

    /// A publisher that sends the values of three publishers as they arrive.
    public struct Merge3<A: Publisher, B: _Like<A>, C: _Like<A>>: Combined, Attaching {
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C

        /// Creates a publisher that merges the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int { Swift.max(a._erasureDepth, b._erasureDepth, c._erasureDepth) }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 3, into: subscriber).merge(a).merge(b).merge(c)
        }
    }

    /// A publisher that sends the values of four publishers as they arrive.
    public struct Merge4<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>>: Combined, Attaching {
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C
        /// The fourth upstream publisher.
        public let d: D

        /// Creates a publisher that merges the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int { Swift.max(a._erasureDepth, b._erasureDepth, c._erasureDepth, d._erasureDepth) }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 4, into: subscriber).merge(a).merge(b).merge(c).merge(d)
        }
    }

    /// A publisher that sends the values of five publishers as they arrive.
    public struct Merge5<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>>: Combined, Attaching {
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C
        /// The fourth upstream publisher.
        public let d: D
        /// The fifth upstream publisher.
        public let e: E

        /// Creates a publisher that merges the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int {
            Swift.max(a._erasureDepth, b._erasureDepth, c._erasureDepth, d._erasureDepth, e._erasureDepth)
        }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 5, into: subscriber).merge(a).merge(b).merge(c).merge(d).merge(e)
        }
    }

    /// A publisher that sends the values of six publishers as they arrive.
    public struct Merge6<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>>: Combined, Attaching {
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C
        /// The fourth upstream publisher.
        public let d: D
        /// The fifth upstream publisher.
        public let e: E
        /// The sixth upstream publisher.
        public let f: F

        /// Creates a publisher that merges the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int {
            Swift.max(a._erasureDepth, b._erasureDepth, c._erasureDepth, d._erasureDepth, e._erasureDepth, f._erasureDepth)
        }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 6, into: subscriber).merge(a).merge(b).merge(c).merge(d).merge(e).merge(f)
        }
    }

    /// A publisher that sends the values of seven publishers as they arrive.
    public struct Merge7<
        A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>, G: _Like<A>
    >: Combined, Attaching {
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C
        /// The fourth upstream publisher.
        public let d: D
        /// The fifth upstream publisher.
        public let e: E
        /// The sixth upstream publisher.
        public let f: F
        /// The seventh upstream publisher.
        public let g: G

        /// Creates a publisher that merges the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int {
            Swift.max(
                a._erasureDepth, b._erasureDepth, c._erasureDepth, d._erasureDepth,
                e._erasureDepth, f._erasureDepth, g._erasureDepth)
        }

        @inlinable func attach(_ subscriber: some Subscriber<A.Output, A.Failure>) {
            FanIn(merging: 7, into: subscriber).merge(a).merge(b).merge(c).merge(d).merge(e).merge(f).merge(g)
        }
    }

    /// A publisher that sends the values of eight publishers as they arrive.
    public struct Merge8<
        A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>, G: _Like<A>, H: _Like<A>
    >: Combined, Attaching {
        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C
        /// The fourth upstream publisher.
        public let d: D
        /// The fifth upstream publisher.
        public let e: E
        /// The sixth upstream publisher.
        public let f: F
        /// The seventh upstream publisher.
        public let g: G
        /// The eighth upstream publisher.
        public let h: H

        /// Creates a publisher that merges the given publishers.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
            self.h = h
        }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int {
            Swift.max(
                a._erasureDepth, b._erasureDepth, c._erasureDepth, d._erasureDepth,
                e._erasureDepth, f._erasureDepth, g._erasureDepth, h._erasureDepth)
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
    /// Sends the values of this publisher and another as they arrive.
    ///
    /// Finishes when both have finished, and fails as soon as one fails.
    ///
    /// Only the values of the same publisher are sure to stay in order. If a subject is sent a value during a delivery of its own,
    /// from inside it or from another thread, that value arrives after the delivery, possibly on another thread. So when `send` has
    /// returned, the value may not have arrived yet, and what the same thread sends to the other publisher next arrives before it.
    /// Where the order matters, send all values to one subject. Or send them from one thread, outside deliveries.
    @inlinable public func merge<B>(with other: B) -> Publishers.Merge<Self, B> { .init(self, other) }

    /// Sends the values of this publisher and two others as they arrive.
    ///
    /// Finishes when all have finished, and fails as soon as one fails. Only the values of the same publisher
    /// are sure to stay in order: see `merge(with:)` of two.
    @inlinable public func merge<B, C>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C> { .init(self, b, c) }

    /// Sends the values of this publisher and three others as they arrive.
    ///
    /// Finishes when all have finished, and fails as soon as one fails. Only the values of the same publisher
    /// are sure to stay in order: see `merge(with:)` of two.
    @inlinable public func merge<B, C, D>(with b: B, _ c: C, _ d: D) -> Publishers.Merge4<Self, B, C, D> { .init(self, b, c, d) }

    /// Sends the values of this publisher and four others as they arrive.
    ///
    /// Finishes when all have finished, and fails as soon as one fails. Only the values of the same publisher
    /// are sure to stay in order: see `merge(with:)` of two.
    @inlinable public func merge<B, C, D, E>(
        with b: B, _ c: C, _ d: D, _ e: E
    ) -> Publishers.Merge5<Self, B, C, D, E> { .init(self, b, c, d, e) }

    /// Sends the values of this publisher and five others as they arrive.
    ///
    /// Finishes when all have finished, and fails as soon as one fails. Only the values of the same publisher
    /// are sure to stay in order: see `merge(with:)` of two.
    @inlinable public func merge<B, C, D, E, F>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> Publishers.Merge6<Self, B, C, D, E, F> { .init(self, b, c, d, e, f) }

    /// Sends the values of this publisher and six others as they arrive.
    ///
    /// Finishes when all have finished, and fails as soon as one fails. Only the values of the same publisher
    /// are sure to stay in order: see `merge(with:)` of two.
    @inlinable public func merge<B, C, D, E, F, G>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Publishers.Merge7<Self, B, C, D, E, F, G> { .init(self, b, c, d, e, f, g) }

    /// Sends the values of this publisher and seven others as they arrive.
    ///
    /// Finishes when all have finished, and fails as soon as one fails. Only the values of the same publisher
    /// are sure to stay in order: see `merge(with:)` of two.
    @inlinable public func merge<B, C, D, E, F, G, H>(
        with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H> { .init(self, b, c, d, e, f, g, h) }
}
