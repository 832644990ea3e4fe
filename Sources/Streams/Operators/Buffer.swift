extension Publishers {
    /// The strategy by which a buffer requests values from its upstream.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// On subscription, requests as many values as the buffer can hold; then another one for each value that is sent. A buffer of size
        /// zero requests nothing.
        case keepFull
        /// On subscription, requests an unlimited number of values.
        case byRequest
    }

    /// The treatment of a value that arrives when it is full.
    public enum BufferingStrategy<Failure: Error>: Sendable {
        /// Drops the new value.
        case dropNewest
        /// Drops the oldest value in the buffer, and keeps the new one.
        case dropOldest
        /// Drops the new value, cancels the upstream, and fails once all values that were requested have been delivered. If none
        /// is requested at that time, the failure follows the values of the next request; if the buffer is empty, it is
        /// delivered at once.
        @preconcurrency case customError(@Sendable () -> Failure)
    }

    /// A publisher that keeps values until they are requested.
    public struct Buffer<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The number of values that the buffer holds.
        @usableFromInline let size: Int
        /// The strategy that determines when the buffer requests values from the upstream.
        @usableFromInline let prefetch: PrefetchStrategy
        /// The treatment of a value that arrives when it is full.
        @usableFromInline let whenFull: BufferingStrategy<Upstream.Failure>

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            precondition(size >= 0, "buffer(size: \(size)): the size must be zero or more")
            let demand = prefetch == .keepFull ? Subscribers.Demand.max(size) : .unlimited
            upstream.subscribe(BufferSubscriber(subscriber, named: "Buffer", size, whenFull, asking: demand))
        }
    }
}

extension Publishers.Buffer: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Keeps values until the downstream requests them.
    ///
    /// When the upstream finishes, the buffered values are still delivered first. When it fails, they are dropped, and the
    /// failure is delivered at once.
    /// - Parameters:
    ///   - size: The number of values that may wait; zero or more. Values that were requested, and wait only because another one
    ///     is being delivered, do not count.
    ///   - prefetch: The demand of the buffer on the upstream.
    ///   - whenFull: The treatment of a value that arrives when the buffer is full.
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> { .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull) }
}

/// Keeps values that arrive before they are requested, as many as there is room for.
@usableFromInline
final class BufferSubscriber<Downstream: Subscriber>: DeliverySubscription<Downstream>, Subscriber, @unchecked Sendable {
    // Sound: as the base class says; the lock of the delivery protects `size` and `whenFull`, and `onRequest` is set before other
    // threads can reach this object.
    @usableFromInline let inlet = Inlet()
    /// The initial request to the upstream. If it is limited, one more value is requested for each value sent.
    @usableFromInline let prefetch: Subscribers.Demand
    @exclusivity(unchecked) @usableFromInline var whenFull: Publishers.BufferingStrategy<Downstream.Failure>
    @exclusivity(unchecked) @usableFromInline var size: Int
    /// Called after each request for values.
    @usableFromInline var onRequest: (() -> Void)?

    @inlinable init(
        _ downstream: Downstream, named name: String, _ size: Int,
        _ whenFull: Publishers.BufferingStrategy<Downstream.Failure>, asking prefetch: Subscribers.Demand
    ) {
        self.prefetch = prefetch
        self.whenFull = whenFull
        self.size = size
        super.init(downstream, named: name)
    }

    @inlinable func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        inlet.request(prefetch)
        start()
    }

    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if inlet.isEnded { return .none }
        // Dropped values are released outside the lock, since their `deinit` may be user code.
        var dropped: Downstream.Input?
        var makeError: (@Sendable () -> Downstream.Failure)?
        let sent = deliver { delivery in
            // Values that were requested, and wait only because another one is being sent, take no room.
            guard delivery.demand + .max(size) <= .max(delivery.values.count) else { return delivery.enqueue(input) }
            switch whenFull {
            case .dropNewest: return .idle
            case .customError(let make):
                makeError = make
                return .idle
            case .dropOldest:
                // The oldest value that was not requested.
                dropped = delivery.demand.max.flatMap { delivery.values.remove(at: $0) }
                return dropped == nil ? .idle : delivery.enqueue(input)
            }
        }
        discard(dropped)
        guard let error = makeError?() else { return prefetch == .unlimited ? .none : .max(sent) }
        inlet.cancel()
        _ = deliver { $0.failAfterRequested(error) }
        return .none
    }

    @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) { if inlet.finish() { finish(completion) } }

    override func didSend(_ count: Int) { if prefetch != .unlimited { inlet.request(.max(count)) } }

    /// Releases the closure that makes an error.
    override func release() {
        let before = delivery.withLock { _ in
            defer { whenFull = .dropNewest }
            return whenFull
        }
        discard(before)
    }

    override func request(_ demand: Subscribers.Demand) {
        super.request(demand)
        if demand != .none { onRequest?() }
    }

    override func cancel() {
        super.cancel()
        inlet.cancel()
    }
}
