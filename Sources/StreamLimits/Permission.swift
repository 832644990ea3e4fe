import Streams

/// A publisher without values that finishes when it is permitted to. An operator puts it before its upstream.
struct Permission<Output, Failure: Error>: Publisher {
    /// Asks for the permission. Called once per subscription, after the subscriber has received it.
    let ask: (PermissionSubscription<Failure>) -> Void

    func receive(subscriber: some Subscriber<Output, Failure>) {
        let subscription = PermissionSubscription<Failure> { subscriber.receive(completion: $0) }
        subscriber.receive(subscription: subscription)
        if subscription.isOpen { ask(subscription) }
    }
}

/// A subscription that waits for a permission.
final class PermissionSubscription<Failure: Error>: Subscription, RateWaiter, @unchecked Sendable {
    // Sound: `state` is behind its lock, and `place` behind the limiter's.
    var place: Int?
    private let state: Lock<State>

    private struct State: @unchecked Sendable {
        // Sound: accessed only with the lock held.
        /// Completes the downstream; nil once that has happened, or after a cancellation.
        var complete: ((Subscribers.Completion<Failure>) -> Void)?
        var leave: ((PermissionSubscription) -> Void)?
    }

    init(_ complete: @escaping (Subscribers.Completion<Failure>) -> Void) { state = Lock(State(complete: complete)) }

    var isOpen: Bool { state.withLock { $0.complete != nil } }

    func begin() { complete(with: .finished) }

    func complete(with completion: Subscribers.Completion<Failure>) { close().complete?(completion) }

    /// Sets the action of a cancellation, and runs it now if the subscription was cancelled before.
    func whenCancelled(_ leave: @escaping (PermissionSubscription) -> Void) {
        let isOpen = state.withLock { state in
            if state.complete != nil { state.leave = leave }
            return state.complete != nil
        }
        if !isOpen { leave(self) }
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
        let state = close()
        state.leave?(self)
    }

    private func close() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}
