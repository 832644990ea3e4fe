import Moonlight
import Streams

/// Writes the logs of loops: that of one store, or those of a fleet's members. All records that were appended while the storage
/// was busy are written at once, so that all senders share a sync (group commit).
///
/// Loops append to its queue without waiting. The task of ``run(_:)`` takes from it, on a thread that may block.
final class LogWriter: Sendable {
    typealias Waiter = CheckedContinuation<Void, any Error>

    /// Work for the task, in order.
    enum Order: Sendable {
        /// A record for a log whose loop is due at a time from then on.
        case record(LogRecord, of: any WrittenLog, due: Int64?)
        // Stored separately, so that an entry of the queue is small.
        indirect case snapshot(MakeSnapshot, of: any WrittenLog, due: Int64?)
        /// The end of a log: nothing else is written to it.
        case close(any WrittenLog)
        /// A sync of everything before; the waiter is nil if none waits.
        case flush(Waiter?)
        /// A call when everything before is written.
        case call(@Sendable () async -> Void)
    }

    /// Encodes a snapshot, on the writer's thread.
    typealias MakeSnapshot = @Sendable () throws(DurabilityError) -> LogSnapshot

    /// A failure that affects no sender.
    enum Failure: Sendable {
        /// A snapshot could not be made.
        case snapshot
        /// Records that were written could not be synced.
        case sync
    }

    /// The interface of a storage to the task.
    struct Target: Sendable {
        /// The maximal number of bytes of the payload of a record or a snapshot.
        let largest: Int
        let append: @Sendable ([MemberAppend], _ synced: Bool) async throws -> [DurabilityError?]
        let sync: @Sendable () async throws -> Void
        let close: @Sendable () async -> Void
        /// True if a failed sync is tried again.
        let retriesSync: Bool
        let note: @Sendable (Failure) -> Void
    }

    let queue: WriteQueue<Order>
    /// The maximal number of bytes that are written at once, unless a single record or snapshot has more.
    private static let mostBytes = 1 << 22

    init(
        _ degree: Acknowledgment, schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        queue = WriteQueue(degree, schedule: schedule)
    }

    /// True if results are published before they are written.
    var isDelayed: Bool { queue.isDelayed }

    /// True if results are published before they are synced.
    private var isUnsynced: Bool { queue.degree == .afterWrite }

    // MARK: For the loops

    func append(_ record: LogRecord, of log: any WrittenLog, due: Int64?) {
        queue.append(.record(record, of: log, due: due), mayWait: isDelayed)
    }

    func append(_ snapshot: @escaping MakeSnapshot, of log: any WrittenLog, due: Int64?) {
        queue.append(.snapshot(snapshot, of: log, due: due), mayWait: isDelayed)
    }

    /// Reports to a log that all of it is written.
    func close(_ log: any WrittenLog) { queue.append(.close(log)) }

    /// Calls a closure when everything so far is written.
    func call(_ body: @escaping @Sendable () async -> Void) { queue.append(.call(body)) }

