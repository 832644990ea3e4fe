extension Result {
    /// A publisher that sends the value and finishes, or fails.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher of a value or an error.
    @frozen public struct Publisher: SingleValuePublisher, Attaching {
        /// What is sent.
        public typealias Output = Success
        /// The value or the error.
        public let result: Result

        /// A publisher of a value or an error.
        @inlinable @inline(__always) public init(_ result: Result) { self.result = result }

        /// A publisher of a value.
        @inlinable @inline(__always) public init(_ output: Success) { result = .success(output) }

        /// A publisher of an error.
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
