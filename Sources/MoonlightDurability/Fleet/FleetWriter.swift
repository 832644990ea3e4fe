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
            case snapshot(sequence: UInt64, @Sendable () throws(DurabilityError) -> LogSnapshot)
            case close
        }

        let member: any WrittenMember
        let what: What
        /// When the member is due from then on.
        let due: Int64?
    }

    private struct Line: Sendable {
        var orders: [Order] = []
        var flushes: [CheckedContinuation<Void, any Error>] = []
        /// Whether there is something to do now.
        var isUrgent = false
        /// Whether a time was set at which there will be.
        var isScheduled = false
        var mustSync = false
        var isClosed = false
        /// The writer, while it has nothing to do.
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let line = Lock(Line())
    private let storage: any FleetStorage
    private let degree: Acknowledgment
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// The number of batches that were written, and of the appends in them.
    let batches = Atomic<Int>(0)
    let appends = Atomic<Int>(0)
    /// So many records are written at once even if they may wait.
    private static let mostWaiting = 1 << 16

    init(
        _ storage: any FleetStorage, _ degree: Acknowledgment,
        schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.storage = storage
        self.degree = degree
        self.schedule = schedule
    }

    /// Whether what happens may be told before it is written.
    var isDelayed: Bool { if case .later = degree { true } else { false } }

    // MARK: For the members

    func take(_ order: Order) {
        let isUrgent = if case .close = order.what { true } else { !isDelayed }
        push { line in
            line.orders.append(order)
            return isUrgent || line.orders.count >= Self.mostWaiting
        }
    }

    /// Returns when everything so far is synced.
    func flush() async throws {
        try await withCheckedThrowingContinuation { waiter in
            let isClosed = line.withLock { line in
                if !line.isClosed { line.flushes.append(waiter) }
                return line.isClosed
            }
            if isClosed { waiter.resume(throwing: DurabilityError.closed) } else { push { _ in true } }
        }
    }

    /// Ends the writer, when it has written what is in the queue.
    func close() {
        push { line in
            line.isClosed = true
            return true
        }
    }

    /// - Parameter change: Returns whether there is something to do now.
    private func push(_ change: (inout Line) -> Bool) {
        let (sleeper, isLater) = line.withLock { line in
            if change(&line) { line.isUrgent = true }
            if line.isUrgent { return (line.sleeper.take(), false) }
            defer { line.isScheduled = true }
            return (nil, !line.isScheduled)
        }
        sleeper?.resume()
        if isLater, case .later(let interval) = degree { schedule(interval) { [weak self] in self?.push { _ in true } } }
    }

    // MARK: The task

    /// Writes until it is closed, and closes the storage.
    func run() async {
        var isSyncDue = false
        while let batch = await next() {
            await write(batch.orders, isSyncDue: &isSyncDue)
            if batch.mustSync || !batch.flushes.isEmpty {
                isSyncDue = false
                do {
                    try await storage.sync()
                    for waiter in batch.flushes { waiter.resume() }
                } catch { for waiter in batch.flushes { waiter.resume(throwing: DurabilityError(wrapping: error)) } }
            }
        }
        await storage.close()
    }

    private func next() async -> Line? {
        while true {
            let batch = line.withLock { line -> Line? in
                guard line.isUrgent else { return nil }
                let batch = line
                (line.orders, line.flushes, line.mustSync) = ([], [], false)
                (line.isUrgent, line.isScheduled) = (line.isClosed, false)
                return batch
            }
            if let batch { return batch.orders.isEmpty && batch.flushes.isEmpty && batch.isClosed ? nil : batch }
            await withCheckedContinuation { sleeper in
                let isUrgent = line.withLock { line in
                    if !line.isUrgent { line.sleeper = sleeper }
                    return line.isUrgent
                }
                if isUrgent { sleeper.resume() }
            }
        }
    }

    private func write(_ orders: [Order], isSyncDue: inout Bool) async {
        var batch = FleetBatch()
        for order in orders { batch.add(order) }
        await write(batch, isSyncDue: &isSyncDue)
        for member in batch.closing { member.closed() }
    }

    private func write(_ batch: FleetBatch, isSyncDue: inout Bool) async {
        if batch.appends.isEmpty { return }
        let isSynced = degree != .afterWrite
        batches.wrappingAdd(1, ordering: .relaxed)
        appends.wrappingAdd(batch.appends.count, ordering: .relaxed)
        do {
            let answers = try await storage.append(batch.appends, synced: isSynced)
            for (place, member) in batch.members.enumerated() {
                let answer = place < answers.count ? answers[place] : .storage("the storage has not answered for \(member.id)")
                if let answer { member.failed(answer) } else { member.wrote(through: batch.appends[place].last) }
            }
            if !isSynced, !isSyncDue {
                isSyncDue = true
                schedule(.seconds(1)) { [weak self] in self?.syncSoon() }
            }
        } catch {
            let error = DurabilityError(wrapping: error)
            for member in batch.members { member.failed(error) }
        }
    }

    private func syncSoon() {
        push { line in
            line.mustSync = true
            return true
        }
    }
}

/// The orders of many members, as one append for each.
struct FleetBatch {
    private(set) var appends: [MemberAppend] = []
    /// The members of the appends.
    private(set) var members: [any WrittenMember] = []
    private(set) var closing: [any WrittenMember] = []
    private var places: [ObjectIdentifier: Int] = [:]

    mutating func add(_ order: FleetWriter.Order) {
        switch order.what {
        case .close: closing.append(order.member)
        case .record(let record):
            guard !order.member.hasFailed else { return }
            let place = place(of: order.member, expected: record.sequence - 1)
            appends[place].records.append(record)
            appends[place].due = order.due
        case .snapshot(let sequence, let make):
            // Without a snapshot, the log is only longer than it need be.
            guard !order.member.hasFailed, let snapshot = try? make() else { return }
            let place = place(of: order.member, expected: sequence)
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
