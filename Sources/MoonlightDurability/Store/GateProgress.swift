import Moonlight
import Streams
import Synchronization

/// How far the turns of a loop have been released, so that what they have led to may be told. A part of its ``TurnLog``. Safe from any
/// thread.
struct GateProgress: ~Copyable, Sendable {
    struct Guarded: Sendable {
        var loop: (any GatedLoop)?
        var failure: SendError?
        /// Whether the loop is to be woken at the next progress.
        var isWatched = false
    }

    /// Everything up to this position is released while nothing has failed. Changed behind the lock.
    let released = Atomic<UInt64>(0)
    let guarded = Lock(Guarded())
    /// Whether there is a failure, so that a look behind the lock is not needed.
    let hasFailed = Atomic<Bool>(false)

    init() {}

    /// Releases everything up to a position.
    func release(through position: UInt64) {
        change { _ in
            if released.load(ordering: .relaxed) < position { released.store(position, ordering: .releasing) }
        }
    }

    /// Releases only what is up to a position from now on.
    func restrain(to position: UInt64) { guarded.withLock { _ in released.store(position, ordering: .releasing) } }

    /// Fails the waits for everything that is held, and for what will be until the failure is lifted by nil. What is held stays so.
    func fail(_ error: SendError?) {
        change { guarded in
            guarded.failure = error
            hasFailed.store(error != nil, ordering: .releasing)
            if error != nil { guarded.isWatched = true }
        }
    }

    /// Has the loop take a turn.
    func wakeLoop() { change { $0.isWatched = true } }

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
    func setLoop(_ loop: (any GatedLoop)?) {
        let old = guarded.withLock { guarded in
            defer { guarded.loop = loop }
            return guarded.loop
        }
        discard(old)
    }

    /// The failure that is not lifted, if any.
    var failure: SendError? { guarded.withLock { $0.failure } }

    /// Whether a position has been released. If not, the loop will be woken.
    func isReleased(_ position: UInt64) -> Bool {
        if isOpen(position) { return true }
        return guarded.withLock { guarded in
            if isOpen(position) { return true }
            guarded.isWatched = true
            return false
        }
    }

    /// What is released stays so, but for the loop's own ``restrain(to:)``: when the failure is read, the position still holds.
    private func isOpen(_ position: UInt64) -> Bool {
        released.load(ordering: .acquiring) >= position && !hasFailed.load(ordering: .acquiring)
    }
}
