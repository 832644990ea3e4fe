import Moonlight
import Streams
import Synchronization

/// Writes the logs of a fleet's members: everything that has gathered while the storage was busy at once, so that all members share a
/// sync (group commit).
///
/// It is a task on a thread of its own. The loops append to its queue and go on.
final class FleetWriter: Sendable {
    /// What is asked of the writer for one member.
    struct Order: Sendable {
        enum What: Sendable {
            case record(LogRecord)
            /// A snapshot, which is encoded by the writer.
            case snapshot(@Sendable () throws(DurabilityError) -> LogSnapshot)
            case close
        }

        let member: any WrittenMember
        let what: What
        /// When the member is due from then on.
        let due: Int64?
    }

    /// What the task has to do.
    private enum Request: Sendable {
        case write(Order)
        case remove(String, CheckedContinuation<Void, any Error>)
        /// Sync what has been written; the waiter is nil if nobody waits.
        case flush(CheckedContinuation<Void, any Error>?)
    }

    private let queue: WriteQueue<Request>
    private let storage: any FleetBackend
    /// The number of batches that were written, and of the appends in them.
    let batches = Atomic<Int>(0)
    let appends = Atomic<Int>(0)
    /// So many bytes are written at once, or a single record or snapshot that has more.
    private static let mostBytes = 1 << 22

    init(
        _ storage: any FleetBackend, _ degree: Acknowledgment,
        schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.storage = storage
        queue = WriteQueue(degree, schedule: schedule)
    }

    /// Whether what happens may be told before it is written.
    var isDelayed: Bool { queue.isDelayed }

    /// Whether what happens may be told before it is synced.
    private var isUnsynced: Bool { queue.degree == .afterWrite }

    // MARK: For the members

    func take(_ order: Order) {
        let isClose = if case .close = order.what { true } else { false }
        queue.append(.write(order), mayWait: isDelayed && !isClose)
    }

    /// Removes the log of a member that has no loop, and returns when that is durable.
    func remove(_ id: String) async throws { try await queue.ask { .remove(id, $0) } }

    /// Returns when everything so far is synced.
    func flush() async throws { try await queue.ask { .flush($0) } }

    /// Ends the writer, when it has written what is in the queue.
    func close() { queue.close() }

    // MARK: The task

    /// Something that has failed, and that no member has to be told of.
    enum Failure: Sendable {
        /// A snapshot could not be made.
        case snapshot
        /// What was written could not be synced.
        case sync
    }

    /// The members that have been told of something that is not synced.
    private struct Unsynced {
        var members: [ObjectIdentifier: any WrittenMember] = [:]
        /// Whether a time was set at which it will be.
        var isDue = false
    }

    /// Writes until it is closed, and closes the storage.
    ///
    /// - Parameters:
    ///   - largest: The most bytes that the payload of a record or a snapshot may have.
    ///   - note: Takes what has failed.
    func run(largest: Int, _ note: (Failure) -> Void) async {
        var unsynced = Unsynced()
        while let requests = await queue.next() {
            var orders: [Order] = []
            var removals: [(id: String, waiter: CheckedContinuation<Void, any Error>)] = []
            var flushes: [CheckedContinuation<Void, any Error>] = []
            var mustSync = false
            for request in requests {
                switch request {
                case .write(let order): orders.append(order)
                case .remove(let id, let waiter): removals.append((id, waiter))
                case .flush(let waiter):
                    mustSync = true
                    if let waiter { flushes.append(waiter) }
                }
            }
            await write(orders, largest: largest, &unsynced, note)
            for (id, waiter) in removals {
                do {
                    try await storage.remove(id)
                    waiter.resume()
                } catch { waiter.resume(throwing: error) }
            }
            if mustSync { await sync(flushes, &unsynced, note) }
        }
        if unsynced.isDue { await sync([], &unsynced, note) }
        await storage.close()
    }

    private func sync(
        _ waiters: [CheckedContinuation<Void, any Error>], _ unsynced: inout Unsynced, _ note: (Failure) -> Void
    ) async {
        do {
            try await storage.sync()
            unsynced = Unsynced()
            for waiter in waiters { waiter.resume() }
        } catch {
            note(.sync)
            let error = DurabilityError(wrapping: error)
            // They are read anew, as if the append itself had failed.
            for member in unsynced.members.values { member.failed(error) }
            unsynced.members = [:]
            // The storage still has what it was given.
            if isUnsynced { syncLater(&unsynced) }
            for waiter in waiters { waiter.resume(throwing: error) }
        }
    }

