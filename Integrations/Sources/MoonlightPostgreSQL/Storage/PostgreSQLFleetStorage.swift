@_spi(Storage) public import MoonlightDurability
import StorageSupport

/// The logs of a fleet's members in a database.
///
/// ```swift
/// let storage = PostgreSQLFleetStorage("rooms", in: PostgreSQL("host=db.internal"))
/// ```
/// One fleet at a time, on any machine, has the logs: an advisory lock of the server excludes others while it is connected. If a
/// fleet that was cut off still appends to a member of another fleet, the sequences conflict, and the second one receives
/// ``DurabilityError/conflict(id:expected:)``.
public final class PostgreSQLFleetStorage: FleetStorage, @unchecked Sendable {
    // Sound: the variable is set by `open` and `close`, before and after all other calls. A fleet appends from one task;
    // concurrent calls use the pool, which is synchronized.
    private let database: PostgreSQL
    private let readers: Int
    private let isRouted: Bool
    private let opening: Opening<Opened>

    private struct Opened {
        let identity: UInt64
        let session: Session
        let table: MemberTable
        let pool: SessionPool

        var tables: Tables { table.tables }
    }

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - fleet: The name of the fleet, which must be unique among the fleets and stores of a schema.
    ///   - database: The database.
    ///   - readers: The number of connections for reading; one more appends.
    ///   - isRouted: True if a router, such as `FleetRouter`, assigns these logs to processes. Then no lock of the server is
    ///     taken.
    public init(_ fleet: String, in database: PostgreSQL, readers: Int = 4, isRouted: Bool = false) {
        precondition(readers > 0, "readers must be at least 1")
        self.database = database
        self.readers = readers
        self.isRouted = isRouted
        opening = Opening(fleet, of: "fleet")
    }

    /// The identity of these logs; 0 before they are opened.
    public var identity: UInt64 { opening.content?.identity ?? 0 }

    /// Creates or migrates the tables, takes the lock of the fleet, and reads the members that are due.
    @_spi(Storage) public func open() throws -> [(id: String, due: Int64)] {
        try opening.open {
            let (session, tables, identity) = try Tables.open(opening.name, in: database, locks: !isRouted)
            return Opened(
                identity: identity, session: session, table: MemberTable(session, tables, claims: false),
                pool: SessionPool(database, count: readers))
        }
        do {
            let open = try opening.live
            let rows = try open.session.run(open.tables.due())
            return (0..<rows.count).map { (rows.text($0, 0), rows.number($0, 1) ?? 0) }
        } catch {
            shut()
            throw error
        }
    }

    /// Reads the log of a member.
    @_spi(Storage) public func read(_ id: String) throws -> MemberLog {
        if let refusal = Self.refusal(of: id) { throw refusal }
        let open = try opening.live
        // Another fleet may append meanwhile.
        let rows = try open.pool.run([
            Tables.consistent, open.tables.newestSnapshot(of: id), open.tables.recordsAfterSnapshot(of: id),
            open.tables.last(of: id),
        ])
        let snapshot = rows[1].count == 0 ? nil : rows[1].snapshot(0)
        let records = (0..<rows[2].count).map { rows[2].record($0) }
        var succession = Succession(after: snapshot?.sequence ?? 0)
        for record in records { try succession.take(record.sequence) }
        try succession.finish(at: rows[3])
        return MemberLog(snapshot: snapshot, records: records)
    }

    /// Appends to the logs of any number of members, in one statement.
    @_spi(Storage) public func append(_ batch: [MemberAppend], synced: Bool) throws -> [DurabilityError?] {
        // An id that the server cannot store does not affect the others.
        let refusals = batch.map { Self.refusal(of: $0.id) }
        let good = zip(batch, refusals).filter { $0.1 == nil }.map(\.0)
        var answers = try opening.live.table.append(good, synced: synced).makeIterator()
        return refusals.map { $0 ?? answers.next() ?? nil }
    }

    /// Removes the log of a member: all its rows, in one transaction.
    @_spi(Storage) public func remove(_ id: String) throws {
        if Self.refusal(of: id) == nil { try opening.live.table.remove(id) }
    }

    /// Flushes the appends to the disk.
    @_spi(Storage) public func sync() throws { try opening.live.table.sync() }

    /// Returns some of the ids, in the order of their bytes.
    @_spi(Storage) public func ids(after cursor: String?, limit: Int) throws -> (ids: [String], next: String?) {
        let rows = try opening.live.pool.run([opening.live.tables.ids(after: cursor ?? "", limit: limit)])[0]
        let ids = (0..<rows.count).map { rows.text($0, 0) }
        return (ids, ids.count == limit ? ids.last : nil)
    }

    /// The number of members.
    @_spi(Storage) public func count() throws -> Int {
        Int(try opening.live.pool.run([opening.live.tables.count()])[0].number(0, 0) ?? 0)
    }

    /// Closes the connections, which releases the lock.
    @_spi(Storage) public func close() async { shut() }

    private func shut() {
        opening.close { open in
            try? open.table.sync()
            open.session.close()
            open.pool.close()
        }
    }

    /// Returns the reason why the server cannot store an id; nil if it can.
    private static func refusal(of id: String) -> DurabilityError? {
        // A row of an index has at most 2704 bytes.
        if !id.isEmpty, id.utf8.count <= longestID, !id.utf8.contains(0) { return nil }
        return .unwritable(
            "the id of a member must have from 1 to \(longestID) bytes, none of them NUL: \(id.prefix(80).debugDescription)"
        )
    }

    private static let longestID = 2600
}

@_spi(Storage) extension PostgreSQLFleetStorage: FleetBackend {}
