import Streams

/// The limit of a test's wait: thirty seconds, in each of which a task has had fifty turns. `LATCH_PATIENCE` sets another number.
/// On a busy machine, and beside thousands of other tests, turns take longer, and so does the limit. If no task gets a turn,
/// because each thread of the pool is blocked, the wait ends after ten times as long.
struct Patience {
    /// Ten times as long in the exhaustive tier.
    private static let limit = environmentNumber("LATCH_PATIENCE") ?? (Budget.isExhaustive ? 300 : 30)

    private var seconds = 0
    private var served = 0
    private var probe: Probe?

    /// Returns whether the limit is reached; to be called once a second.
    mutating func isOver() -> Bool {
        seconds += 1
        if probe?.isDone ?? true {
            served += 1
            probe = Probe()
        }
        return served > Self.limit || seconds > 10 * Self.limit
    }

    /// A task that does nothing but yield.
    private final class Probe: Sendable {
        private let done = Lock(false)

        init() {
            Task.detached {
                for _ in 0..<50 { await Task.yield() }
                self.done.withLock { $0 = true }
            }
        }

        var isDone: Bool { done.withLock { $0 } }
    }
}
