extension Publishers {
    /// A publisher that connects its upstream for the first subscriber and disconnects it after the last.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Operator {
        /// The connectable upstream publisher.
        public let upstream: Upstream
        @usableFromInline let connections = Connections()

        /// Creates a publisher that connects its upstream automatically.
        init(upstream: Upstream) { self.upstream = upstream }

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            connections.enter()
            upstream.subscribe(EventsSubscriber(EventsDownstream(subscriber, connections.leaving()), named: ""))
            connections.connect(upstream.connect)
        }
    }
}

// Sound if the upstream is Sendable: `connections` is synchronized.
extension Publishers.Autoconnect: @unchecked Sendable where Upstream: Sendable {}

extension ConnectablePublisher {
    /// Connects this publisher when the first subscriber subscribes, and disconnects it when the last one has cancelled or
    /// received the completion.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

/// The number of subscribers, and the connection that they share. The subscribers keep this object alive: the last one
/// disconnects even if the publisher has been released.
@usableFromInline final class Connections: @unchecked Sendable {
    // Sound: all state is behind the lock.
    private let state = Lock((members: 0, connection: SubscriptionSlot?.none))

    @usableFromInline func enter() { state.withLock { $0.members += 1 } }

    /// Connects, unless a connection exists or is being made, or no subscriber is left. If the last subscriber leaves while the
    /// connection is being made, its slot is cancelled, and then cancels it.
    @usableFromInline func connect(_ connect: () -> any Cancellable) {
        let slot = state.withLock { state -> SubscriptionSlot? in
            guard state.members > 0, state.connection == nil else { return nil }
            state.connection = SubscriptionSlot()
            return state.connection
        }
        if let slot { _ = slot.fill(Cancelling(mayRepeat: true, connect())) }
    }

    /// The events by which a subscriber leaves.
    @usableFromInline func leaving<Output, Failure>() -> Events<Output, Failure> {
        Events(completion: { _ in self.leave() }, cancel: leave)
    }

    private func leave() {
        state.withLock { state in
            state.members -= 1
            return state.members == 0 ? state.connection.take() : nil
        }?.cancel()
    }
}
