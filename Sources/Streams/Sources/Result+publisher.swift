extension Result {
    /// A publisher that sends the value and finishes, or fails with the error.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher that sends a value and finishes, or fails with an error.
    @frozen public struct Publisher: SingleValuePublisher, Attaching {
        /// The type of the value.
        public typealias Output = Success
        /// The value or the error.
        public let result: Result

        /// Creates a publisher that sends the value of a result and finishes, or fails with its error.
        @inlinable @inline(__always) public init(_ result: Result) { self.result = result }

        /// Creates a publisher that sends a value and finishes.
        @inlinable @inline(__always) public init(_ output: Success) { result = .success(output) }

        /// Creates a publisher that fails with an error.
        @inlinable @inline(__always) public init(_ failure: Failure) { result = .failure(failure) }

        @inlinable func attach(_ subscriber: some Subscriber<Success, Failure>) {
            switch result {
            case .success(let output):
                PullSubscription.run(CollectionOfOne(output), named: "Once", completion: .finished, to: subscriber)
            case .failure(let error):
                Fail(error: error).receive(subscriber: subscriber)
            }
        }
    }
}

extension Result.Publisher: Sendable where Success: Sendable {}
extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
