/// A publisher that sends one value and finishes.
@frozen public struct Just<Output>: Attaching {
    /// `Never`, as the publisher cannot fail.
    public typealias Failure = Never
    /// The value.
    public let output: Output

    /// Creates a publisher of one value.
    @inlinable @inline(__always) public init(_ output: Output) { self.output = output }

    @inlinable package func attach(_ subscriber: some Subscriber<Output, Never>) {
        PullSubscription.run(CollectionOfOne(output), named: "Just", completion: .finished, to: subscriber)
    }

    /// Passes the value to a closure: see `Publisher._sendReady(to:)`.
    @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
        _ = take(output)
        return .taken
    }

    /// Transforms the value, at once.
    @inlinable @inline(__always) public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

    /// Sends the value, with another failure type.
    @inlinable public func setFailureType<E>(to failureType: E.Type) -> Result<Output, E>.Publisher { .init(output) }
}

extension Just: Sendable where Output: Sendable {}
extension Just: Equatable where Output: Equatable {}

extension Optional {
    /// A publisher that sends the value, if there is one, and finishes.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher of at most one value, which cannot fail.
    @frozen public struct Publisher: Attaching {
        /// The type of the value.
        public typealias Output = Wrapped
        /// `Never`, as the publisher cannot fail.
        public typealias Failure = Never
        /// The value, if there is one.
        public let output: Wrapped?

        /// Creates a publisher that sends the value, if there is one, and finishes.
        @inlinable @inline(__always) public init(_ output: Wrapped?) { self.output = output }

        @inlinable package func attach(_ subscriber: some Subscriber<Wrapped, Never>) {
            guard let output else { return Empty(completeImmediately: true).receive(subscriber: subscriber) }
            PullSubscription.run(CollectionOfOne(output), named: "Optional", completion: .finished, to: subscriber)
        }

        /// Passes the value, if there is one, to a closure: see `Publisher._sendReady(to:)`.
        @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
            if let output { _ = take(output) }
            return .taken
        }

        /// Transforms the value, if there is one, at once.
        @inlinable @inline(__always)
        public func map<T>(_ transform: (Wrapped) -> T) -> T?.Publisher { .init(output.map(transform)) }
    }
}

extension Optional.Publisher: Sendable where Wrapped: Sendable {}
extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Result {
    /// A publisher that sends the value and finishes, or fails with the error.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher that sends a value and finishes, or fails with an error.
    @frozen public struct Publisher: Attaching {
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

        @inlinable package func attach(_ subscriber: some Subscriber<Success, Failure>) {
            switch result {
            case .success(let output):
                PullSubscription.run(CollectionOfOne(output), named: "Once", completion: .finished, to: subscriber)
            case .failure(let error):
                Fail(error: error).receive(subscriber: subscriber)
            }
        }

        /// Passes the value, unless there is an error, to a closure: see `Publisher._sendReady(to:)`.
        @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
            guard case .success(let output) = result else { return .unready }
            _ = take(output)
            return .taken
        }

        /// Transforms the value, at once.
        @inlinable @inline(__always)
        public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher { .init(result.map(transform)) }
    }
}

extension Result.Publisher: Sendable where Success: Sendable {}
extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
