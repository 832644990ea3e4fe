/// A publisher that sends no values and fails at once.
@frozen public struct Fail<Output, Failure: Error>: GrammaticalPublisher, Attaching {
    /// The error that the publisher fails with.
    public let error: Failure

    /// Creates a publisher that fails with an error.
    @inlinable @inline(__always) public init(error: Failure) { self.error = error }

    /// Creates a publisher that fails with an error, where its output type cannot be inferred.
    @inlinable @inline(__always) public init(outputType: Output.Type, failure: Failure) { error = failure }

    @inlinable func attach(_ subscriber: some Subscriber<Output, Failure>) {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Sendable {}
extension Fail: Equatable where Failure: Equatable {}
