extension Publishers {
    /// A publisher of the elements of a sequence.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: GrammaticalPublisher, Attaching {
        /// What is sent.
        public typealias Output = Elements.Element
        /// What is sent.
        public let sequence: Elements

        /// A publisher of the elements of a sequence, which is iterated anew for each subscriber.
        @inlinable @inline(__always) public init(sequence: Elements) { self.sequence = sequence }

        @inlinable func attach(_ subscriber: some Subscriber<Output, Failure>) {
            PullSubscription.run(sequence, named: "Sequence", completion: .finished, to: subscriber)
        }
    }
}

extension Publishers.Sequence: Sendable where Elements: Sendable {}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Swift.Sequence {
    /// A publisher that sends the elements one after the other, as many as are asked for, and finishes.
    @inlinable @inline(__always) public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
