@_spi(Storage) import MoonlightDurability

/// The statements on the tables of one space, for one writer.
struct Tables {
    let space: Int64
    /// A unique number for this opening of the space.
    let writer: Int64

    /// Connects, creates or migrates the tables, and takes the lock of a space.
    ///
    /// - Parameter locks: True to take the lock.
    /// - Returns: The connection, the statements for a new writer, and the identity of the space.
    static func open(
        _ name: String, in database: PostgreSQL, locks: Bool = true
    ) throws(DurabilityError) -> (session: Session, tables: Tables, identity: UInt64) {
        let session = Session(database)
        try Migrations.run(session)
        let (space, identity) = try made(name, session)
        if locks { try session.take(space) }
        return (session, Tables(space: space, writer: Int64.random(in: 1...Int64.max)), identity)
    }

    /// Creates the space if it does not exist.
    ///
    /// - Returns: Its number and its identity.
    private static func made(_ name: String, _ session: Session) throws(DurabilityError) -> (space: Int64, identity: UInt64) {
        let insert = "INSERT INTO space (name, identity) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING"
        let rows = try session.run([
            Command(insert, .text(name), .number(UInt64.random(in: 1...UInt64.max))),
            Command("SELECT number, identity FROM space WHERE name = $1", .text(name)),
        ])[1]
        guard rows.count == 1, let space = rows.number(0, 0) else { throw .storage("the space \(name) is not there") }
        return (space, rows.sequence(0, 1))
    }

    private func command(_ sql: String, _ parameters: Parameter...) -> Command {
        Command(sql: sql, [.number(space)] + parameters)
    }

    // MARK: Reading

    /// The last record of a member, with its writer; no row if there is no such member.
    func last(of id: String) -> Command { command("SELECT last, writer FROM member WHERE space = $1 AND id = $2", .text(id)) }

    /// The last records of members.
    func last(of ids: [String]) -> Command {
        command("SELECT id, last, writer FROM member WHERE space = $1 AND id = ANY ($2)", .texts(ids))
    }

    /// The sequences of a member's snapshots, newest first.
    func snapshots(of id: String) -> Command {
        command("SELECT sequence FROM snapshot WHERE space = $1 AND id = $2 ORDER BY sequence DESC", .text(id))
    }

    /// A snapshot: sequence, versions and payload.
    func snapshot(of id: String, at sequence: UInt64) -> Command {
        command(
            """
            SELECT sequence, effects, state, reducer, payload FROM snapshot WHERE space = $1 AND id = $2 AND sequence = $3
            """, .text(id), .number(sequence))
    }

    /// The newest snapshot.
    func newestSnapshot(of id: String) -> Command {
        command(
            """
            SELECT sequence, effects, state, reducer, payload FROM snapshot WHERE space = $1 AND id = $2
            ORDER BY sequence DESC LIMIT 1
            """, .text(id))
    }

    /// The records after one, in order.
    func records(of id: String, after sequence: UInt64, limit: Int64) -> Command {
        command(
            """
            SELECT sequence, schema, payload FROM record WHERE space = $1 AND id = $2 AND sequence > $3
            ORDER BY sequence LIMIT $4
            """, .text(id), .number(sequence), .number(limit))
    }

    /// The records after the newest snapshot, in order.
    func recordsAfterSnapshot(of id: String) -> Command {
        command(
            """
            SELECT sequence, schema, payload FROM record WHERE space = $1 AND id = $2 AND sequence >
                coalesce((SELECT max(sequence) FROM snapshot WHERE space = $1 AND id = $2), 0)
            ORDER BY sequence
            """, .text(id))
    }

    func due() -> Command { command("SELECT id, due FROM member WHERE space = $1 AND due IS NOT NULL") }
    func count() -> Command { command("SELECT count(*) FROM member WHERE space = $1") }

    func ids(after cursor: String, limit: Int) -> Command {
        command(
            "SELECT id FROM member WHERE space = $1 AND id > $2 ORDER BY id LIMIT $3", .text(cursor), .number(Int64(limit)))
    }

    // MARK: Writing

    /// Claims a member's log for this writer, so that a former one can no longer append. Returns the last record.
    func claim(_ id: String) -> Command {
        command(
            """
            INSERT INTO member (space, id, last, writer) VALUES ($1, $2, 0, $3)
            ON CONFLICT (space, id) DO UPDATE SET writer = excluded.writer RETURNING last
            """, .text(id), .number(writer))
    }

    /// Lets all statements of the transaction see the same rows. It must be the first one.
    static var consistent: Command { Command("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ") }

    /// Lets the transaction return before its commit is on the server's disk.
    static var unsynced: Command { Command("SELECT set_config('synchronous_commit', 'off', true)") }

