/// The entries that wait to be made into steps. When it is full, the newest take the place of the oldest.
struct EntryRing<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    typealias Entry = RecordingEntry<State, Event, Effect>

    private var entries: [Entry] = []
    /// The place of the oldest entry, once the ring is full.
    private var oldest = 0
    /// The number of entries that would have been steps and were overwritten since entries were last taken.
    private(set) var lost = 0
    /// The state after the last effect among those that were overwritten.
    private(set) var stateOfLost: State?
    /// The number of entries that are kept, at least one.
    var capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an entry; returns what has to be released, outside of any lock.
    mutating func add(_ entry: Entry) -> (Entry?, State?) {
        guard entries.count >= capacity else {
            // A ring that has been made larger since goes on from its beginning.
            if oldest > 0 {
                entries = Array(entries[oldest...] + entries[..<oldest])
                oldest = 0
            }
            entries.append(entry)
            return (nil, nil)
        }
        let old = entries[oldest]
        entries[oldest] = entry
        oldest = oldest + 1 == entries.count ? 0 : oldest + 1
        if case .begin = old {} else { lost += 1 }
        var state: State?
        switch old {
        case .begin(let begun, _): (state, stateOfLost) = (stateOfLost, begun)
        case .journal(let record):
            if case .effect(_, _, let after) = record.step { (state, stateOfLost) = (stateOfLost, after) }
        case .world: break
        }
        return (old, state)
    }

    /// What was in the ring.
    struct Taken: Sendable {
        private let entries: [Entry]
        private let oldest: Int
        let lost: Int
        let stateOfLost: State?

        fileprivate init(_ ring: EntryRing) {
            (entries, oldest, lost, stateOfLost) = (ring.entries, ring.oldest, ring.lost, ring.stateOfLost)
        }

        /// The entries, oldest first. They are put in order here, and not while the ring is locked.
        var inOrder: [Entry] { oldest == 0 ? entries : Array(entries[oldest...] + entries[..<oldest]) }
    }

    /// Takes all entries.
    ///
    /// - Complexity: O(1).
    mutating func take() -> Taken {
        defer { (entries, oldest, lost, stateOfLost) = ([], 0, 0, nil) }
        return Taken(self)
    }
}
