package import Moonlight
import Synchronization

/// A list of numbers from several senders.
package struct Ledger: Equatable, Sendable, Codable {
    /// The number of entries of each sender, and the sum of all numbers.
    package var counts: [Int: Int] = [:]
    package var repeated = 0

    package struct Entry: Sendable, Codable, Equatable {
        package let sender: Int
        package let number: Int

        package init(sender: Int, number: Int) {
            self.sender = sender
            self.number = number
        }
    }

    package init() {}

    package static let reducer = Reducer<Ledger, Entry, Entry, Void>(
        transform: { _, entry, _ in .just(entry) },
        apply: { state, entry in
            // The numbers of a sender are consecutive, so that duplicates and gaps are detected.
            if state.counts[entry.sender, default: 0] >= entry.number { state.repeated += 1 }
            state.counts[entry.sender] = entry.number
        })
}

/// Senders, each of which sends its next number once the previous one is acknowledged.
package final class Senders: Sendable {
    private let acknowledged = Mutex<[Int: Int]>([:])
    private let isOver = Atomic<Bool>(false)

    package init() {}

    package var counts: [Int: Int] { acknowledged.withLock { $0 } }
    package var total: Int { counts.values.reduce(0, +) }

    package func stop() { isOver.store(true, ordering: .relaxed) }

    package func send(_ sender: Int, to store: Store<Ledger, Ledger.Entry>) async {
        var number = 0
        while !isOver.load(ordering: .relaxed) {
            number += 1
            guard case .success = await store.send(.init(sender: sender, number: number), until: .decided) else { return }
            acknowledged.withLock { $0[sender] = number }
        }
    }
}
