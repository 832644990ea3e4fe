extension Publishers {
    /// A publisher that sends what several publishers of one type send, as it comes.
    public struct MergeMany<Upstream: Publisher>: GrammaticalPublisher, Attaching {
        /// What is sent.
        public typealias Output = Upstream.Output
        /// How it may fail.
        public typealias Failure = Upstream.Failure
        /// Where the values come from.
        public let publishers: [Upstream]

        /// A publisher of what all of the given ones send.
        public init(_ upstream: Upstream...) { publishers = upstream }

        /// A publisher of what all of the given ones send.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            // One more than there are, so that none at all ends, too.
            let flattening = FanIn(merging: publishers.count + 1, into: subscriber)
            for publisher in publishers { flattening.merge(publisher) }
            flattening.post(.ended(nil, nil))
        }

        /// The same with one more.
        public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
    }
}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Sends what this publisher and another of its type send, as it comes.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }
}
