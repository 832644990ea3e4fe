/// A publisher that is created for each subscriber when it subscribes: `Deferred { Just(ContinuousClock.now) }`.
@frozen public struct Deferred<DeferredPublisher: Publisher>: Attaching, Sendable {
    /// The type of the values.
    public typealias Output = DeferredPublisher.Output
    /// The type of the error.
    public typealias Failure = DeferredPublisher.Failure
    /// Creates the publisher. Called once for each subscriber, on the thread that subscribes.
    public let createPublisher: @Sendable () -> DeferredPublisher
    /// Creates a publisher that creates another one for each subscriber.
    ///
    /// - Parameter createPublisher: Creates the publisher. Called once for each subscriber, on the thread that subscribes. If it
    ///   leads to the cancellation of an operator downstream, such as `flatMap`, the publisher is nevertheless subscribed to, and
    ///   cancelled at once, since a subscriber cannot refuse a subscription in advance.
    @preconcurrency @inlinable @inline(__always)
    public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) { self.createPublisher = createPublisher }

    @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Output, Failure>) {
        WorkContext.bind(for: subscriber._subscriberContext) {
            createPublisher()._receive(trusting: subscriber, named: "Deferred")
        }
    }
}
