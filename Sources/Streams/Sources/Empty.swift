/// A publisher that sends no values, and finishes at once or never.
@frozen public struct Empty<Output, Failure: Error>: GrammaticalPublisher, Attaching, Equatable, Sendable {
    /// Makes the publisher finish at once; otherwise it never does.
    public let completeImmediately: Bool

    /// Creates a publisher without values.
    ///
    /// - Parameter completeImmediately: Whether the publisher finishes at once; otherwise it never does.
    @inlinable @inline(__always) public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    /// Creates a publisher without values, where its types cannot be inferred.
    ///
    /// - Parameters:
    ///   - completeImmediately: Whether the publisher finishes at once; otherwise it never does.
    ///   - outputType: The type of the values.
    ///   - failureType: The type of the error.
    @inlinable @inline(__always)
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }

    @inlinable func attach(_ subscriber: some Subscriber<Output, Failure>) {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}
