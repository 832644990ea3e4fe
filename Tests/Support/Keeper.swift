import Streams

/// Stores cancellables until `cancel` is called, so that code inside a loop can cancel the loop.
package final class Keeper: Sendable {
    private let kept = Lock<[AnyCancellable]>([])

    package init() {}

    package func keep(_ cancellable: AnyCancellable) { kept.withLock { $0.append(cancellable) } }

    /// Cancels what is kept, and goes on keeping it: cancelling is not the same as letting go.
    ///
    /// - Returns: Whether anything was kept.
    @discardableResult package func cancel() -> Bool {
        let cancelled = kept.withLock { $0 }
        for cancellable in cancelled { cancellable.cancel() }
        return !cancelled.isEmpty
    }

    /// Releases the object that is kept.
    ///
    /// - Returns: Whether anything was kept. If nothing was, another thread may have taken it, and be about to release it.
    @discardableResult package func drop() -> Bool {
        let dropped = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        return !dropped.isEmpty
    }
}
