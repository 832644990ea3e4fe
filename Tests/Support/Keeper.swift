import Streams

/// Keeps cancellables until it is told to cancel them, so that code inside a loop can cancel the loop.
package final class Keeper: Sendable {
    private let kept = Lock<[AnyCancellable]>([])

    package init() {}

    package func keep(_ cancellable: AnyCancellable) { kept.withLock { $0.append(cancellable) } }

    /// Cancels what is kept, and goes on keeping it: cancelling is not the same as letting go.
    package func cancel() { for cancellable in kept.withLock({ $0 }) { cancellable.cancel() } }

    /// Lets go of what is kept.
    package func drop() {
        let dropped = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        withExtendedLifetime(dropped) {}
    }
}
