import Streams
import Synchronization

/// The entries that the encoder has not taken yet, behind a lock.
@usableFromInline
final class EntryQueue<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    @usableFromInline typealias Entry = RecordingEntry<State, Event, Effect>

    @usableFromInline
    struct Contents: Sendable {
        @usableFromInline var ring: EntryRing<State, Event, Effect>
        /// True if the encoder will take the entries automatically.
        @usableFromInline var isAwaited = false
        /// Returns the cause of the calls that the current thread makes; nil if no loop has begun.
        var causeHere: (@Sendable () -> Int?)?

        init(capacity: Int) { ring = EntryRing(capacity: capacity) }
    }

    @usableFromInline let contents: Lock<Contents>

    init(capacity: Int) { contents = Lock(Contents(capacity: capacity)) }

    /// Adds an entry.
    ///
    /// - Returns: True if the caller must schedule the encoder.
    @inlinable
    func add(_ entry: Entry) -> Bool {
        let (isFirst, replaced) = contents.withLock { contents in
            let replaced = contents.ring.add(entry)
            let isFirst = !contents.isAwaited
            contents.isAwaited = true
            return (isFirst, replaced)
        }
        discard(replaced)
        return isFirst
    }

    /// Takes all entries, and puts an empty storage in their place.
    func take(leaving storage: [Entry]) -> EntryRing<State, Event, Effect>.Taken {
        contents.withLock { contents in
            contents.isAwaited = false
            return contents.ring.take(leaving: storage)
        }
    }

    /// Changes the number of entries that may be pending; at least as many as there are.
    func bound(to count: Int) { contents.withLock { $0.ring.capacity = max($0.ring.entries.count, count, 1) } }

    /// Returns the cause of the calls that the current thread makes.
    var causeHere: (@Sendable () -> Int?)? { contents.withLock { $0.causeHere } }

    /// Sets the function that returns the cause of the calls that the current thread makes.
    func setCause(_ causeHere: @escaping @Sendable () -> Int?) {
        discard(
            contents.withLock { contents in
                defer { contents.causeHere = causeHere }
                return contents.causeHere
            })
    }
}

/// The pending entries in a ring. When it is full, the newest replace the oldest.
///
/// The loop calls `add` for each of its records. So it is inlinable, to be specialized where the types are known, and
/// allocates nothing once the ring has grown to the size that the loop needs.
@usableFromInline
struct EntryRing<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    @usableFromInline typealias Entry = RecordingEntry<State, Event, Effect>

    @usableFromInline var entries: [Entry] = []
    /// The index of the oldest entry, once the ring is full.
    @usableFromInline var oldest = 0
    /// The number of entries that were overwritten since entries were last taken, and would have become steps.
    @usableFromInline private(set) var lost = 0
    /// The state after the last overwritten effect.
    @usableFromInline private(set) var stateOfLost: State?
    /// The number of entries to keep, at least one.
    @usableFromInline var capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// A replaced entry, to be released outside of any lock.
    @usableFromInline
    struct Replaced {
        @usableFromInline var entry: Entry
        @usableFromInline var state: State?

        @inlinable
        init(_ entry: Entry, _ state: State?) {
            self.entry = entry
            self.state = state
        }
    }

    /// Adds an entry.
    @inlinable
    mutating func add(_ entry: Entry) -> Replaced? {
        if entries.count < capacity {
            if oldest > 0 { straighten() }
            entries.append(entry)
            return nil
        }
        return replace(by: entry)
    }

    @inlinable
    mutating func replace(by entry: Entry) -> Replaced {
        let old = entries[oldest]
        entries[oldest] = entry
        oldest = oldest + 1 == entries.count ? 0 : oldest + 1
        guard let after = old.stateAfter else {
            lost += 1
            return Replaced(old, nil)
        }
        if !old.isBeginning { lost += 1 }
        defer { stateOfLost = after }
        return Replaced(old, stateOfLost)
    }

    /// Moves the oldest entry to the front, after a full ring was enlarged.
    @usableFromInline
    mutating func straighten() {
        entries = Array(entries[oldest...] + entries[..<oldest])
        oldest = 0
    }

    /// The entries of the ring.
    struct Taken {
        fileprivate var entries: [Entry]
        private let oldest: Int
        let lost: Int
        let stateOfLost: State?

        fileprivate init(_ ring: EntryRing) {
            (entries, oldest, lost, stateOfLost) = (ring.entries, ring.oldest, ring.lost, ring.stateOfLost)
        }

        /// Calls a closure with each entry, oldest first.
        func forEach(_ body: (Entry) -> Void) {
            for entry in entries[oldest...] { body(entry) }
            for entry in entries[..<oldest] { body(entry) }
        }

        /// Returns the empty storage, once the entries have been handled; none if it is much larger than needed.
        consuming func storage() -> [Entry] {
            if entries.capacity > 1024, entries.count < entries.capacity / 16 { return [] }
            entries.removeAll(keepingCapacity: true)
            return entries
        }
    }

    /// Takes all entries, and puts an empty storage in their place.
    ///
    /// - Complexity: O(1).
    mutating func take(leaving storage: consuming [Entry]) -> Taken {
        let taken = Taken(self)
        (entries, oldest, lost, stateOfLost) = (storage, 0, 0, nil)
        return taken
    }
}
