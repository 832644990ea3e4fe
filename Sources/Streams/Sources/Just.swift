/// A publisher that sends one value and finishes.
@frozen public struct Just<Output>: OptionalValuePublisher, Attaching {
    /// The value.
    public let output: Output

    /// Creates a publisher of one value.
    @inlinable @inline(__always) public init(_ output: Output) { self.output = output }

    @inlinable func attach(_ subscriber: some Subscriber<Output, Never>) {
        PullSubscription.run(CollectionOfOne(output), named: "Just", completion: .finished, to: subscriber)
    }
}

extension Just: Sendable where Output: Sendable {}
extension Just: Equatable where Output: Equatable {}
