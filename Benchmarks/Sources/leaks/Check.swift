import CAllocations
import Foundation
import Harness

/// Runs something again and again, and remembers it if memory that each round has allocated stays.
///
/// What is counted is what `malloc` has given less what `free` has got back: exact, where a leak detector that looks for pointers
/// takes side tables and tagged pointers for lost.
struct LeakCheck {
    private static let rounds = 64
    private static let limit = rounds / 2
    private static let patience: Duration = .seconds(10)
    private(set) var checked = 0
    private(set) var leaks: [String] = []

    mutating func callAsFunction(_ name: String, _ round: () -> Void) {
        note(name) { for _ in 0..<Self.rounds { round() } }
    }

    /// Runs something asynchronous, all rounds in one task: Dispatch keeps what it needs to start one.
    mutating func callAsFunction(_ name: String, _ round: @escaping @Sendable () async -> Void) {
        note(name) { blocking { for _ in 0..<Self.rounds { await round() } } }
    }

    private mutating func note(_ name: String, _ work: () -> Void) {
        checked += 1
        work()
        // Lists may grow once: a leak does so each time and in each round.
        for _ in 0..<3 where growth(work) < Self.limit { return }
        leaks.append("\(name): \(growth(work)) allocations stay after \(Self.rounds) rounds")
    }

    /// The number of allocations that stay. Threads and tasks that the work has started may end later on a busy machine: they are
    /// waited for as long as `patience` while more stays than may.
    private func growth(_ work: () -> Void) -> Int {
        allocations_start()
        work()
        let deadline = ContinuousClock.now + Self.patience
        while allocations_alive() >= Self.limit, ContinuousClock.now < deadline { usleep(1000) }
        let alive = allocations_alive()
        _ = allocations_stop()
        return alive
    }
}
