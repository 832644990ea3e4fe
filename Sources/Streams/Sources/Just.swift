/// A publisher that sends one value and finishes.
@frozen public struct Just<Output>: OptionalValuePublisher {
    /// The value.
    public let output: Output
    /// A publisher of one value.
    @inlinable @inline(__always) public init(_ output: Output) { self.output = output }
    /// Attaches a subscriber.
    @inlinable public func receive(subscriber: some Subscriber<Output, Never>) {
        PullSubscription.run(CollectionOfOne(output), named: "Just", completion: .finished, to: subscriber)
    }
}

extension Just: Sendable where Output: Sendable {}
extension Just: Equatable where Output: Equatable {}
