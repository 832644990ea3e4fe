import Moonlight
import Streams
import Synchronization

/// The position up to which the turns of a loop are released, so that their results may be published. Can be used from any thread.
struct GateProgress: ~Copyable, Sendable {
    struct Guarded: Sendable {
        var loop: (any GatedLoop)?
        var failure: SendError?
        /// True if the next progress wakes the loop.
        var isWatched = false
    }

    /// The position up to which everything is released while nothing has failed. Changed behind the lock.
    let released = Atomic<UInt64>(0)
    let guarded = Lock(Guarded())
    /// True if there is a failure; avoids taking the lock.
    let hasFailed = Atomic<Bool>(false)

    init() {}

    /// Releases everything up to a position.
    func release(through position: UInt64) {
        change { _ in
            if released.load(ordering: .relaxed) < position { released.store(position, ordering: .releasing) }
        }
    }

    /// Restricts the release to a position.
    func restrain(to position: UInt64) { guarded.withLock { _ in released.store(position, ordering: .releasing) } }

    /// Fails the waits for all output that is held, now or later, until nil lifts the failure. The output remains held.
    func fail(_ error: SendError?) {
        change { guarded in
            guarded.failure = error
            hasFailed.store(error != nil, ordering: .releasing)
            if error != nil { guarded.isWatched = true }
        }
    }

    /// Makes the loop take a turn.
    func wakeLoop() { change { $0.isWatched = true } }

    private func change(_ change: (inout Guarded) -> Void) {
        let loop = guarded.withLock { guarded in
            change(&guarded)
            defer { guarded.isWatched = false }
            return guarded.isWatched ? guarded.loop : nil
        }
        loop?.wake()
    }

    // MARK: The loop

    /// Sets the loop to be woken; nil once it has ended.
    func setLoop(_ loop: (any GatedLoop)?) {
        let old = guarded.withLock { guarded in
            defer { guarded.loop = loop }
            return guarded.loop
        }
        discard(old)
    }

    /// The failure, unless it was lifted.
    var failure: SendError? { guarded.withLock { $0.failure } }

    /// Returns whether a position is released. If not, the loop will be woken.
    func isReleased(_ position: UInt64) -> Bool {
        if isOpen(position) { return true }
        return guarded.withLock { guarded in
            if isOpen(position) { return true }
            guarded.isWatched = true
            return false
        }
    }

    /// Only the loop's own ``restrain(to:)`` revokes a release, so the position is still valid when the failure is read.
    private func isOpen(_ position: UInt64) -> Bool {
        released.load(ordering: .acquiring) >= position && !hasFailed.load(ordering: .acquiring)
    }
}
