import Streams

/// The bound of a test's wait: thirty seconds, in each of which a task has had fifty turns. `LATCH_PATIENCE` sets another number.
///
/// On a busy machine, and among thousands of tests that all want their turn, everything takes longer, and so do the turns: a wait then
/// lasts longer, too. If no task gets its turns at all, because each thread of the pool waits, the wait ends after ten times as long.
struct Patience {
    /// Ten times as long where everything is tried.
    private static let limit = environmentNumber("LATCH_PATIENCE") ?? (Budget.isExhaustive ? 300 : 30)

    private var seconds = 0
    private var served = 0
    private var probe: Probe?

    /// Returns whether the wait is over; to be called once a second.
    mutating func isOver() -> Bool {
        seconds += 1
        if probe?.isDone ?? true {
            served += 1
            probe = Probe()
        }
        return served > Self.limit || seconds > 10 * Self.limit
    }

    /// A task that only gives way to others.
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
