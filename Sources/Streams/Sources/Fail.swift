/// A publisher that sends no value and fails at once.
@frozen public struct Fail<Output, Failure: Error>: GrammaticalPublisher, Attaching {
    /// The error it fails with.
    public let error: Failure

    /// A publisher that fails.
    @inlinable @inline(__always) public init(error: Failure) { self.error = error }

    /// A publisher that fails, of the given output type, for where it cannot be inferred.
    @inlinable @inline(__always) public init(outputType: Output.Type, failure: Failure) { error = failure }

    @inlinable func attach(_ subscriber: some Subscriber<Output, Failure>) {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Sendable {}
extension Fail: Equatable where Failure: Equatable {}
