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
    private let state = Lock(UncheckedBox((members: 0, isConnecting: false, connection: (any Cancellable)?.none)))

    @usableFromInline func enter() { state.withLock { $0.value.members += 1 } }

    /// Connects, unless a connection exists or is being made, or no subscriber is left. If the last subscriber leaves while the
    /// connection is being made, cancels it.
    @usableFromInline func connect(_ connect: () -> any Cancellable) {
        let isDue = state.withLock { state in
            let isDue = state.value.members > 0 && state.value.connection == nil && !state.value.isConnecting
            if isDue { state.value.isConnecting = true }
            return isDue
        }
        guard isDue else { return }
        let connection = UncheckedTransfer(connect())
        let isNeeded = state.withLock { state in
            state.value.isConnecting = false
            if state.value.members > 0 { state.value.connection = connection.value }
            return state.value.members > 0
        }
        if !isNeeded { connection.value.cancel() }
    }

    /// The events by which a subscriber leaves.
    @usableFromInline func leaving<Output, Failure>() -> Events<Output, Failure> {
        Events(completion: { _ in self.leave() }, cancel: leave)
    }

    private func leave() {
        state.withLock { state in
            state.value.members -= 1
            return UncheckedTransfer(state.value.members == 0 ? state.value.connection.take() : nil)
        }.value?.cancel()
    }
}