    /// Appends to the logs of members that are in the expected state. Returns the ids of these members.
    ///
    /// - Parameters:
    ///   - writer: The writer of the last records.
    ///   - claimed: True if each log must have been claimed by this writer.
    func append(_ batch: [MemberAppend], by writer: Int64, claimed: Bool) -> Command {
        let records = batch.flatMap { append in append.records.map { (append.id, $0) } }
        let snapshots = batch.compactMap { append in append.snapshot.map { (append.id, $0) } }
        return command(
            """
            WITH input AS (
                SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS i (id, expected, last, due)),
            moved AS (
                UPDATE member m SET last = i.last, due = i.due, writer = $6::bigint FROM input i
                WHERE m.space = $1 AND m.id = i.id AND m.last = i.expected \(claimed ? "AND m.writer = $6" : "")
                RETURNING m.id),
            made AS (
                INSERT INTO member (space, id, last, writer, due)
                SELECT $1, i.id, i.last, $6, i.due FROM input i
                WHERE \(claimed ? "false" : "i.expected = 0") AND i.id NOT IN (SELECT id FROM moved)
                ON CONFLICT (space, id) DO NOTHING RETURNING id),
            done AS (SELECT id FROM moved UNION ALL SELECT id FROM made),
            written AS (
                INSERT INTO record (space, id, sequence, schema, payload)
                SELECT $1, r.id, r.sequence, r.schema, r.payload
                FROM unnest($7::text[], $8::bigint[], $9::bigint[], $10::bytea[]) AS r (id, sequence, schema, payload)
                JOIN done USING (id)),
            saved AS (
                INSERT INTO snapshot (space, id, sequence, effects, state, reducer, payload)
                SELECT $1, s.id, s.sequence, s.effects, s.state, s.reducer, s.payload
                FROM unnest($11::text[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bytea[])
                    AS s (id, sequence, effects, state, reducer, payload)
                JOIN done USING (id)
                ON CONFLICT (space, id, sequence) DO UPDATE SET (effects, state, reducer, payload) =
                    (excluded.effects, excluded.state, excluded.reducer, excluded.payload)),
            superfluous AS (
                DELETE FROM snapshot o USING unnest($11::text[], $12::bigint[]) AS s (id, sequence), done
                WHERE o.space = $1 AND o.id = s.id AND s.id = done.id AND o.sequence < s.sequence),
            included AS (
                DELETE FROM record o USING unnest($11::text[], $12::bigint[]) AS s (id, sequence), done
                WHERE o.space = $1 AND o.id = s.id AND s.id = done.id AND o.sequence <= s.sequence)
            SELECT id FROM done
            """,
            .texts(batch.map(\.id)), .numbers(batch.map(\.expected)), .numbers(batch.map(\.last)), .numbers(batch.map(\.due)),
            .number(writer),
            .texts(records.map(\.0)), .numbers(records.map(\.1.sequence)), .numbers(records.map { Int64($0.1.schema) }),
            .bytes(records.map(\.1.payload)),
            .texts(snapshots.map(\.0)), .numbers(snapshots.map(\.1.sequence)),
            .numbers(snapshots.map { Int64($0.1.versions.effects) }), .numbers(snapshots.map { Int64($0.1.versions.state) }),
            .numbers(snapshots.map { Int64($0.1.versions.reducer) }), .bytes(snapshots.map(\.1.payload)))
    }

    /// Removes all rows of a member.
    func remove(_ id: String) -> [Command] {
        ["record", "snapshot", "member"].map { command("DELETE FROM \($0) WHERE space = $1 AND id = $2", .text(id)) }
    }

    /// Writes a row, so that the commit flushes everything before it.
    func sync() -> Command { command("UPDATE space SET synced = now() WHERE number = $1") }

    /// Adds a snapshot to a log that this writer has claimed. Returns a row on success.
    ///
    /// - Parameter moves: True if the log continues behind the snapshot, even if records before it are missing.
    func save(_ snapshot: LogSnapshot, of id: String, moves: Bool) -> Command {
        let owned =
            moves
            ? "UPDATE member SET last = $3 WHERE space = $1 AND id = $2 AND writer = $8 AND last <= $3 RETURNING id"
            : "SELECT id FROM member WHERE space = $1 AND id = $2 AND writer = $8"
        return command(
            """
            WITH owned AS (\(owned))
            INSERT INTO snapshot (space, id, sequence, effects, state, reducer, payload)
            SELECT $1, $2, $3, $4, $5, $6, $7 FROM owned
            ON CONFLICT (space, id, sequence) DO UPDATE SET (effects, state, reducer, payload) =
                (excluded.effects, excluded.state, excluded.reducer, excluded.payload)
            RETURNING sequence
            """, .text(id), .number(snapshot.sequence), .number(Int64(snapshot.versions.effects)),
            .number(Int64(snapshot.versions.state)), .number(Int64(snapshot.versions.reducer)), .bytes(snapshot.payload),
            .number(writer))
    }

    /// Removes the snapshots before the last two and, unless history is kept, the records that the older of the two includes. The
    /// history includes the snapshots of resumptions, which alone have the records that could not be written.
    func prune(of id: String, keepsHistory: Bool) -> [Command] {
        let older = """
            (SELECT sequence FROM snapshot WHERE space = $1 AND id = $2 ORDER BY sequence DESC OFFSET 1 LIMIT 1)
            """
        let records = command("DELETE FROM record WHERE space = $1 AND id = $2 AND sequence <= \(older)", .text(id))
        let written = "sequence IN (SELECT sequence FROM record WHERE space = $1 AND id = $2)"
        let snapshots = command(
            "DELETE FROM snapshot WHERE space = $1 AND id = $2 AND sequence < \(older)\(keepsHistory ? " AND \(written)" : "")",
            .text(id))
        return keepsHistory ? [snapshots] : [records, snapshots]
    }
}
