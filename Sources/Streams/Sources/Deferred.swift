/// A publisher that is made anew for each subscriber, when it subscribes: `Deferred { Just(ContinuousClock.now) }`.
@frozen public struct Deferred<DeferredPublisher: Publisher>: GrammaticalPublisher, Attaching, Sendable {
    /// What is sent.
    public typealias Output = DeferredPublisher.Output
    /// How it may fail.
    public typealias Failure = DeferredPublisher.Failure
    /// Makes the publisher; run once for each subscriber, on the thread that subscribes.
    public let createPublisher: @Sendable () -> DeferredPublisher
    /// A publisher that is made on subscription.
    @preconcurrency @inlinable @inline(__always)
    public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) { self.createPublisher = createPublisher }

    @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
        createPublisher()._receive(trusting: subscriber, named: "Deferred")
    }
}
