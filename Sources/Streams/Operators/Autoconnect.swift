extension Publishers {
    /// A publisher that connects when the first subscriber comes and disconnects when the last one has gone.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Operator, Attaching {
        /// What is connected.
        public let upstream: Upstream
        @usableFromInline let connections = Connections()

        /// A publisher that connects by itself.
        public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            var events = Events<Upstream.Output, Failure>()
            events.completion = { [connections] _ in connections.leave() }
            events.cancel = { [connections] in connections.leave() }
            connections.enter()
            upstream.subscribe(EventsSubscriber(EventsDownstream(subscriber, events), named: ""))
            connections.connect(upstream.connect)
        }
    }
}

// Sound where the upstream is: `connections` guards itself.
extension Publishers.Autoconnect: @unchecked Sendable where Upstream: Sendable {}

extension ConnectablePublisher {
    /// Connects when the first subscriber comes and disconnects when the last one has gone.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

/// How many subscribers there are, and the connection that they share. They own it together: the last to go disconnects,
/// also when nobody holds the publisher any more.
@usableFromInline final class Connections: @unchecked Sendable {
    // Sound: all is behind the lock.
    private let state = Lock(UncheckedBox((members: 0, isConnecting: false, connection: (any Cancellable)?.none)))

    @usableFromInline func enter() { state.withLock { $0.value.members += 1 } }

    /// Connects, if that has not been done and there is still somebody to do it for; if everybody has gone meanwhile, no more.
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

    @usableFromInline func leave() {
        state.withLock { state in
            state.value.members -= 1
            return UncheckedTransfer(state.value.members == 0 ? state.value.connection.take() : nil)
        }.value?.cancel()
    }
}
