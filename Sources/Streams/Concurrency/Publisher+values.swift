extension Publisher where Failure == Never {
    /// The values as an asynchronous sequence: `for await line in lines.values { print(line) }`.
    ///
    /// Each step requests one value, so a publisher that honors demand never runs ahead. The subscription is made with the
    /// iterator, and cancelled when the task is cancelled or the iterator is released.
    ///
    /// A publisher without a buffer drops the values that it would send between two steps: a `PassthroughSubject` drops all of
    /// them, a `CurrentValueSubject` and the states of a loop all but the newest. To receive every value, use
    /// ``values(bufferingPolicy:)``.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }

    /// Returns the values as an asynchronous sequence that buffers those that arrive between two steps.
    ///
    /// ```swift
    /// for await state in store.states.values { draw(state) }                                // the newest
    /// for await state in store.states.values(bufferingPolicy: .unbounded) { log(state) }    // every one
    /// ```
    /// The sequence requests all values at once. The subscription is made with the iterator, so values that were sent before are
    /// not buffered. It is cancelled when the task is cancelled or the iterator is released.
    ///
    /// - Parameter policy: The values to keep when they arrive faster than they are read. `.unbounded` keeps all of them, in
    ///   memory that grows with their number. A limit below one counts as one.
    /// - Returns: An asynchronous sequence of the values.
    public func values(
        bufferingPolicy policy: AsyncStream<Output>.Continuation.BufferingPolicy
    ) -> AsyncPublisher<Publishers.Buffer<Self>> { buffer(policy).values }
}

extension Publisher {
    /// The values as an asynchronous sequence that throws the publisher's error.
    ///
    /// It requests values and ends its subscription as the property of publishers that cannot fail does.
    @_disfavoredOverload public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }

    /// Returns the values as an asynchronous sequence that buffers those that arrive between two steps and throws the publisher's
    /// error.
    ///
    /// An error is not delayed by buffered values; these are dropped.
    ///
    /// - Parameter policy: The values to keep when they arrive faster than they are read. A limit below one counts as one.
    /// - Returns: An asynchronous sequence of the values.
    @_disfavoredOverload public func values(
        bufferingPolicy policy: AsyncStream<Output>.Continuation.BufferingPolicy
    ) -> AsyncThrowingPublisher<Publishers.Buffer<Self>> { AsyncThrowingPublisher(buffer(policy)) }

    private func buffer(_ policy: AsyncStream<Output>.Continuation.BufferingPolicy) -> Publishers.Buffer<Self> {
        switch policy {
        case .bufferingOldest(let limit): buffer(size: Swift.max(1, limit), prefetch: .byRequest, whenFull: .dropNewest)
        case .bufferingNewest(let limit): buffer(size: Swift.max(1, limit), prefetch: .byRequest, whenFull: .dropOldest)
        case .unbounded: buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
        @unknown default: buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
        }
    }
}

/// An asynchronous sequence of the values of a publisher that cannot fail.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// The type of the values.
    public typealias Element = P.Output
    /// `Never`, as the publisher cannot fail.
    public typealias Failure = Never
    private let publisher: P

    /// Creates a sequence of a publisher's values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher, and returns an iterator over its values.
    public func makeAsyncIterator() -> Iterator { Iterator(link: AsyncBridge.subscribe(to: publisher)) }

    /// An iterator over the values of one subscription.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let link: AsyncBridge<P.Output, Never>.Link

        /// Waits for the next value.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The value; nil if the publisher has finished or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
            await link.next(isolation: actor).get()
        }
    }
}

/// An asynchronous sequence of a publisher's values that throws the publisher's error.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// The type of the values.
    public typealias Element = P.Output
    /// `any Error`, as in Combine: with a narrower type, `rethrows` crashes the compiler (6.3).
    public typealias Failure = any Error
    private let publisher: P

    /// Creates a sequence of a publisher's values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher, and returns an iterator over its values.
    public func makeAsyncIterator() -> Iterator { Iterator(link: AsyncBridge.subscribe(to: publisher)) }

    /// An iterator over the values of one subscription.
    public struct Iterator: AsyncIteratorProtocol {
        /// The error type of a `for` loop; ``next()`` throws the publisher's own type of error.
        public typealias Failure = any Error
        fileprivate let link: AsyncBridge<P.Output, P.Failure>.Link

        /// Waits for the next value.
        ///
        /// - Returns: The value; nil if the publisher has finished or the task was cancelled.
        /// - Throws: The publisher's error.
        public mutating func next() async throws(P.Failure) -> P.Output? { try await link.next().get() }

        /// Waits for the next value.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The value; nil if the publisher has finished or the task was cancelled.
        /// - Throws: The publisher's error.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure) -> P.Output? {
            try await link.next(isolation: actor).get()
        }
    }
}

extension AsyncPublisher: Sendable where P: Sendable {}
extension AsyncThrowingPublisher: Sendable where P: Sendable {}
