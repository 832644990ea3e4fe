import Streams
import Synchronization

/// What a loop counts, if it has a name. Written by the loop's owner, but for what is told from any thread; read from anywhere.
@usableFromInline
final class LoopCounters: Sendable {
    let name: String
    private let events = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let waiting = Atomic<Int>(0)
    private let liveEffects = Atomic<Int>(0)
    /// In nanoseconds.
    private let longestTurn = Atomic<Int>(0)
    private let longestWait = Atomic<Int>(0)

    @usableFromInline
    init(name: String) { self.name = name }

    /// An event is left to wait.
    @usableFromInline
    func beginWait() { waiting.wrappingAdd(1, ordering: .relaxed) }

    /// It waits no longer.
    @usableFromInline
    func endWait() { waiting.wrappingSubtract(1, ordering: .relaxed) }

    /// An event was refused.
    func noteRefusal() { refusals.wrappingAdd(1, ordering: .relaxed) }

    /// The owner takes up an event, which has waited so long.
    @usableFromInline
    func noteEvent(waited: Nanoseconds) {
        events.wrappingAdd(1, ordering: .relaxed)
        Self.raise(longestWait, to: waited)
    }

    /// So many streams of effects are live.
    @usableFromInline
    func note(liveEffects count: Int) { liveEffects.store(count, ordering: .relaxed) }

    /// The owner has handled something.
    @usableFromInline
    func note(turn: Nanoseconds) { Self.raise(longestTurn, to: turn) }

    /// The loop has ended: nothing waits any more.
    func end() {
        waiting.store(0, ordering: .relaxed)
        liveEffects.store(0, ordering: .relaxed)
    }

    /// Only the owner raises it; a reset meanwhile may be lost.
    private static func raise(_ longest: borrowing Atomic<Int>, to time: Nanoseconds) {
        if time.count > longest.load(ordering: .relaxed) { longest.store(time.count, ordering: .relaxed) }
    }

    func resetLongest() {
        longestTurn.store(0, ordering: .relaxed)
        longestWait.store(0, ordering: .relaxed)
    }

    var values: StoreCounters {
        StoreCounters(
            name: name, events: events.load(ordering: .relaxed), refusals: refusals.load(ordering: .relaxed),
            waiting: max(0, waiting.load(ordering: .relaxed)), liveEffects: liveEffects.load(ordering: .relaxed),
            longestTurn: .nanoseconds(longestTurn.load(ordering: .relaxed)),
            longestWait: .nanoseconds(longestWait.load(ordering: .relaxed)))
    }
}
