@_spi(Storage) import MoonlightDurability

/// Appends to the logs of members, and determines the result of each append. For one thread at a time.
final class MemberTable {
    let session: Session
    let tables: Tables
    /// True if a log must be claimed before appends.
    private let claims: Bool
    /// The last records that were appended without being synced, by the bytes of the member's id, and the connection at that
    /// time: if the server has ended since, they may be lost.
    private var unsynced: [[UInt8]: UInt64] = [:]
    private var unsyncedSince = 0

    init(_ session: Session, _ tables: Tables, claims: Bool) {
        self.session = session
        self.tables = tables
        self.claims = claims
    }

    /// Appends to logs.
    ///
    /// If the connection is lost meanwhile, the append is sent again. If the first attempt had succeeded, the log is no longer in
    /// the expected state, and its last writer is this one. Without claims, each append has a writer of its own: the server may
    /// execute an earlier one, whose result was unknown, at any time.
    func append(_ batch: [MemberAppend], synced: Bool) throws(DurabilityError) -> [DurabilityError?] {
        guard !batch.isEmpty else { return [] }
        let start = session.connections
        let writer = claims ? tables.writer : Int64.random(in: 1...Int64.max)
        let command = tables.append(batch, by: writer, claimed: claims)
        guard let rows = try session.run(synced ? [command] : [Tables.unsynced, command]).last else { return [] }
        let done = Set((0..<rows.count).map { rows.bytes($0, 0) })
        var errors = [DurabilityError?](repeating: nil, count: batch.count)
        if done.count < batch.count {
            let others = batch.filter { !done.contains($0.key) }
            let found = try lasts(of: others.map(\.id))
            for (place, append) in batch.enumerated() where !done.contains(append.key) {
                let entry = found[append.key]
                let isOurs = entry?.last == append.last && entry?.writer == writer && session.connections > start
                errors[place] = isOurs ? nil : Self.error(append, entry?.last ?? 0)
            }
        }
        if !synced {
            if unsynced.isEmpty { unsyncedSince = session.connections }
            for (place, append) in batch.enumerated() where errors[place] == nil { unsynced[append.key] = append.last }
        } else if session.connections == unsyncedSince {
            // The commit has also flushed everything before it.
            unsynced = [:]
        }
        return errors
    }

    /// Removes the log of a member. The commit also flushes everything before it.
    func remove(_ id: String) throws(DurabilityError) {
        _ = try session.run(tables.remove(id))
        unsynced[Array(id.utf8)] = nil
    }

    /// Flushes everything to the disk.
    ///
    /// - Throws: An error also if the server has lost unsynced appends.
    func sync() throws(DurabilityError) {
        if unsynced.isEmpty { return }
        _ = try session.run(tables.sync())
        defer { unsynced = [:] }
        if session.connections == unsyncedSince { return }
        let found = try lasts(of: unsynced.keys.map { String(decoding: $0, as: UTF8.self) })
        let lost = unsynced.filter { $0.value > found[$0.key]?.last ?? 0 }.keys.map { String(decoding: $0, as: UTF8.self) }
            .sorted()
        guard lost.isEmpty else {
            throw .storage("PostgreSQL has lost unsynced records when it ended: of \(lost.prefix(10).joined(separator: ", "))")
        }
    }

    private func lasts(of ids: [String]) throws(DurabilityError) -> [[UInt8]: (last: UInt64, writer: Int64)] {
        let rows = try session.run(tables.last(of: ids))
        var found: [[UInt8]: (last: UInt64, writer: Int64)] = [:]
        for row in 0..<rows.count { found[rows.bytes(row, 0)] = (rows.sequence(row, 1), rows.number(row, 2) ?? 0) }
        return found
    }

    private static func error(_ append: MemberAppend, _ last: UInt64) -> DurabilityError {
        last < append.expected
            ? .missing(
                from: last + 1, to: append.expected, reason: "PostgreSQL has lost unsynced records when it ended")
            : .conflict(id: append.id, expected: append.expected)
    }
}

extension MemberAppend {
    /// The id as a key: `String` treats some different ids as equal.
    fileprivate var key: [UInt8] { Array(id.utf8) }
}

extension Rows {
    /// The snapshot in a row.
    func snapshot(_ row: Int) -> LogSnapshot {
        LogSnapshot(
            sequence: sequence(row, 0),
            versions: .init(effects: version(row, 1), state: version(row, 2), reducer: version(row, 3)),
            payload: bytes(row, 4))
    }

    /// The record in a row.
    func record(_ row: Int) -> LogRecord {
        LogRecord(sequence: sequence(row, 0), schema: version(row, 1), payload: bytes(row, 2))
    }
}

/// Checks that records are consecutive.
struct Succession {
    private(set) var last: UInt64

    init(after sequence: UInt64) { last = sequence }

    mutating func take(_ sequence: UInt64) throws(DurabilityError) {
        guard sequence == last + 1 else {
            throw .missing(from: last + 1, to: sequence - 1, reason: "they are not in the table of records")
        }
        last = sequence
    }

    /// - Parameter rows: The row of the log, with the sequence of its last record; empty if there is no such log.
    func finish(at rows: Rows) throws(DurabilityError) {
        guard rows.count > 0 else {
            if last == 0 { return }
            throw .missing(
                from: last + 1, to: last + 1, reason: "the log has records or a snapshot, but is not in the table of members")
        }
        let end = rows.sequence(0, 0)
        if last < end { throw .missing(from: last + 1, to: end, reason: "they are not in the table of records") }
    }
}
