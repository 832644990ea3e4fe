extension Publishers {
    /// A publisher with the same output and failure types as another.
    public typealias _Like<P: Publisher> = Publisher<P.Output, P.Failure>

    /// A publisher that sends the values of any number of publishers of one type as they arrive.
    public struct MergeMany<Upstream: Publisher>: Attaching {
        /// The type of the values sent.
        public typealias Output = Upstream.Output
        /// The type of the error that the publishers may fail with.
        public typealias Failure = Upstream.Failure
        @usableFromInline package let publishers: [Upstream]

        /// Creates a publisher that merges the given publishers.
        public init(_ upstream: Upstream...) { publishers = upstream }

        /// Creates a publisher that merges the given publishers.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            // A merge that is merged itself leaves its publishers to the outer one: so a value passes one operator at any depth.
            if let parts = publishers as? [AnyPublisher<Output, Failure>],
                subscriber.uncovered(as: Inlet.self)?.takesOver(merged: parts) == true
            {
                return
            }
            // Counts one upstream more than there are, and ends that one below: so a merge of no publishers finishes, too.
            let flattening = FanIn(merging: publishers.count + 1, into: subscriber)
            for publisher in publishers {
                var rest = flattening.merge(publisher)
                while let next = rest.popLast() { rest += flattening.merge(next) }
            }
            flattening.post(.ended(nil, nil))
        }

        /// Returns a publisher that merges these publishers and another.
        public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
    }
}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

// There is one initializer for each number of publishers of different types. Swift cannot express them as one with a parameter pack
// of publishers, because the elements of a pack cannot be required to share one Output. So the publishers are erased.

extension Publishers {
    /// A publisher that sends the values of publishers of different types as they arrive. `Parts` is the tuple of their types.
    public struct Merged<Output, Failure: Error, Parts>: Attaching {
        @usableFromInline package let merged: MergeMany<AnyPublisher<Output, Failure>>

        @inlinable package func attach(_ subscriber: some Subscriber<Output, Failure>) { merged.attach(subscriber) }

        /// Creates a publisher that merges the given publishers.
        @inlinable public init<A: _Like<Self>, B: _Like<Self>>(_ a: A, _ b: B) where Parts == (A, B) {
            merged = MergeMany(a.erased, b.erased)
        }

        /// Creates a publisher that merges the given publishers.
        @inlinable public init<A: _Like<Self>, B: _Like<Self>, C: _Like<Self>>(_ a: A, _ b: B, _ c: C) where Parts == (A, B, C) {
            merged = MergeMany(a.erased, b.erased, c.erased)
        }

        /// Creates a publisher that merges the given publishers.
        @inlinable public init<A: _Like<Self>, B: _Like<Self>, C: _Like<Self>, D: _Like<Self>>(_ a: A, _ b: B, _ c: C, _ d: D)
        where Parts == (A, B, C, D) {
            merged = MergeMany(a.erased, b.erased, c.erased, d.erased)
        }

        /// Creates a publisher that merges the given publishers.
        @inlinable public init<A: _Like<Self>, B: _Like<Self>, C: _Like<Self>, D: _Like<Self>, E: _Like<Self>>(
            _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
        ) where Parts == (A, B, C, D, E) {
            merged = MergeMany(a.erased, b.erased, c.erased, d.erased, e.erased)
        }

        /// Creates a publisher that merges the given publishers.
        @inlinable public init<A: _Like<Self>, B: _Like<Self>, C: _Like<Self>, D: _Like<Self>, E: _Like<Self>, F: _Like<Self>>(
            _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
        ) where Parts == (A, B, C, D, E, F) {
            merged = MergeMany(a.erased, b.erased, c.erased, d.erased, e.erased, f.erased)
        }

        /// Creates a publisher that merges the given publishers.
        @inlinable
        public init<
            A: _Like<Self>, B: _Like<Self>, C: _Like<Self>, D: _Like<Self>, E: _Like<Self>, F: _Like<Self>, G: _Like<Self>
        >(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) where Parts == (A, B, C, D, E, F, G) {
            merged = MergeMany(a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased)
        }

        /// Creates a publisher that merges the given publishers.
        @inlinable
        public init<
            A: _Like<Self>, B: _Like<Self>, C: _Like<Self>, D: _Like<Self>, E: _Like<Self>, F: _Like<Self>, G: _Like<Self>,
            H: _Like<Self>
        >(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) where Parts == (A, B, C, D, E, F, G, H) {
            merged = MergeMany(a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased)
        }
    }

    /// A publisher that sends the values of two publishers as they arrive.
    public typealias Merge<A: Publisher, B: _Like<A>> = Merged<A.Output, A.Failure, (A, B)>

    /// A publisher that sends the values of three publishers as they arrive.
    public typealias Merge3<A: Publisher, B: _Like<A>, C: _Like<A>> = Merged<A.Output, A.Failure, (A, B, C)>

    /// A publisher that sends the values of four publishers as they arrive.
    public typealias Merge4<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>> = Merged<A.Output, A.Failure, (A, B, C, D)>

    /// A publisher that sends the values of five publishers as they arrive.
    public typealias Merge5<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>> = Merged<
        A.Output, A.Failure, (A, B, C, D, E)
    >

    /// A publisher that sends the values of six publishers as they arrive.
    public typealias Merge6<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>> = Merged<
        A.Output, A.Failure, (A, B, C, D, E, F)
    >

    /// A publisher that sends the values of seven publishers as they arrive.
    public typealias Merge7<A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>, G: _Like<A>> = Merged<
        A.Output, A.Failure, (A, B, C, D, E, F, G)
    >

    /// A publisher that sends the values of eight publishers as they arrive.
    public typealias Merge8<
        A: Publisher, B: _Like<A>, C: _Like<A>, D: _Like<A>, E: _Like<A>, F: _Like<A>, G: _Like<A>, H: _Like<A>
    > = Merged<A.Output, A.Failure, (A, B, C, D, E, F, G, H)>
}

extension Publishers.Merged: Sendable where Output: Sendable {}

extension Publisher {
    /// Sends the values of this publisher and another as they arrive.
    ///
    /// Finishes when both have finished, and fails as soon as one fails.
    ///
    /// Only the values of the same publisher are sure to stay in order. A value that is sent to a subject during one of its
    /// deliveries, from inside it or from another thread, arrives after the delivery, possibly on another thread. So when `send`
    /// has returned, the value may not have arrived yet, and a value that the same thread then sends to the other publisher
    /// arrives first. If the order matters, send all values to one subject, or from one thread, outside deliveries.
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

    /// Sends the values of this publisher and another of the same type as they arrive. Like the other forms of `merge`, it keeps
    /// the values of the same publisher in order, but not the values that a thread sends to one and then to the other while
    /// another thread delivers.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }
}
