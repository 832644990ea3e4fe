/// A publisher that sends no value, and finishes at once or never.
@frozen public struct Empty<Output, Failure: Error>: GrammaticalPublisher, Attaching, Equatable, Sendable {
    /// Whether it finishes at once; if not, it never does.
    public let completeImmediately: Bool

    /// A publisher without values, which finishes at once or never.
    @inlinable @inline(__always) public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    /// A publisher without values of the given types, for where they cannot be inferred.
    @inlinable @inline(__always)
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }

    @inlinable func attach(_ subscriber: some Subscriber<Output, Failure>) {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}
