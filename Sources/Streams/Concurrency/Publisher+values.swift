extension Publisher where Failure == Never {
    /// The values as an asynchronous sequence: `for await line in lines.values { print(line) }`.
    ///
    /// Each step asks for one value: a publisher that honours demand never runs ahead. The subscription is made with the
    /// iterator, and cancelled when the task is cancelled or the iterator is released.
    ///
    /// A publisher that keeps nothing for a slow subscriber drops what comes between two steps: a `PassthroughSubject` drops
    /// all of it, a `CurrentValueSubject` and the states of a loop all but the newest. To miss nothing, use
    /// ``values(bufferingPolicy:)``.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }

    /// The values as an asynchronous sequence that keeps what comes between two steps.
    ///
    /// ```swift
    /// for await state in store.states.values { draw(state) }                                // the newest
    /// for await state in store.states.values(bufferingPolicy: .unbounded) { log(state) }    // every one
    /// ```
    /// The publisher is asked for all of its values at once. The subscription is made with the iterator: what was sent before is
    /// not kept. It is cancelled when the task is cancelled or the iterator is released.
    ///
    /// - Parameter policy: Which values are kept when they come faster than they are taken; `.unbounded`, which keeps all, takes
    ///   memory for as many as wait. A limit below one is one.
    /// - Returns: The sequence.
    public func values(
        bufferingPolicy policy: AsyncStream<Output>.Continuation.BufferingPolicy
    ) -> AsyncPublisher<Publishers.Buffer<Self>> { buffer(policy).values }
}

extension Publisher {
    /// The values as an asynchronous sequence that throws the publisher's error.
    ///
    /// See the form for publishers that cannot fail for how it asks and ends.
    @_disfavoredOverload public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }

    /// The values as an asynchronous sequence that keeps what comes between two steps, and throws the publisher's error.
    ///
    /// An error does not wait for the values that are kept: these are dropped.
    ///
    /// - Parameter policy: Which values are kept when they come faster than they are taken. A limit below one is one.
    /// - Returns: The sequence.
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
