import Dispatch
import Streams

/// Takes journal records off the loop's thread, and passes them in batches to a closure that formats and writes them.
///
/// ```swift
/// let writer = JournalWriter<Counter, Event, Effect> { batch in print(batch.lines) }
/// let store = Store(…, options: LoopOptions(name: "counter", journal: writer.take), …)
/// ```
///
/// A loop only appends its record to a queue, at a cost that does not depend on the size of the state. The queue is bounded:
/// records that arrive while it is full are dropped, and the next batch has their number. A queued record keeps the states before
/// and after it alive, so the bound also limits the memory that large states take.
///
/// One writer serves any number of loops of the same types, on any thread. Batches are written one at a time, in order.
public final class JournalWriter<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    private struct Line: Sendable {
        var records: [JournalRecord<State, Event, Effect>] = []
        var dropped = 0
        /// Set while a scheduled write is pending.
        var isAwaited = false
        /// Set while a batch is being written.
        var isWriting = false
        /// Set if a further write was requested meanwhile.
        var hasMore = false

        /// Takes the waiting records.
        ///
        /// - Parameter isWriter: Whether the caller has written the previous batch; afterwards, whether it writes this one.
        /// - Returns: A batch; nil if nothing waits, or if another thread is writing, which is then asked to continue.
        mutating func next(_ isWriter: inout Bool) -> JournalBatch<State, Event, Effect>? {
            if isWriting, !isWriter {
                hasMore = true
                return nil
            }
            let isDue = !isWriter || hasMore
            if isDue { isAwaited = false }
            isWriting = isDue && (!records.isEmpty || dropped > 0)
            isWriter = isWriting
            hasMore = false
            guard isWriting else { return nil }
            let batch = JournalBatch(records: records, dropped: dropped)
            records = []
            dropped = 0
            return batch
        }
    }

    private let line = Lock(Line())
    private let limit: Int
    private let write: @Sendable (JournalBatch<State, Event, Effect>) -> Void
    /// Runs a closure on the scheduler after the interval.
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates a writer with a private queue, which writes 10 ms after the first record of a batch.
    ///
    /// - Parameters:
    ///   - limit: The number of records that may wait to be written, at least one.
    ///   - write: Writes a batch. It may block, and may send events to the store whose records it writes.
    public convenience init(
        limit: Int = 1_000, write: @escaping @Sendable (JournalBatch<State, Event, Effect>) -> Void
    ) {
        self.init(limit: limit, every: .milliseconds(10), on: DispatchQueue(label: "JournalWriter", qos: .utility), write: write)
    }

    /// Creates a writer that writes on a scheduler.
    ///
    /// - Parameters:
    ///   - limit: The number of records that may wait to be written, at least one.
    ///   - interval: The time from the first record of a batch until the batch is written, in the scheduler's stride.
    ///   - scheduler: The scheduler on which batches are written.
    ///   - write: Writes a batch.
    public init<Context: Scheduler & Sendable>(
        limit: Int = 1_000, every interval: Context.SchedulerTimeType.Stride, on scheduler: Context,
        write: @escaping @Sendable (JournalBatch<State, Event, Effect>) -> Void
    ) where Context.SchedulerTimeType.Stride: Sendable {
        precondition(limit > 0, "JournalWriter(limit: \(limit)): limit must be at least 1")
        self.limit = limit
        self.write = write
        schedule = { action in
            scheduler.schedule(
                after: scheduler.now.advanced(by: interval), tolerance: scheduler.minimumTolerance, options: nil, action)
        }
    }

    /// Queues a record. Pass this method as ``LoopOptions/journal-swift.property``.
    ///
    /// Safe from any thread.
    ///
    /// - Parameter record: The record.
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

    /// The number of records that wait to be written.
    var waiting: Int { line.withLock { $0.records.count } }

    /// Writes the waiting records, on this thread. If another thread is writing, returns at once, and that thread writes them
    /// too.
    ///
    /// Call this at the end of a program, after the loop's last record, when the scheduler may not run any more.
    public func flush() {
        var isWriter = false
        while let batch = line.withLock({ $0.next(&isWriter) }) { write(batch) }
    }
}

/// Records that are written together, as a ``JournalWriter`` passes them on.
public struct JournalBatch<State: Equatable, Event, Effect> {
    /// The records, in order.
    public let records: [JournalRecord<State, Event, Effect>]
    /// The number of records that arrived after these and were dropped because there was no room for them.
    public let dropped: Int

    /// The records as lines of a log; see ``/LoopValues/JournalRecord/line``. If records were dropped, the last line gives their
    /// number.
    public var lines: String {
        let lost =
            dropped == 0 ? [] : ["\(WallTime.now)  \(dropped) record\(dropped == 1 ? "" : "s") dropped: the writer is behind"]
        return (records.map(\.line) + lost).joined(separator: "\n")
    }

    /// Returns the records as lines of JSON; see ``/LoopValues/JournalRecord/json(since:)``. If records were dropped, the last line
    /// gives their number, as `{"dropped":3}`.
    ///
    /// - Parameter start: The instant from which `ms` is counted.
    /// - Returns: One line for each record, joined by line breaks.
    public func json(since start: ContinuousClock.Instant) -> String {
        (records.map { $0.json(since: start) } + (dropped == 0 ? [] : ["{\"dropped\":\(dropped)}"])).joined(separator: "\n")
    }
}

extension JournalBatch: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
