@_spi(Storage) public import MoonlightDurability
import StorageSupport

/// A log in a database: the storage of a durable store.
///
/// ```swift
/// Durable(
///     storage: PostgreSQLStorage("orders", in: PostgreSQL("host=db.internal")), schema: Schema(OrderEffect.self),
///     state: Schema(Orders.self))
/// ```
/// A log has one writer at a time, on any machine: an advisory lock of the server excludes others while the writer is connected.
/// If the writer is cut off and another one takes over, the first one's appends fail: see
/// ``DurabilityError/conflict(id:expected:)``.
///
/// When the connection is lost, the storage reconnects and determines whether the last records were appended. If it cannot within
/// ``PostgreSQL/patience``, the store is degraded, and continues with `resume()` as after any failure.
public final class PostgreSQLStorage: LogStorage, @unchecked Sendable {
    // Sound: as `LogBackend` requires, a store calls the methods one after another, except `save`, which has its own session.
    private let database: PostgreSQL
    private let opening: Opening<Opened>

    private struct Opened {
        let identity: UInt64
        let session: Session
        let table: MemberTable
        /// The session of `save`, which runs concurrently.
        let side: Session
        /// The last record of the log.
        var last: UInt64 = 0

        var tables: Tables { table.tables }
    }

    /// The only member of the space of a log.
    private static let id = ""

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - log: The name of the log, which must be unique among the stores and fleets of a schema.
    ///   - database: The database.
    public init(_ log: String, in database: PostgreSQL) {
        self.database = database
        opening = Opening(log, of: "store")
    }

    private var name: String { opening.name }

    /// The identity of this log; 0 before it is opened.
    public var identity: UInt64 { opening.content?.identity ?? 0 }

    /// Creates or migrates the tables, and takes the lock of the log.
    @_spi(Storage) public func open() throws -> [UInt64] {
        try opening.open {
            let (session, tables, identity) = try Tables.open(name, in: database)
            return Opened(
                identity: identity, session: session, table: MemberTable(session, tables, claims: true), side: Session(database))
        }
        do {
            let open = try opening.live
            let rows = try open.session.run(open.tables.snapshots(of: Self.id))
            return (0..<rows.count).map { rows.sequence($0, 0) }
        } catch {
            close()
            throw error
        }
    }

    /// Reads a snapshot.
    @_spi(Storage) public func snapshot(at sequence: UInt64) throws -> LogSnapshot? {
        let rows = try opening.live.session.run(opening.live.tables.snapshot(of: Self.id, at: sequence))
        return rows.count == 0 ? nil : rows.snapshot(0)
    }

    /// Reads the records after one, a thousand at a time.
    @_spi(Storage) public func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) throws -> TornEnd? {
        let open = try opening.live
        var succession = Succession(after: sequence)
        while true {
            let rows = try open.session.run(open.tables.records(of: Self.id, after: succession.last, limit: 1000))
            for row in 0..<rows.count {
                let record = rows.record(row)
                try succession.take(record.sequence)
                try take(record)
            }
            if rows.count < 1000 { break }
        }
        let end = try open.session.run(open.tables.last(of: Self.id))
        try succession.finish(at: end)
        return nil
    }

    /// Claims the log for this writer.
    @_spi(Storage) public func begin(after sequence: UInt64) throws {
        let open = try opening.live
        let last = try open.session.run(open.tables.claim(Self.id)).sequence(0, 0)
        guard last == sequence else { throw DurabilityError.conflict(id: name, expected: sequence) }
        opening.change { $0.last = sequence }
    }

    /// Appends records.
    @_spi(Storage) public func append(_ records: [LogRecord], synced: Bool) throws {
        let open = try opening.live
        guard let last = records.last?.sequence else { return }
        let append = MemberAppend(id: Self.id, expected: open.last, records: records)
        switch try opening.live.table.append([append], synced: synced).first {
        case .some(.some(.conflict(_, let expected))): throw DurabilityError.conflict(id: name, expected: expected)
        case .some(.some(let error)): throw error
        default: opening.change { $0.last = last }
        }
    }

    /// Flushes the appends to the disk.
    @_spi(Storage) public func sync() throws { try opening.live.table.sync() }

    /// Does nothing: tables have no parts.
    @_spi(Storage) public func roll() throws {}

    /// Adds a snapshot.
    @_spi(Storage) public func save(_ snapshot: LogSnapshot) throws {
        let open = try opening.live
        let saved = try open.side.run(open.tables.save(snapshot, of: Self.id, moves: false))
        guard saved.count == 1 else { throw DurabilityError.conflict(id: name, expected: snapshot.sequence) }
    }

    /// Removes the snapshots before the last two and, unless history is kept, the records that the older of the two includes.
    @_spi(Storage) public func prune(keepsHistory: Bool) throws {
        let open = try opening.live
        _ = try open.session.run(open.tables.prune(of: Self.id, keepsHistory: keepsHistory))
    }

    /// Continues after a failure, behind a snapshot.
    @_spi(Storage) public func restart(from snapshot: LogSnapshot) throws {
        let open = try opening.live
        let saved = try open.session.run(open.tables.save(snapshot, of: Self.id, moves: true))
        guard saved.count == 1 else { throw DurabilityError.conflict(id: name, expected: snapshot.sequence) }
        opening.change { $0.last = snapshot.sequence }
    }

    /// Closes the connections, which releases the lock.
    @_spi(Storage) public func close() {
        opening.close { open in
            try? open.table.sync()
            open.session.close()
            open.side.close()
        }
    }
}

@_spi(Storage) extension PostgreSQLStorage: LogBackend {}
