extension Publishers {
    /// A publisher of the elements of a sequence.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Attaching {
        /// The type of the elements.
        public typealias Output = Elements.Element
        /// The sequence whose elements are sent.
        public let sequence: Elements

        /// Creates a publisher of the elements of a sequence, which it iterates for each subscriber.
        @inlinable @inline(__always) public init(sequence: Elements) { self.sequence = sequence }

        @inlinable package func attach(_ subscriber: some Subscriber<Output, Failure>) {
            PullSubscription.run(sequence, named: "Sequence", completion: .finished, to: subscriber)
        }
    }
}

extension Publishers.Sequence: Sendable where Elements: Sendable {}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Swift.Sequence {
    /// A publisher that sends the elements in order, as they are requested, and finishes.
    @inlinable @inline(__always) public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