    private func syncLater(_ unsynced: inout Unsynced) {
        unsynced.isDue = true
        queue.appendSoon(.flush(nil))
    }

    private func write(_ orders: [Order], largest: Int, _ unsynced: inout Unsynced, _ note: (Failure) -> Void) async {
        var batch = FleetBatch()
        for order in orders {
            guard let what = FleetBatch.content(of: order, largest: largest, note) else { continue }
            // So that no append is larger than a storage takes, however much has gathered.
            if batch.size > 0, batch.size + what.size > Self.mostBytes {
                await write(batch, &unsynced)
                batch = FleetBatch(closing: batch.closing)
            }
            batch.add(what, order)
        }
        await write(batch, &unsynced)
        for member in batch.closing { member.closed() }
    }

    private func write(_ batch: FleetBatch, _ unsynced: inout Unsynced) async {
        if batch.appends.isEmpty { return }
        let isSynced = !isUnsynced
        batches.wrappingAdd(1, ordering: .relaxed)
        appends.wrappingAdd(batch.appends.count, ordering: .relaxed)
        do {
            let answers = try await storage.append(batch.appends, synced: isSynced)
            for (place, member) in batch.members.enumerated() {
                let answer = place < answers.count ? answers[place] : .storage("the storage has not answered for \(member.id)")
                if let answer {
                    member.failed(answer)
                } else {
                    member.wrote(through: batch.appends[place].last)
                    if !isSynced { unsynced.members[ObjectIdentifier(member)] = member }
                }
            }
            if !isSynced, !unsynced.isDue { syncLater(&unsynced) }
        } catch {
            let error = DurabilityError(wrapping: error)
            for member in batch.members { member.failed(error) }
        }
    }
}

/// The orders of many members, as one append for each.
struct FleetBatch {
    /// What an order adds to an append.
    enum Content {
        case record(LogRecord)
        case snapshot(LogSnapshot)
        case close

        var size: Int {
            switch self {
            case .record(let record): record.payload.count
            case .snapshot(let snapshot): snapshot.payload.count
            case .close: 0
            }
        }
    }

    private(set) var appends: [MemberAppend] = []
    /// The members of the appends.
    private(set) var members: [any WrittenMember] = []
    private(set) var closing: [any WrittenMember]
    /// How many bytes the records and snapshots have.
    private(set) var size = 0
    private var places: [ObjectIdentifier: Int] = [:]

    init(closing: [any WrittenMember] = []) { self.closing = closing }

    /// Returns what an order adds; nil if that is nothing, because its member has failed or there is no snapshot that the storage can
    /// have. Without a snapshot, a log is only longer than it need be.
    static func content(of order: FleetWriter.Order, largest: Int, _ note: (FleetWriter.Failure) -> Void) -> Content? {
        switch order.what {
        case .close: return .close
        case .record(let record): return order.member.hasFailed ? nil : .record(record)
        case .snapshot(let make):
            if order.member.hasFailed { return nil }
            if let snapshot = try? make(), snapshot.payload.count <= largest { return .snapshot(snapshot) }
            note(.snapshot)
            return nil
        }
    }

    mutating func add(_ content: Content, _ order: FleetWriter.Order) {
        size += content.size
        switch content {
        case .close: closing.append(order.member)
        case .record(let record):
            let place = place(of: order.member, expected: record.sequence - 1)
            appends[place].records.append(record)
            appends[place].due = order.due
        case .snapshot(let snapshot):
            let place = place(of: order.member, expected: snapshot.sequence)
            appends[place].snapshot = snapshot
            appends[place].due = order.due
        }
    }

    private mutating func place(of member: any WrittenMember, expected: UInt64) -> Int {
        if let place = places[ObjectIdentifier(member)] { return place }
        places[ObjectIdentifier(member)] = appends.count
        members.append(member)
        appends.append(MemberAppend(id: member.id, expected: expected, records: []))
        return appends.count - 1
    }
}
