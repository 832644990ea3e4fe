import Streams

/// Stores cancellables until `cancel` is called, so that code inside a loop can cancel the loop.
package final class Keeper: Sendable {
    private let kept = Lock<[AnyCancellable]>([])

    package init() {}

    package func keep(_ cancellable: AnyCancellable) { kept.withLock { $0.append(cancellable) } }

    /// Cancels the stored cancellables, and keeps them, since cancelling and releasing differ.
    ///
    /// - Returns: Whether anything was stored.
    @discardableResult package func cancel() -> Bool {
        let cancelled = kept.withLock { $0 }
        for cancellable in cancelled { cancellable.cancel() }
        return !cancelled.isEmpty
    }

    /// Releases the stored object.
    ///
    /// - Returns: Whether anything was stored. If nothing was, another thread may have taken the object, and be about to release
    ///   it.
    @discardableResult package func drop() -> Bool {
        let dropped = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        return !dropped.isEmpty
    }
}
