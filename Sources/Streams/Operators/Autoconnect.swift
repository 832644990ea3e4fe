import Synchronization

extension Publishers {
    /// A publisher that connects when the first subscriber comes and disconnects when the last one has gone.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Operator {
        /// What is connected.
        public let upstream: Upstream

        private let connections = Connections()

        /// A publisher that connects by itself.
        public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Failure {
            connections.oneMore()
            upstream.subscribe(CountingSubscriber(subscriber, connections))
            // It may be gone by now, for instance because the upstream's subject has ended.
            if connections.mayConnect() { connections.keep(upstream.connect()) }
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
private final class Connections: Sendable {
    private struct State: @unchecked Sendable {
        // Sound: behind the lock.
        var subscribers = 0
        var isConnecting = false
        var connection: (any Cancellable)?
    }

    private let guarded = Lock(State())

    func oneMore() { guarded.withLock { $0.subscribers += 1 } }

    /// Whether the caller is the one to connect.
    func mayConnect() -> Bool {
        guarded.withLock { state in
            guard state.subscribers > 0, state.connection == nil, !state.isConnecting else { return false }
            state.isConnecting = true
            return true
        }
    }

    /// Takes the connection in; if everybody has gone while it was made, it is cancelled.
    func keep(_ connection: any Cancellable) {
        let connection = UncheckedTransfer(connection)
        let isNeeded = guarded.withLock { state in
            state.isConnecting = false
            guard state.subscribers > 0 else { return false }
            state.connection = connection.value
            return true
        }
        if !isNeeded { connection.value.cancel() }
    }

    func oneLess() {
        let connection = guarded.withLock { state -> UncheckedTransfer<(any Cancellable)?> in
            state.subscribers -= 1
            return UncheckedTransfer(state.subscribers == 0 ? state.connection.take() : nil)
        }.value
        connection?.cancel()
    }
}

/// Tells when a subscriber no longer takes part, once.
private final class CountingSubscriber<Downstream: Subscriber>:
    InterceptingSubscriber<Downstream.Input, Downstream.Failure, Downstream>, @unchecked Sendable
{
    // Sound: as the base class says; `connections` is taken out under its lock.
    private let connections: Lock<Connections?>

    init(_ downstream: Downstream, _ connections: Connections) {
        self.connections = Lock(connections)
        super.init(downstream, named: "Autoconnect")
    }

    override func receive(_ input: Downstream.Input) -> Subscribers.Demand { outlet.send(input) }

    override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        end()
        super.receive(completion: completion)
    }

    override func cancel() {
        super.cancel()
        end()
    }

    private func end() { connections.withLock { $0.take() }?.oneLess() }
}
