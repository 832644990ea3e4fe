/// A publisher that sends no values, and finishes at once or never.
@frozen public struct Empty<Output, Failure: Error>: Attaching, Equatable, Sendable {
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

    @inlinable package func attach(_ subscriber: some Subscriber<Output, Failure>) {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

/// A publisher that sends no values and fails at once.
@frozen public struct Fail<Output, Failure: Error>: Attaching {
    /// The error that the publisher fails with.
    public let error: Failure

    /// Creates a publisher that fails with an error.
    @inlinable @inline(__always) public init(error: Failure) { self.error = error }

    /// Creates a publisher that fails with an error, where its output type cannot be inferred.
    @inlinable @inline(__always) public init(outputType: Output.Type, failure: Failure) { error = failure }

    @inlinable package func attach(_ subscriber: some Subscriber<Output, Failure>) {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Sendable {}
extension Fail: Equatable where Failure: Equatable {}
