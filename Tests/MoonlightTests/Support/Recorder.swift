import Streams
import Synchronization

/// A list that any thread may append to.
final class Recorder<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    func append(_ value: Value) { values.withLock { $0.append(value) } }

    var all: [Value] { values.withLock { $0 } }
    var last: Value? { values.withLock { $0.last } }
    var count: Int { values.withLock { $0.count } }
}

/// A number that any thread may add to.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// - Returns: The number after it.
    @discardableResult
    func add(_ amount: Int = 1) -> Int { number.add(amount, ordering: .sequentiallyConsistent).newValue }

    var value: Int { number.load(ordering: .sequentiallyConsistent) }
}

/// Notices when two threads are in the same place at once, or one is there twice.
final class OverlapDetector: Sendable {
    private let inside = Counter()
    private let overlapping = Counter()

    /// How often somebody came in while somebody was there.
    var overlaps: Int { overlapping.value }

    func visit<Result>(_ work: () -> Result) -> Result {
        if inside.add() > 1 { overlapping.add() }
        defer { inside.add(-1) }
        return work()
    }
}
