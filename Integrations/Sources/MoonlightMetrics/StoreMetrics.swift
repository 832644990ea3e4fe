public import CoreMetrics
public import Moonlight
import Synchronization

/// Exports the counters of stores; by default of all named stores.
///
/// ```swift
/// let metrics = StoreMetrics()
/// try await metrics.run(every: .seconds(10))
/// ```
/// For each name of a store, with the dimension `store`:
///
/// - `moonlight.events` and `moonlight.refusals` are counters;
/// - `moonlight.waiting` and `moonlight.live_effects` are gauges, the sums over all stores of that name;
/// - `moonlight.longest_turn` and `moonlight.longest_wait` are gauges, in seconds: the longest since the previous update.
///
/// Names should be unique. If one of several stores with the same name ends, its work since the previous update is not counted;
/// ``JournalMetrics`` counts exactly. Safe from any thread.
public final class StoreMetrics: Sendable {
    private let prefix: String
    private let factory: any MetricsFactory
    private let read: @Sendable () -> [StoreCounters]
    private let names = Mutex<[String: NamedMetrics]>([:])

    /// Creates an exporter of all stores of this process.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the labels.
    ///   - factory: The factory of the metrics; by default, that of the process.
    public convenience init(prefix: String = "moonlight", factory: any MetricsFactory = MetricsSystem.factory) {
        self.init(prefix: prefix, factory: factory) {
            defer { StoreRegistry.shared.resetLongest() }
            return StoreRegistry.shared.counters
        }
    }

    /// Creates an exporter of some stores.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the labels.
    ///   - factory: The factory of the metrics; by default, that of the process.
    ///   - counters: Reads the counters of the stores; called at each update.
    public init(
        prefix: String = "moonlight", factory: any MetricsFactory = MetricsSystem.factory,
        counters: @escaping @Sendable () -> [StoreCounters]
    ) {
        self.prefix = prefix
        self.factory = factory
        read = counters
    }

    /// Exports the current counters. Metrics of names that no store has any more are destroyed.
    public func update() {
        var sums: [String: Sum] = [:]
        for counters in read() { sums[counters.name, default: Sum()].add(counters) }
        let known = names.withLock { Set($0.keys) }
        // Created without a lock, because the factory is user code. Factories return the same handler for the same label.
        let created = Dictionary(
            uniqueKeysWithValues: sums.keys.filter { !known.contains($0) }.map { ($0, NamedMetrics($0, prefix, factory)) })
        let (current, gone) = names.withLock { names in
            var gone: [NamedMetrics] = []
            for name in names.keys where sums[name] == nil { if let old = names.removeValue(forKey: name) { gone.append(old) } }
            var current: [(NamedMetrics, Sum, events: Int, refusals: Int)] = []
            for (name, sum) in sums {
                guard let metrics = names[name] ?? created[name] else { continue }
                current.append((metrics, sum, max(0, sum.events - metrics.events), max(0, sum.refusals - metrics.refusals)))
                names[name] = metrics.after(sum)
            }
            return (current, gone)
        }
        for (metrics, sum, events, refusals) in current { metrics.export(sum, events: events, refusals: refusals) }
        for metrics in gone { metrics.destroy() }
    }

    /// Exports the counters periodically, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: The time between two updates.
    ///   - clock: The clock that measures it.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func run(every interval: Duration = .seconds(10), on clock: some Clock<Duration> = ContinuousClock()) async throws {
        while true {
            update()
            try await clock.sleep(for: interval)
        }
    }
}

/// The counters of all stores with one name.
struct Sum: Sendable {
    var (events, refusals, waiting, liveEffects) = (0, 0, 0, 0)
    var (longestTurn, longestWait) = (Duration.zero, Duration.zero)

    mutating func add(_ counters: StoreCounters) {
        events += counters.events
        refusals += counters.refusals
        waiting += counters.waiting
        liveEffects += counters.liveEffects
        longestTurn = max(longestTurn, counters.longestTurn)
        longestWait = max(longestWait, counters.longestWait)
    }
}

/// The metrics of a name, and the values exported last.
struct NamedMetrics: Sendable {
    private let eventCounter: Counter
    private let refusalCounter: Counter
    private let waiting: Gauge
    private let liveEffects: Gauge
    private let longestTurn: Gauge
    private let longestWait: Gauge
    private(set) var (events, refusals) = (0, 0)

    init(_ name: String, _ prefix: String, _ factory: any MetricsFactory) {
        let store = [("store", name)]
        eventCounter = Counter(label: "\(prefix).events", dimensions: store, factory: factory)
        refusalCounter = Counter(label: "\(prefix).refusals", dimensions: store, factory: factory)
        waiting = Gauge(label: "\(prefix).waiting", dimensions: store, factory: factory)
        liveEffects = Gauge(label: "\(prefix).live_effects", dimensions: store, factory: factory)
        longestTurn = Gauge(label: "\(prefix).longest_turn", dimensions: store, factory: factory)
        longestWait = Gauge(label: "\(prefix).longest_wait", dimensions: store, factory: factory)
    }

    func after(_ sum: Sum) -> NamedMetrics {
        var metrics = self
        (metrics.events, metrics.refusals) = (sum.events, sum.refusals)
        return metrics
    }

    func export(_ sum: Sum, events: Int, refusals: Int) {
        eventCounter.increment(by: events)
        refusalCounter.increment(by: refusals)
        waiting.record(sum.waiting)
        liveEffects.record(sum.liveEffects)
        longestTurn.record(sum.longestTurn / .seconds(1))
        longestWait.record(sum.longestWait / .seconds(1))
    }

    func destroy() {
        for counter in [eventCounter, refusalCounter] { counter.destroy() }
        for gauge in [waiting, liveEffects, longestTurn, longestWait] { gauge.destroy() }
    }
}
