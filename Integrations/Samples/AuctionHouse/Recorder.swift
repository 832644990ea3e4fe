internal import Moonlight
package import MoonlightRecording
import Synchronization

/// Recordings of the auctions that somebody looks at: the last steps of each, without what is nobody's business.
///
/// The loop of each auction passes its records here, where they are dropped at once unless the auction is recorded.
package final class Recorder: Sendable {
    package typealias Recorded = Recording<Auction, Auction.Event, Auction.Effect>

    private let guarded = Mutex<[(id: String, recording: Recorded)]>([])
    private let isUsed = Atomic<Bool>(false)
    private let most: Int
    private let steps: Int

    /// - Parameters:
    ///   - most: How many auctions are recorded at once. A further one takes the place of the one that was looked at least recently.
    ///   - steps: How many steps of each are kept.
    package init(most: Int = 16, steps: Int = 1000) {
        self.most = most
        self.steps = steps
    }

    /// Returns the recording of an auction. If there is none, one begins now.
    ///
    /// - Parameters:
    ///   - id: The auction.
    ///   - state: Its present state.
    package func recording(of id: String, state: Auction) -> Recorded {
        if let known = look(at: id) { return known }
        let new = Recorded(of: Auction.reducer, keeping: steps, redacting: [\Auction.receipt])
        new.begin(with: state)
        // Removed values are passed out, and released without the lock.
        let (recording, gone) = guarded.withLock { recorded -> (Recorded, Recorded?) in
            if let other = recorded.first(where: { $0.id == id }) { return (other.recording, new) }
            recorded.append((id, new))
            return (new, recorded.count > most ? recorded.removeFirst().recording : nil)
        }
        withExtendedLifetime(gone) {}
        isUsed.store(true, ordering: .releasing)
        return recording
    }

    /// Returns the recording of an auction, if there is one, as the one that was looked at last.
    private func look(at id: String) -> Recorded? {
        guarded.withLock { recorded in
            guard let place = recorded.firstIndex(where: { $0.id == id }) else { return nil }
            recorded.append(recorded.remove(at: place))
            return recorded.last?.recording
        }
    }

    /// The recording of an auction that is being recorded.
    package func recording(of id: String) -> Recorded? {
        guarded.withLock { recorded in recorded.first { $0.id == id }?.recording }
    }

    /// Takes a record of an auction's loop.
    func take(_ record: JournalRecord<Auction, Auction.Event, Auction.Effect>, of id: String) {
        guard isUsed.load(ordering: .acquiring) else { return }
        recording(of: id)?.take(record)
    }
}
