import Foundation
import Streams

/// The bound of a test's wait: thirty seconds, in each of which the pool of tasks has run a task. `LATCH_PATIENCE` sets another number.
///
/// On a busy machine everything takes longer, and so does the task that is run each second: a wait then lasts longer, too. If the
/// pool runs nothing at all, because each of its threads waits, the wait ends after six times as long.
struct Patience {
    /// Ten times as long where everything is tried.
    private static let limit = environmentNumber("LATCH_PATIENCE") ?? (Budget.isExhaustive ? 300 : 30)

    private var seconds = 0
    private var served = 0
    private var probe: Probe?

    /// Whether the wait is over; to be asked each second.
    mutating func isOver() -> Bool {
        seconds += 1
        if probe?.isDone ?? true {
            served += 1
            probe = Probe()
        }
        return served > Self.limit || seconds > 6 * Self.limit
    }

    /// A task that does nothing.
    private final class Probe: Sendable {
        private let done = Lock(false)

        init() {
            Task.detached { self.done.withLock { $0 = true } }
        }

        var isDone: Bool { done.withLock { $0 } }
    }
}
