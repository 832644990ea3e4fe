extension Publisher where Failure == Never {
    /// The values as an asynchronous sequence: `for await line in lines.values { print(line) }`.
    ///
    /// Each step asks for one value: a publisher that honours demand never runs ahead. The subscription is made with the
    /// iterator, and cancelled when the task is cancelled or the iterator is released.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
    /// The values as an asynchronous sequence that throws the publisher's error.
    ///
    /// See the form for publishers that cannot fail for how it asks and ends.
    @_disfavoredOverload public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that cannot fail, as an asynchronous sequence.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// What is iterated over.
    public typealias Element = P.Output
    /// It cannot fail.
    public typealias Failure = Never
    private let publisher: P
    /// The values of a publisher.
    public init(_ publisher: P) { self.publisher = publisher }
    /// Subscribes.
    public func makeAsyncIterator() -> Iterator { Iterator(link: AsyncBridge.subscribe(to: publisher)) }
    /// Iterates over the values of one subscription.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let link: AsyncBridge<P.Output, Never>.Link
        /// The next value; nil when the publisher has finished or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
            await link.next(isolation: actor).get()
        }
    }
}

/// The values of a publisher, as an asynchronous sequence that throws the publisher's error.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// What is iterated over.
    public typealias Element = P.Output
    /// What a loop throws, as with Combine: given an iterator of a narrower kind, `rethrows` crashes the compiler (6.3).
    public typealias Failure = any Error
    private let publisher: P
    /// The values of a publisher.
    public init(_ publisher: P) { self.publisher = publisher }
    /// Subscribes.
    public func makeAsyncIterator() -> Iterator { Iterator(link: AsyncBridge.subscribe(to: publisher)) }
    /// Iterates over the values of one subscription.
    public struct Iterator: AsyncIteratorProtocol {
        /// What a loop throws; ``next()`` throws the publisher's error.
        public typealias Failure = any Error
        fileprivate let link: AsyncBridge<P.Output, P.Failure>.Link
        /// The next value; nil when the publisher has finished or the task was cancelled. Throws the publisher's error.
        public mutating func next() async throws(P.Failure) -> P.Output? { try await link.next().get() }
        /// The next value; nil when the publisher has finished or the task was cancelled. Throws the publisher's error.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure) -> P.Output? {
            try await link.next(isolation: actor).get()
        }
    }
}
extension AsyncPublisher: Sendable where P: Sendable {}
extension AsyncThrowingPublisher: Sendable where P: Sendable {}
