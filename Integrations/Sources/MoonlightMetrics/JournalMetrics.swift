import CaseNames
public import CoreMetrics
public import Moonlight
import Synchronization

/// Exact counts and durations from the journal of a loop.
///
/// ```swift
/// let metrics = JournalMetrics(store: "shop")
/// let store = Store(…, options: LoopOptions(name: "shop", journal: { metrics.take($0) }))
/// ```
/// All metrics have the dimension `store`:
///
/// - `moonlight.steps`, a counter with the further dimension `step`: `event`, `rejected`, `effect`, `effectRejected`, `job`,
///   `rule`, `coalesced`, `overflowed`, `runaway`, `ended`; coalesced and lost events are counted individually;
/// - `moonlight.handled`, a counter of events with the further dimension `event`, the name of the case;
/// - `moonlight.wait`, `moonlight.transform` and `moonlight.apply`, timers.
///
/// Serves any number of loops, on any thread.
public final class JournalMetrics: Sendable {
    private let store: String
    private let prefix: String
    private let factory: any MetricsFactory
    private let wait: Timer
    private let transform: Timer
    private let apply: Timer
    private let counters = Mutex<[Key: Counter]>([:])

    private struct Key: Hashable {
        let label: String
        let value: String
    }

    /// Creates the metrics of the stores with one name.
    ///
    /// - Parameters:
    ///   - store: The name, the value of the dimension `store`.
    ///   - prefix: The prefix of the labels.
    ///   - factory: The factory of the metrics; by default, that of the process.
    public init(store: String, prefix: String = "moonlight", factory: any MetricsFactory = MetricsSystem.factory) {
        self.store = store
        self.prefix = prefix
        self.factory = factory
        let dimensions = [("store", store)]
        wait = Timer(label: "\(prefix).wait", dimensions: dimensions, factory: factory)
        transform = Timer(label: "\(prefix).transform", dimensions: dimensions, factory: factory)
        apply = Timer(label: "\(prefix).apply", dimensions: dimensions, factory: factory)
    }

    /// Counts a record. Pass this method to a journal.
    ///
    /// - Parameter record: The record.
    public func take<State, Event, Effect>(_ record: JournalRecord<State, Event, Effect>) {
        counter("steps", "step", caseName(of: record.step)).increment(by: count(of: record))
        if case .event(let event) = record.step { counter("handled", "event", caseName(of: event)).increment() }
        for (timer, time) in [(wait, record.waited), (transform, record.transformTime), (apply, record.applyTime)] {
            if let time { timer.recordNanoseconds(Int64(time / .nanoseconds(1))) }
        }
    }

    private func count<State, Event, Effect>(of record: JournalRecord<State, Event, Effect>) -> Int {
        switch record.step {
        case .coalesced(_, let count), .overflowed(_, let count): count
        default: 1
        }
    }

    private func counter(_ label: String, _ dimension: String, _ value: String) -> Counter {
        let key = Key(label: label, value: value)
        if let counter = counters.withLock({ $0[key] }) { return counter }
        // Created without a lock, because the factory is user code. Factories return the same handler for the same label.
        let counter = Counter(label: "\(prefix).\(label)", dimensions: [("store", store), (dimension, value)], factory: factory)
        return counters.withLock { counters in
            if let other = counters[key] { return other }
            counters[key] = counter
            return counter
        }
    }
}
