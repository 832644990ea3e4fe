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
        @usableFromInline var causeHere: (@Sendable () -> Int?)?

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
