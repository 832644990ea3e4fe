extension Publishers {
    /// A publisher that sends what several publishers of one type send, as it comes.
    public struct MergeMany<Upstream: Publisher>: GrammaticalPublisher {
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

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            let merge = MergeSubscription(subscriber)
            for publisher in publishers { merge.add(publisher) }
            merge.allAdded()
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

/// What all merges are: a funnel with a known number of inlets.
@usableFromInline
struct MergeSubscription<Downstream: Subscriber> {
    @usableFromInline let funnel: Funnel<Downstream>

    @inlinable
    init(_ downstream: Downstream) {
        // One is open until all are added, so that the first to finish is not taken for the last.
        funnel = Funnel(downstream, open: 1, named: "Merge")
        funnel.start()
    }

    @inlinable @inline(__always)
    func add<P: Publisher>(_ publisher: P) where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
        funnel.expectOneMore()
        let inlet = FunnelInlet(funnel)
        if funnel.admit(inlet) { publisher.subscribe(inlet) }
    }

    @inlinable
    func allAdded() { funnel.post(.closed(nil)) }
}
