import Streams
import Synchronization

/// How far the turns of a loop have been released, so that what they have led to may be told. Safe from any thread.
@usableFromInline
package final class GateProgress: Sendable {
    private struct Progress: @unchecked Sendable {
        // Sound: only used behind the lock.
        var released: UInt64 = 0
        var failure: SendError?
        /// Whether the loop is to be woken at the next progress.
        var isWatched = false
        var wake: (() -> Void)?
    }

    private let progress = Lock(Progress())
    /// What is released while nothing has failed; 0 otherwise, when a look behind the lock is needed.
    private let open = Atomic<UInt64>(0)

    package init() {}

    /// Releases everything up to a position.
    package func release(through position: UInt64) {
        change { $0.released = max($0.released, position) }
    }

    /// Releases only what is up to a position from now on.
    package func restrain(to position: UInt64) {
        progress.withLock { progress in
            progress.released = position
            noteOpen(progress)
        }
    }

    /// Keeps ``open`` as it has to be. Called behind the lock.
    private func noteOpen(_ progress: Progress) {
        open.store(progress.failure == nil ? progress.released : 0, ordering: .releasing)
    }

    /// Fails the waits for everything that is held, and for what will be until the failure is lifted by nil. What is held stays so.
    package func fail(_ error: SendError?) {
        change { progress in
            progress.failure = error
            if error != nil { progress.isWatched = true }
        }
    }

    /// Has the loop take a turn.
    package func wakeLoop() { change { $0.isWatched = true } }

    private func change(_ change: (inout Progress) -> Void) {
        let wake = progress.withLock { progress in
            change(&progress)
            noteOpen(progress)
            defer { progress.isWatched = false }
            return UncheckedTransfer(progress.isWatched ? progress.wake : nil)
        }
        wake.value?()
    }

    // MARK: For the loop

    /// Sets what wakes the loop; nil once it has ended.
    func setWake(_ wake: (() -> Void)?) {
        let wake = UncheckedTransfer(wake)
        let old = progress.withLock { progress in
            defer { progress.wake = wake.value }
            return UncheckedTransfer(progress.wake)
        }
        discard(old)
    }

    /// The failure that is not lifted, if any.
    var failure: SendError? { progress.withLock { $0.failure } }

    /// Whether a position has been released. If not, the loop will be woken.
    func isReleased(_ position: UInt64) -> Bool {
        let open = open.load(ordering: .acquiring)
        if open > 0, open >= position { return true }
        return progress.withLock { progress in
            if progress.failure == nil, progress.released >= position { return true }
            progress.isWatched = true
            return false
        }
    }
}
