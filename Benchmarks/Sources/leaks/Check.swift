import CAllocations
import Harness

/// Runs something again and again, and remembers it if memory that each round has allocated stays.
///
/// What is counted is what `malloc` has given less what `free` has got back: exact, where a leak detector that looks for pointers
/// takes side tables and tagged pointers for lost.
struct LeakCheck {
    private static let rounds = 64
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
        // Threads may still be at it, and lists may grow: what leaks does so each time and in each round.
        let kept = (0..<3).map { _ in growth(work) }.min() ?? 0
        if kept >= Self.rounds / 2 { leaks.append("\(name): \(kept) allocations stay after \(Self.rounds) rounds") }
    }

    private func growth(_ work: () -> Void) -> Int {
        allocations_start()
        work()
        let alive = allocations_alive()
        _ = allocations_stop()
        return alive
    }
}
