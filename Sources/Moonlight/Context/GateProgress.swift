import Streams
import Synchronization

/// A loop that is woken when something has been released.
@usableFromInline
package protocol GatedLoop: AnyObject, Sendable { func wake() }

/// How far the turns of a loop have been released, so that what they have led to may be told. A part of its ``TurnLog``. Safe from any
/// thread.
@usableFromInline
package struct GateProgress: ~Copyable, Sendable {
    @usableFromInline
    struct Guarded: Sendable {
        var loop: (any GatedLoop)?
        var failure: SendError?
        /// Whether the loop is to be woken at the next progress.
        var isWatched = false
    }

    /// Everything up to this position is released while nothing has failed. Changed behind the lock.
    @usableFromInline let released = Atomic<UInt64>(0)
    @usableFromInline let guarded = Lock(Guarded())
    /// Whether there is a failure, so that a look behind the lock is not needed.
    @usableFromInline let hasFailed = Atomic<Bool>(false)

    package init() {}

    /// Releases everything up to a position.
    package func release(through position: UInt64) {
        change { _ in
            if released.load(ordering: .relaxed) < position { released.store(position, ordering: .releasing) }
        }
    }

    /// Releases only what is up to a position from now on.
    package func restrain(to position: UInt64) { guarded.withLock { _ in released.store(position, ordering: .releasing) } }

    /// Fails the waits for everything that is held, and for what will be until the failure is lifted by nil. What is held stays so.
    package func fail(_ error: SendError?) {
        change { guarded in
            guarded.failure = error
            hasFailed.store(error != nil, ordering: .releasing)
            if error != nil { guarded.isWatched = true }
        }
    }

    /// Has the loop take a turn.
    package func wakeLoop() { change { $0.isWatched = true } }

    private func change(_ change: (inout Guarded) -> Void) {
        let loop = guarded.withLock { guarded in
            change(&guarded)
            defer { guarded.isWatched = false }
            return guarded.isWatched ? guarded.loop : nil
        }
        loop?.wake()
    }

    // MARK: For the loop

    /// Sets the loop to be woken; nil once it has ended.
    package func setLoop(_ loop: (any GatedLoop)?) {
        let old = guarded.withLock { guarded in
            defer { guarded.loop = loop }
            return guarded.loop
        }
        discard(old)
    }

    /// The failure that is not lifted, if any.
    package var failure: SendError? { guarded.withLock { $0.failure } }

    /// Whether a position has been released. If not, the loop will be woken.
    package func isReleased(_ position: UInt64) -> Bool {
        if isOpen(position) { return true }
        return guarded.withLock { guarded in
            if isOpen(position) { return true }
            guarded.isWatched = true
            return false
        }
    }

    /// What is released stays so, but for the loop's own ``restrain(to:)``: both hold when the second is read.
    private func isOpen(_ position: UInt64) -> Bool {
        released.load(ordering: .acquiring) >= position && !hasFailed.load(ordering: .acquiring)
    }
}
