import Synchronization

extension Publishers {
    /// A publisher that connects when the first subscriber comes and disconnects when the last one has gone.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        /// What is sent.
        public typealias Output = Upstream.Output
        /// How it may fail.
        public typealias Failure = Upstream.Failure

        /// What is connected.
        public let upstream: Upstream

        private let guarded = Mutex(UncheckedBox(State()))

        private struct State {
            var subscribers = 0
            var connection: (any Cancellable)?
        }

        /// A publisher that connects by itself.
        public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isFirst = guarded.withLock { state in
                state.value.subscribers += 1
                return state.value.subscribers == 1
            }
            upstream.subscribe(CountingSubscriber(subscriber) { [weak self] in self?.oneLess() })
            guard isFirst else { return }
            let connection = UncheckedTransfer(upstream.connect())
            // Everybody may have gone while it connected.
            let isNeeded = guarded.withLock { state in
                guard state.value.subscribers > 0, state.value.connection == nil else { return false }
                state.value.connection = connection.value
                return true
            }
            if !isNeeded { connection.value.cancel() }
        }

        private func oneLess() {
            let connection = guarded.withLock { state -> UncheckedTransfer<(any Cancellable)?> in
                state.value.subscribers -= 1
                guard state.value.subscribers == 0 else { return UncheckedTransfer(nil) }
                return UncheckedTransfer(state.value.connection.take())
            }.value
            connection?.cancel()
        }
    }
}

// Sound where the upstream is: the state is behind the lock.
extension Publishers.Autoconnect: @unchecked Sendable where Upstream: Sendable {}

extension ConnectablePublisher {
    /// Connects when the first subscriber comes and disconnects when the last one has gone.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

/// Tells when a subscriber no longer takes part, once.
private final class CountingSubscriber<Downstream: Subscriber>:
    InterceptingSubscriber<Downstream.Input, Downstream>, @unchecked Sendable
{
    // Sound: as the base class says; `onEnd` is taken out by whoever ends first.
    private let hasEnded = Atomic<Bool>(false)
    private let onEnd: () -> Void

    init(_ downstream: Downstream, onEnd: @escaping () -> Void) {
        self.onEnd = onEnd
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

    private func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { onEnd() }
    }
}
