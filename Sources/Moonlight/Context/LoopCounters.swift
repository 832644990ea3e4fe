import Streams
import Synchronization

/// The counters of a loop that has a name. Refusals and waits are noted from any thread, everything else by the loop's owner.
/// Read from any thread.
@usableFromInline
final class LoopCounters: Sendable {
    let name: String
    private let events = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let waiting = Atomic<Int>(0)
    private let liveEffects = Atomic<Int>(0)
    /// The longest turn, in nanoseconds.
    private let longestTurn = Atomic<Int>(0)
    /// The longest wait of an event, in nanoseconds.
    private let longestWait = Atomic<Int>(0)

    @usableFromInline
    init(name: String) { self.name = name }

    /// Notes that an event begins to wait.
    @usableFromInline
    func beginWait() { waiting.wrappingAdd(1, ordering: .relaxed) }

    /// Notes that an event waits no longer.
    @usableFromInline
    func endWait() { waiting.wrappingSubtract(1, ordering: .relaxed) }

    /// Counts a refused event.
    func noteRefusal() { refusals.wrappingAdd(1, ordering: .relaxed) }

    /// Counts an event that the owner begins to handle, and notes how long it has waited.
    @usableFromInline
    func noteEvent(waited: Nanoseconds) {
        events.wrappingAdd(1, ordering: .relaxed)
        Self.raise(longestWait, to: waited)
    }

    /// Notes how many streams of effects are live.
    @usableFromInline
    func note(liveEffects count: Int) { liveEffects.store(count, ordering: .relaxed) }

    /// Notes how long the owner took to handle an item.
    @usableFromInline
    func note(turn: Nanoseconds) { Self.raise(longestTurn, to: turn) }

    /// Notes that the loop has ended: nothing waits or is live any more.
    func end() {
        waiting.store(0, ordering: .relaxed)
        liveEffects.store(0, ordering: .relaxed)
    }

    /// Raises a maximum. Only the owner calls this; a reset at the same moment may be lost.
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
