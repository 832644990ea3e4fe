extension Publishers {
    /// A publisher that sends the values of any number of publishers of one type as they arrive.
    public struct MergeMany<Upstream: Publisher>: GrammaticalPublisher, Attaching {
        /// The type of the values sent.
        public typealias Output = Upstream.Output
        /// The type of the error that the publishers may fail with.
        public typealias Failure = Upstream.Failure
        /// The publishers that are merged.
        public let publishers: [Upstream]

        /// Creates a publisher that merges the given publishers.
        public init(_ upstream: Upstream...) { publishers = upstream }

        /// Creates a publisher that merges the given publishers.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        /// The greatest of the publishers' depths.
        @inlinable public var _erasureDepth: Int { publishers.reduce(0) { Swift.max($0, $1._erasureDepth) } }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            // Counts one upstream more than there are, and ends that one below: so a merge of no publishers finishes, too.
            let flattening = FanIn(merging: publishers.count + 1, into: subscriber)
            for publisher in publishers { flattening.merge(publisher) }
            flattening.post(.ended(nil, nil))
        }

        /// Returns a publisher that merges these publishers and another.
        public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
    }
}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Sends the values of this publisher and another of the same type as they arrive. Like the other forms of `merge`, it keeps the
    /// values of the same publisher in order, but not what one thread sends to one and then to the other while another thread
    /// delivers.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }
}
