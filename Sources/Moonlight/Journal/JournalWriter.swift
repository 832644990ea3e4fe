import Dispatch
import Streams

/// Takes the records of journals off the loops' threads, and hands them on in batches to what makes text of them and writes it.
///
/// ```swift
/// let writer = JournalWriter<Counter, Event, Effect> { batch in print(batch.lines) }
/// let store = Store(…, options: LoopOptions(name: "counter", journal: writer.take), …)
/// ```
/// A loop only puts its record into a line here, which costs it the same whatever the size of the state. The line is bounded: of what
/// comes when it is full, the records are dropped, and the next batch says how many. A record keeps the states before and after
/// until it has been written, so a limit also bounds the memory that many large states need.
///
/// One writer serves any number of loops of the same types, on any thread. Batches are written one at a time, in order.
public final class JournalWriter<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    private struct Line: Sendable {
        var records: [JournalRecord<State, Event, Effect>] = []
        var dropped = 0
        /// Whether the scheduler has been asked to write what waits.
        var isAwaited = false
        /// Whether somebody is writing, and whether another has come to write meanwhile.
        var (isWriting, hasMore) = (false, false)
    }

    private let line = Lock(Line())
    private let limit: Int
    private let write: @Sendable (JournalBatch<State, Event, Effect>) -> Void
    /// Asks the scheduler for a turn, later.
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// A writer that waits a little for more, on a queue of its own, and then writes all that has come.
    ///
    /// - Parameters:
    ///   - limit: How many records may wait to be written, at least one.
    ///   - write: Writes a batch. It may block, and may send to the store whose records it writes.
    public convenience init(
        limit: Int = 1_000, write: @escaping @Sendable (JournalBatch<State, Event, Effect>) -> Void
    ) {
        self.init(limit: limit, every: .milliseconds(10), on: DispatchQueue(label: "JournalWriter", qos: .utility), write: write)
    }

    /// A writer that writes on a scheduler.
    ///
    /// - Parameters:
    ///   - limit: How many records may wait to be written, at least one.
    ///   - interval: How long after the first record of a batch it is written, in the scheduler's time.
    ///   - scheduler: Where it is written, and whose time it is.
    ///   - write: Writes a batch.
    public init<Context: Scheduler & Sendable>(
        limit: Int = 1_000, every interval: Context.SchedulerTimeType.Stride, on scheduler: Context,
        write: @escaping @Sendable (JournalBatch<State, Event, Effect>) -> Void
    ) where Context.SchedulerTimeType.Stride: Sendable {
        precondition(limit > 0, "JournalWriter(limit: \(limit)): pass how many records may wait, at least one")
        self.limit = limit
        self.write = write
        schedule = { action in
            scheduler.schedule(
                after: scheduler.now.advanced(by: interval), tolerance: scheduler.minimumTolerance, options: nil, action)
        }
    }

    /// Takes a record: what ``LoopOptions/journal-swift.property`` is set to.
    ///
    /// - Complexity: O(1).
    @Sendable
    public func take(_ record: JournalRecord<State, Event, Effect>) {
        let isFirst = line.withLock { line in
            if line.records.count < limit { line.records.append(record) } else { line.dropped += 1 }
            defer { line.isAwaited = true }
            return !line.isAwaited
        }
        if isFirst { schedule { [self] in flush() } }
    }

    /// How many records wait.
    public var waiting: Int { line.withLock { $0.records.count } }

    /// Writes what waits, on this thread unless another is writing just now: then that one goes on with it.
    ///
    /// For the end of a program, when no scheduler may come to its turn any more: after the loop's last record.
    public func flush() {
        repeat {
            guard let batch = begin() else { return }
            write(batch)
        } while end()
    }

    /// - Returns: What waits; nil if that is nothing, or another is writing: that one is told that there is more.
    private func begin() -> JournalBatch<State, Event, Effect>? {
        line.withLock { line in
            if line.isWriting {
                line.hasMore = true
                return nil
            }
            line.isAwaited = false
            if line.records.isEmpty, line.dropped == 0 { return nil }
            defer { (line.records, line.dropped, line.isWriting) = ([], 0, true) }
            return JournalBatch(records: line.records, dropped: line.dropped)
        }
    }

    /// - Returns: Whether somebody has asked to write meanwhile.
    private func end() -> Bool {
        line.withLock { line in
            line.isWriting = false
            defer { line.hasMore = false }
            return line.hasMore
        }
    }
}
