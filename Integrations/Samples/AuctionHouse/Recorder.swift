internal import Moonlight
package import MoonlightRecording
import Synchronization

/// Recordings of inspected auctions: the last steps of each, with private values redacted.
///
/// The loop of each auction passes its records here. They are dropped unless the auction is recorded.
package final class Recorder: Sendable {
    package typealias Recorded = Recording<Auction, Auction.Event, Auction.Effect>

    private let guarded = Mutex<[(id: String, recording: Recorded)]>([])
    private let isUsed = Atomic<Bool>(false)
    private let most: Int
    private let steps: Int

    /// - Parameters:
    ///   - most: The number of auctions that are recorded at once. A further one replaces the least recently inspected one.
    ///   - steps: The number of steps that are kept of each.
    package init(most: Int = 16, steps: Int = 1000) {
        self.most = most
        self.steps = steps
    }

    /// Returns the recording of an auction, and starts one if there is none.
    ///
    /// - Parameters:
    ///   - id: The auction.
    ///   - state: Its current state.
    package func recording(of id: String, state: Auction) -> Recorded {
        if let known = look(at: id) { return known }
        let new = Recorded(of: Auction.reducer, keeping: steps, redacting: [\Auction.receipt])
        new.begin(with: state)
        // Removed values are passed out, and released after the lock.
        let (recording, gone) = guarded.withLock { recorded -> (Recorded, Recorded?) in
            if let other = recorded.first(where: { $0.id == id }) { return (other.recording, new) }
            recorded.append((id, new))
            return (new, recorded.count > most ? recorded.removeFirst().recording : nil)
        }
        withExtendedLifetime(gone) {}
        isUsed.store(true, ordering: .releasing)
        return recording
    }

    /// Returns the recording of an auction, if there is one, and marks it as the most recently inspected one.
    private func look(at id: String) -> Recorded? {
        guarded.withLock { recorded in
            guard let place = recorded.firstIndex(where: { $0.id == id }) else { return nil }
            recorded.append(recorded.remove(at: place))
            return recorded.last?.recording
        }
    }

    /// Returns the recording of an auction; nil if the auction is not recorded.
    package func recording(of id: String) -> Recorded? {
        guarded.withLock { recorded in recorded.first { $0.id == id }?.recording }
    }

    /// Receives a record of an auction's loop.
    func take(_ record: JournalRecord<Auction, Auction.Event, Auction.Effect>, of id: String) {
        guard isUsed.load(ordering: .acquiring) else { return }
        recording(of: id)?.take(record)
    }
}
