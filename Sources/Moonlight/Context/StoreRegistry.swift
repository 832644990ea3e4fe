import Streams

/// The stores of this process that have a name and have not ended.
///
/// ```swift
/// for store in StoreRegistry.shared.counters { gauge("waiting", store.waiting, labels: ["store": store.name]) }
/// ```
/// Safe from any thread. Names need not be unique: each store is listed separately.
public final class StoreRegistry: Sendable {
    /// The registry of this process.
    public static let shared = StoreRegistry()

    private let entries = Lock<[ObjectIdentifier: LoopCounters]>([:])

    private init() {}

    /// The counters of all stores that have a name and have not ended, sorted by name.
    ///
    /// - Complexity: O(*n* log *n*) for *n* stores.
    public var counters: [StoreCounters] {
        entries.withLock { $0.values.map { $0 } }.map(\.values).sorted { $0.name < $1.name }
    }

    /// Resets the longest turns and waits of all stores, which from now on are the longest of what follows. Call it after
    /// each reading, to get the longest of each interval.
    public func resetLongest() { for entry in entries.withLock({ $0.values.map { $0 } }) { entry.resetLongest() } }

    func add(_ counters: LoopCounters) { entries.withLock { $0[ObjectIdentifier(counters)] = counters } }

    func remove(_ counters: LoopCounters) { discard(entries.withLock { $0.removeValue(forKey: ObjectIdentifier(counters)) }) }
}
