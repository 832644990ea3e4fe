import Streams

/// Keeps cancellables until it is told to cancel them, so that code inside a loop can cancel the loop.
final class Keeper: Sendable {
    private let kept = Lock<[AnyCancellable]>([])

    func keep(_ cancellable: AnyCancellable) { kept.withLock { $0.append(cancellable) } }

    /// Cancels what is kept, and goes on keeping it: cancelling is not the same as letting go.
    func cancel() { for cancellable in kept.withLock({ $0 }) { cancellable.cancel() } }

    /// Lets go of what is kept.
    func drop() {
        let dropped = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        withExtendedLifetime(dropped) {}
    }
}
