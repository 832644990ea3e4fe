/// A publisher that sends no value, and finishes at once or never.
@frozen public struct Empty<Output, Failure: Error>: GrammaticalPublisher {
    /// Whether it finishes at once; if not, it never does.
    public let completeImmediately: Bool
    /// A publisher without values.
    /// - Parameter completeImmediately: Whether it finishes at once.
    @inlinable @inline(__always) public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
    /// A publisher without values of the given types, for where they cannot be inferred.
    @inlinable @inline(__always)
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }
    /// Attaches a subscriber.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

extension Empty: Sendable {}
extension Empty: Equatable {}