    /// Calls a closure when everything so far is written, and waits for it.
    func calling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await queue.ask { waiter in
            .call {
                do {
                    try await body()
                    waiter.resume()
                } catch { waiter.resume(throwing: error) }
            }
        }
    }

    /// Waits until everything so far is synced.
    func flush() async throws { try await queue.ask { .flush($0) } }

    /// Ends the task when it has executed the orders in the queue.
    func close() { queue.close() }

    // MARK: The task

    /// The logs with published results that are not synced.
    private struct Unsynced {
        var logs: [ObjectIdentifier: any WrittenLog] = [:]
        /// True if their sync is scheduled.
        var isDue = false
    }

    /// Writes until the queue is closed, and closes the storage.
    func run(_ target: Target) async {
        var unsynced = Unsynced()
        while let orders = await queue.next() {
            var batch = WriteBatch()
            var closing: [any WrittenLog] = []
            for order in orders {
                switch order {
                case .record(let record, let log, let due):
                    await makeRoom(for: record.payload.count, in: &batch, target, &unsynced)
                    // Even if the previous write has just failed.
                    if log.hasFailed { continue }
                    batch.add(record, of: log, due: due)
                case .snapshot(let make, let log, let due):
                    if log.hasFailed { continue }
                    // Without a snapshot, a log is only longer than necessary.
                    guard let snapshot = try? make(), snapshot.payload.count <= target.largest else {
                        target.note(.snapshot)
                        continue
                    }
                    await makeRoom(for: snapshot.payload.count, in: &batch, target, &unsynced)
                    if log.hasFailed { continue }
                    batch.add(snapshot, of: log, due: due)
                case .close(let log): closing.append(log)
                case .flush(let waiter):
                    await write(&batch, target, &unsynced)
                    await sync(waiter, target, &unsynced)
                case .call(let body):
                    await write(&batch, target, &unsynced)
                    await body()
                }
            }
            await write(&batch, target, &unsynced)
            for log in closing { log.closed() }
        }
        if unsynced.isDue { await sync(nil, target, &unsynced) }
        await target.close()
    }

    /// Writes a batch that would become larger than a storage takes at once.
    private func makeRoom(for count: Int, in batch: inout WriteBatch, _ target: Target, _ unsynced: inout Unsynced) async {
        if batch.size > 0, batch.size + count > Self.mostBytes { await write(&batch, target, &unsynced) }
    }

    private func write(_ batch: inout WriteBatch, _ target: Target, _ unsynced: inout Unsynced) async {
        if batch.appends.isEmpty { return }
        defer { batch = WriteBatch() }
        do {
            let answers = try await target.append(batch.appends, !isUnsynced)
            for (place, log) in batch.logs.enumerated() {
                let append = batch.appends[place]
                if let error = place < answers.count ? answers[place] : .storage("the storage has not answered for \(append.id)")
                {
                    log.failed(error)
                } else {
                    log.wrote(through: append.last)
                    if isUnsynced { unsynced.logs[ObjectIdentifier(log)] = log }
                }
            }
            if isUnsynced, !unsynced.isDue { syncLater(&unsynced) }
        } catch {
            let error = DurabilityError(wrapping: error)
            for log in batch.logs { log.failed(error) }
        }
    }

    private func sync(_ waiter: Waiter?, _ target: Target, _ unsynced: inout Unsynced) async {
        do {
            try await target.sync()
            unsynced = Unsynced()
            waiter?.resume()
        } catch {
            target.note(.sync)
            let error = DurabilityError(wrapping: error)
            // Treated like a failure of the append.
            for log in unsynced.logs.values { log.failed(error) }
            unsynced = Unsynced()
            if isUnsynced, target.retriesSync { syncLater(&unsynced) }
            waiter?.resume(throwing: error)
        }
    }

    private func syncLater(_ unsynced: inout Unsynced) {
        unsynced.isDue = true
        queue.appendSoon(.flush(nil))
    }
}

/// The interface of a log to its writer.
protocol WrittenLog: AnyObject, Sendable {
    /// The id of a fleet's member; empty for a store.
    var id: String { get }
    /// True after a failure, when no more records are written.
    var hasFailed: Bool { get }
    /// Records that everything up to a record is written, to the chosen degree.
    func wrote(through sequence: UInt64)
    /// Records that a write has failed.
    func failed(_ error: DurabilityError)
    /// Records that everything is written, so that another owner may open the log.
    func closed()
}

/// The records and snapshots of many logs, as one append for each.
struct WriteBatch {
    private(set) var appends: [MemberAppend] = []
    /// The logs of the appends.
    private(set) var logs: [any WrittenLog] = []
    /// The number of bytes of the records and snapshots.
    private(set) var size = 0
    private var places: [ObjectIdentifier: Int] = [:]

    mutating func add(_ record: LogRecord, of log: any WrittenLog, due: Int64?) {
        let place = place(of: log, expected: record.sequence - 1)
        size += record.payload.count
        appends[place].records.append(record)
        appends[place].due = due
    }

    mutating func add(_ snapshot: LogSnapshot, of log: any WrittenLog, due: Int64?) {
        let place = place(of: log, expected: snapshot.sequence)
        size += snapshot.payload.count
        appends[place].snapshot = snapshot
        appends[place].due = due
    }

    private mutating func place(of log: any WrittenLog, expected: UInt64) -> Int {
        if let last = logs.last, last === log { return logs.count - 1 }
        if let place = places[ObjectIdentifier(log)] { return place }
        places[ObjectIdentifier(log)] = appends.count
        logs.append(log)
        appends.append(MemberAppend(id: log.id, expected: expected, records: []))
        return appends.count - 1
    }
}
