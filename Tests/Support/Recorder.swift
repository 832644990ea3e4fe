import Streams
import Synchronization

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
    private let number = Atomic<Int>(0)

    package init() {}

    /// - Returns: The number after it.
    @discardableResult
    package func add(_ amount: Int = 1) -> Int { number.add(amount, ordering: .sequentiallyConsistent).newValue }

    package var value: Int { number.load(ordering: .sequentiallyConsistent) }
}

/// Notices when two threads are in the same place at once, or one is there twice.
package final class OverlapDetector: Sendable {
    private let inside = Counter()
    private let overlapping = Counter()

    package init() {}

    /// How often somebody came in while somebody was there.
    package var overlaps: Int { overlapping.value }

    package func visit<Result>(_ work: () -> Result) -> Result {
        if inside.add() > 1 { overlapping.add() }
        defer { inside.add(-1) }
        return work()
    }
}
