import Streams
import Synchronization

/// The counters of a loop with a name. Any thread records refusals and waits, and only the loop's owner everything else. Any
/// thread may read them.
///
/// Each is an atomic: one lock for all would add two fifths to the cost of an event.
@usableFromInline
final class LoopCounters: Sendable {
    private let name: String
    private let events = Atomic<Int>(0)
    let refusals = Atomic<Int>(0)
    @usableFromInline let waiting = Atomic<Int>(0)
    @usableFromInline let liveEffects = Atomic<Int>(0)
    /// The longest turn, in nanoseconds.
    private let longestTurn = Atomic<Int>(0)
    /// The longest wait of an event, in nanoseconds.
    private let longestWait = Atomic<Int>(0)

    init(name: String) { self.name = name }

    var values: StoreCounters {
        StoreCounters(
            name: name, events: events.load(ordering: .relaxed), refusals: refusals.load(ordering: .relaxed),
            waiting: max(0, waiting.load(ordering: .relaxed)), liveEffects: liveEffects.load(ordering: .relaxed),
            longestTurn: .nanoseconds(longestTurn.load(ordering: .relaxed)),
            longestWait: .nanoseconds(longestWait.load(ordering: .relaxed)))
    }

    /// Counts an event that the owner begins to handle, and records its wait.
    @usableFromInline
    func noteEvent(waited: Nanoseconds) {
        events.wrappingAdd(1, ordering: .relaxed)
        Self.raise(longestWait, to: waited)
    }

    /// Records the time that the owner took to handle an item.
    @usableFromInline
    func note(turn: Nanoseconds) { Self.raise(longestTurn, to: turn) }

    /// Records that the loop has ended, so that nothing waits or is live.
    func end() {
        waiting.store(0, ordering: .relaxed)
        liveEffects.store(0, ordering: .relaxed)
    }

    /// Raises a maximum. Only the owner calls this; a reset at the same time may be lost.
    private static func raise(_ longest: borrowing Atomic<Int>, to time: Nanoseconds) {
        if time.count > longest.load(ordering: .relaxed) { longest.store(time.count, ordering: .relaxed) }
    }

    func resetLongest() {
        longestTurn.store(0, ordering: .relaxed)
        longestWait.store(0, ordering: .relaxed)
    }
}

/// The counters of a store's past and current work, for export to a monitoring system.
///
/// Only stores with a ``LoopOptions/name-swift.property`` have counters. Read ``Store/counters`` of one store, or get those of
/// all from the ``StoreRegistry``.
public struct StoreCounters: Sendable, Hashable {
    /// The store's name.
    public let name: String
    /// The number of events that were handled, including those that `transform` rejected.
    public internal(set) var events = 0
    /// The number of events that were refused: see ``Store/refusals``.
    public internal(set) var refusals = 0
    /// The number of events that wait to be handled.
    public internal(set) var waiting = 0
    /// The number of live streams of effects.
    public internal(set) var liveEffects = 0
    /// The longest time that it took to handle an event or a later effect, including `transform`, `apply`, observers and journal.
    public internal(set) var longestTurn = Duration.zero
    /// The longest time that an event waited before it was handled.
    public internal(set) var longestWait = Duration.zero
}

/// The stores of this process that have a name and have not ended.
///
/// ```swift
/// for store in StoreRegistry.shared.counters { gauge("waiting", store.waiting, labels: ["store": store.name]) }
/// ```
/// Safe from any thread. Names need not be unique: each store is listed separately.
public final class StoreRegistry: Sendable {
    /// The registry of this process.
    public static let shared = StoreRegistry()

    private let entries = Lock(Numbered<LoopCounters>())

    private init() {}

    /// The counters of all stores that have a name and have not ended, sorted by name.
    ///
    /// - Complexity: O(*n* log *n*) for *n* stores.
    public var counters: [StoreCounters] {
        entries.withLock { $0 }.map(\.values).ordered(by: \.name)
    }

    /// Resets the longest turns and waits of all stores. Call it after each reading, to get the longest of each interval.
    public func resetLongest() { for counters in entries.withLock({ $0 }) { counters.resetLongest() } }

    func add(_ counters: LoopCounters) -> Int { entries.withLock { $0.add(counters) } }

    func remove(_ number: Int) { discard(entries.withLock { $0.remove(number) }) }
}
