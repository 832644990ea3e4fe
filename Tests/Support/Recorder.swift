import Streams

/// A thread-safe list.
package final class Recorder<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    package init() {}

    package func append(_ value: Value) { values.withLock { $0.append(value) } }

    package var all: [Value] { values.withLock { $0 } }
    package var last: Value? { values.withLock { $0.last } }
    package var count: Int { values.withLock { $0.count } }
}

/// A thread-safe counter.
package final class Counter: Sendable {
    // A lock and not an atomic, because there are two types of atomics under forced schedules.
    private let number = Lock(0)

    package init() {}

    /// - Returns: The number after the addition.
    @discardableResult
    package func add(_ amount: Int = 1) -> Int {
        number.withLock { number in
            number += amount
            return number
        }
    }

    package var value: Int { number.withLock { $0 } }
}

/// Counts overlapping entries to a section of code, from other threads or from inside.
package final class OverlapDetector: Sendable {
    private let inside = Counter()
    private let overlapping = Counter()

    package init() {}

    /// The number of entries while another thread was inside.
    package var overlaps: Int { overlapping.value }

    package func visit<Result>(_ work: () -> Result) -> Result {
        if inside.add() > 1 { overlapping.add() }
        defer { inside.add(-1) }
        return work()
    }
}
