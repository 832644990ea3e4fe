extension Optional {
    /// A publisher that sends the value, if there is one, and finishes.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher of at most one value, which cannot fail.
    @frozen public struct Publisher: OptionalValuePublisher, Attaching {
        /// The type of the value.
        public typealias Output = Wrapped
        /// The value, if there is one.
        public let output: Wrapped?

        /// Creates a publisher that sends the value, if there is one, and finishes.
        @inlinable @inline(__always) public init(_ output: Wrapped?) { self.output = output }

        @inlinable func attach(_ subscriber: some Subscriber<Wrapped, Never>) {
            guard let output else { return Empty(completeImmediately: true).receive(subscriber: subscriber) }
            PullSubscription.run(CollectionOfOne(output), named: "Optional", completion: .finished, to: subscriber)
        }
    }
}

extension Optional.Publisher: Sendable where Wrapped: Sendable {}
extension Optional.Publisher: Equatable where Wrapped: Equatable {}
