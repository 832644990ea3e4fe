import CAllocations
import Foundation
import Harness

/// Repeats a closure, and records it if each round leaves allocated memory behind.
///
/// The count is exact: calls of `malloc` less calls of `free`. A leak detector that searches for pointers would report side
/// tables and tagged pointers.
struct LeakCheck {
    private static let rounds = 64
    private static let limit = rounds / 2
    private static let patience: Duration = .seconds(10)
    private(set) var checked = 0
    private(set) var leaks: [String] = []

    mutating func callAsFunction(_ name: String, _ round: () -> Void) {
        note(name) { for _ in 0..<Self.rounds { round() } }
    }

    /// Checks an asynchronous closure, with all rounds in one task, because Dispatch keeps the memory for starting one.
    mutating func callAsFunction(_ name: String, _ round: @escaping @Sendable () async -> Void) {
        note(name) { blocking { for _ in 0..<Self.rounds { await round() } } }
    }

    private mutating func note(_ name: String, _ work: () -> Void) {
        checked += 1
        work()
        // Lists may grow once; a leak grows in each round.
        for _ in 0..<3 where growth(work) < Self.limit { return }
        leaks.append("\(name): \(growth(work)) allocations stay after \(Self.rounds) rounds")
    }

    /// Returns the number of remaining allocations. Threads and tasks of the work may end later on a busy machine, so it waits up
    /// to `patience` while there are too many.
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
