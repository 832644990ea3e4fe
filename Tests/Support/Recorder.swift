import Streams

/// A list that any thread may append to.
package final class Recorder<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    package init() {}

    package func append(_ value: Value) { values.withLock { $0.append(value) } }

    package var all: [Value] { values.withLock { $0 } }
    package var last: Value? { values.withLock { $0.last } }
    package var count: Int { values.withLock { $0.count } }
}

/// A number that any thread may add to.
package final class Counter: Sendable {
    // A lock, and not an atomic: there are two kinds of these where schedules are forced.
    private let number = Lock(0)

    package init() {}

    /// - Returns: The number after it.
    @discardableResult
    package func add(_ amount: Int = 1) -> Int {
        number.withLock { number in
            number += amount
            return number
        }
    }

    package var value: Int { number.withLock { $0 } }
}

/// Notices when two threads are in the same place at once, or one is there twice.
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
