import Dispatch
import Moonlight
import Streams

/// The state, open work and keys of a log.
struct Recovered<State: Equatable, Event, Effect> {
    var state: State
    var book: LogBook<Event>
    var last: UInt64 = 0
    var effectsSinceSnapshot = 0
    /// The unhandled follow-up events, oldest first.
    var followUps: [Event] = []
    var report = LogRecovery()

    /// Folds a record into the state.
    mutating func fold<Environment>(
        _ record: LogRecord, _ coding: EntryCoding<Event, Effect>, _ reducer: Reducer<State, Event, Effect, Environment>
    ) throws(DurabilityError) {
        try fold(coding.entries(of: record), of: record, reducer)
    }

    private mutating func fold<Environment>(
        _ entries: [LogEntry<Event, Effect>], of record: LogRecord, _ reducer: Reducer<State, Event, Effect, Environment>
    ) throws(DurabilityError) {
        for entry in entries { try fold(entry, in: record.sequence, reducer) }
        last = record.sequence
    }

    /// Folds records into the state, in order, after decoding them on all cores.
    mutating func fold<Environment>(
        _ records: [LogRecord], _ coding: EntryCoding<Event, Effect>, _ reducer: Reducer<State, Event, Effect, Environment>
    ) throws where Event: Sendable, Effect: Sendable {
        typealias Decoded = [Result<[LogEntry<Event, Effect>], DurabilityError>]
        let share = 256
        let count = (records.count + share - 1) / share
        let decoded = Lock([Decoded](repeating: [], count: count))
        DispatchQueue.concurrentPerform(iterations: count) { part in
            let entries = coding.entries(of: records[part * share..<min(records.count, (part + 1) * share)])
            decoded.withLock { $0[part] = entries }
        }
        for (record, entries) in zip(records, decoded.withLock { $0 }.joined()) { try fold(entries.get(), of: record, reducer) }
    }

    mutating func fold<Environment>(
        _ entry: LogEntry<Event, Effect>, in sequence: UInt64, _ reducer: Reducer<State, Event, Effect, Environment>
    ) throws(DurabilityError) {
        switch entry {
        case .effect(let effect):
            do { followUps += try reducer.apply(effect, to: &state) } catch {
                throw .refused(sequence: sequence, reason: "\(error)")
            }
            effectsSinceSnapshot += 1
            report.effects += 1
        case .begun(let work): book.begin(work)
        case .ended(let number): book.end(number)
        case .followUp:
            guard !followUps.isEmpty else {
                throw .unreadable(sequence: sequence, reason: "it has a follow-up event of an effect that no longer has one")
            }
            followUps.removeFirst()
        case .answered(let answer): book.keys.add(answer)
        }
    }
}

extension Recovered {
    /// Asks for decisions about the open work.
    ///
    /// - Returns: The entries of the decisions, for one record, and the events that the loop handles first.
    mutating func decide<Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        _ interrupted: (InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>
    ) throws -> (entries: [LogEntry<Event, Effect>], leftOver: [LeftOver<Event>]) {
        var entries: [LogEntry<Event, Effect>] = []
        var sent: [(work: OpenWork<Event>, event: Event)] = []
        for work in book.open {
            report.interrupted += 1
            switch interrupted(InterruptedWork(work)) {
            case .send(let event): sent.append((work, event))
            case .drop: entries.append(.ended(work.number))
            case .fail(let effect):
                do throws(DurabilityError) { try fold(.effect(effect), in: last + 1, reducer) } catch {
                    guard case .refused(_, let reason) = error else { throw error }
                    throw DurabilityError.refusedFailure(key: work.key, reason: reason)
                }
                entries += [.effect(effect), .ended(work.number)]
            }
        }
        for case .ended(let number) in entries { book.end(number) }
        var retries: [LeftOver<Event>] = []
        var repeated: Set<UInt64> = []
        for (work, event) in sent {
            // An event need not be Equatable, and a codec that encrypts has other bytes each time.
            let isOwn = "\(event)" == "\(work.event)"
            if isOwn, !repeated.insert(work.first).inserted { continue }
            retries.append(LeftOver(event: event, request: RetryRequest(isOwn ? book.works(with: work) : [work])))
        }
        if !entries.isEmpty { last += 1 }
        return (entries, followUps.map { LeftOver(event: $0, request: nil) } + retries)
    }
}

extension Recovered: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}

/// The log that a recovery reads: that of a store, or that of a fleet's member.
struct RecoverySource {
    /// The last records that the snapshots include, newest first.
    let snapshots: [UInt64]
    /// Returns a snapshot; nil if it is damaged.
    let snapshot: (UInt64) async throws -> LogSnapshot?
    /// Reads the records after one, in order.
    let read: (UInt64, (LogRecord) throws -> Void) async throws -> TornEnd?

    init(_ storage: any LogBackend, _ snapshots: [UInt64]) {
        self.snapshots = snapshots
        snapshot = { try await storage.snapshot(at: $0) }
        read = { try await storage.read(after: $0, $1) }
    }

    init(_ log: MemberLog, of id: String) {
        snapshots = log.snapshot.map { [$0.sequence] } ?? []
        snapshot = { _ in log.snapshot }
        read = { sequence, take in
            var next = sequence + 1
            for record in log.records {
                guard record.sequence == next else {
                    throw DurabilityError.missing(from: next, to: record.sequence - 1, reason: "the log of \(id) has a gap")
                }
                try take(record)
                next += 1
            }
            return nil
        }
    }
}

extension SnapshotCoding {
    /// Reads the newest usable snapshot, and folds the records after it.
    func recover<Environment>(
        _ source: RecoverySource, _ reducer: Reducer<State, Event, Effect, Environment>, from initialState: State, keys: KeyWindow
    ) async throws -> Recovered<State, Event, Effect> where State: Equatable, Event: Sendable, Effect: Sendable {
        var recovered = Recovered<State, Event, Effect>(state: initialState, book: LogBook(keys))
        for sequence in source.snapshots {
            guard let snapshot = try await source.snapshot(sequence) else {
                recovered.report.damagedSnapshots.append(sequence)
                continue
            }
            if let doubt = doubt(snapshot.versions) {
                recovered.report.doubtedSnapshots[sequence] = doubt
                continue
            }
            recovered.state = try read(snapshot, into: &recovered.book)
            recovered.last = sequence
            recovered.report.snapshot = sequence
            break
        }
        do {
            var batch: [LogRecord] = []
            recovered.report.tornEnd = try await source.read(recovered.last) { record in
                batch.append(record)
                if batch.count < 4096 { return }
                try recovered.fold(batch, entries, reducer)
                batch.removeAll(keepingCapacity: true)
            }
            try recovered.fold(batch, entries, reducer)
        } catch DurabilityError.missing(let from, let to, let reason) {
            let reasons = Self.passedOver(recovered.report)
            throw reasons.isEmpty
                ? DurabilityError.missing(from: from, to: to, reason: reason) : DurabilityError.noSnapshot(reason: reasons)
        }
        // A snapshot contains only states of the log. If the log ends before it, the newest records are lost.
        if let newest = source.snapshots.first, newest > recovered.last {
            throw DurabilityError.noSnapshot(
                reason: "the log ends with record \(recovered.last), and \(Self.passedOver(recovered.report))")
        }
        recovered.report.last = recovered.last
        return recovered
    }

    /// Lists the skipped snapshots, each with the reason.
    private static func passedOver(_ report: LogRecovery) -> String {
        let doubted = report.doubtedSnapshots.sorted { $0.key > $1.key }.map { "that of record \($0.key) is of \($0.value)" }
        return (doubted + report.damagedSnapshots.map { "that of record \($0) is damaged" }).joined(separator: ", ")
    }
}

/// A left-over event, which the loop handles first.
struct LeftOver<Event> {
    let event: Event
    /// The interrupted work that the event attempts again; nil if it followed from an effect.
    let request: RetryRequest<Event>?
}
