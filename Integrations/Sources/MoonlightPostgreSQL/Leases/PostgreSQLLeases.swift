import Dispatch
import MoonlightDurability
public import MoonlightRouting
import Synchronization

/// The owners of keys, in a table of a database: a row for each key, which expires by the clock of the server.
public final class PostgreSQLLeases: LeaseTable {
    private let database: PostgreSQL
    private let pool: SessionPool
    private let isMigrated = Atomic<Bool>(false)
    private let queue = DispatchQueue(label: "moonlight.leases", attributes: .concurrent)

    /// The time for which a key is held after each write.
    public let duration: Duration

    /// Creates a table. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - lease: The maximum time without an owner after an owner is lost: from three seconds to a day, the same for all
    ///     processes. A key is held for a third of it. The rest is for another process to notice and to read the log.
    public init(in database: PostgreSQL, lease: Duration = .seconds(12)) {
        precondition(
            lease >= .seconds(3) && lease <= .seconds(86_400), "a lease must be between three seconds and a day: \(lease)")
        duration = lease / 3
        var database = database
        // An owner must learn in time that it could not renew its lease.
        database.patience = min(database.patience, duration / 6)
        database.answerTime = min(database.answerTime, duration / 6)
        self.database = database
        pool = SessionPool(database, count: 2)
    }

    private var milliseconds: Parameter { .number(Int64(duration / .milliseconds(1))) }

    /// Takes a key that is not held.
    public func take(_ key: String, for holder: String) async throws -> LeaseAnswer {
        let command = Command(
            """
            INSERT INTO lease AS l (key, holder, revision, expires)
            VALUES ($1, $2, 1, clock_timestamp() + $3::bigint * interval '1 millisecond')
            ON CONFLICT (key) DO UPDATE SET (holder, revision, expires) = (excluded.holder, l.revision + 1, excluded.expires)
            WHERE l.expires <= clock_timestamp() OR l.holder = excluded.holder
            RETURNING revision
            """, .text(key), .text(holder), milliseconds)
        // The second statement sees what other transactions committed while the first one waited for the row.
        let rows = try await run([command, Command("SELECT holder FROM lease WHERE key = $1", .text(key))])
        if rows[0].count == 1 { return .granted(revision: rows[0].sequence(0, 0)) }
        guard rows[1].count == 1 else { throw DurabilityError.storage("PostgreSQL: the holder of \(key) is unknown") }
        return .held(by: rows[1].text(0, 0))
    }

    /// Writes a key again.
    public func renew(_ key: String, for holder: String, revision: UInt64) async throws -> UInt64? {
        // The condition is the holder, not the revision, because the answer to an earlier attempt may have been lost. An expired
        // key is lost even if it was not taken.
        let rows = try await run([
            Command(
                """
                UPDATE lease SET (revision, expires) = (revision + 1, clock_timestamp() + $3::bigint * interval '1 millisecond')
                WHERE key = $1 AND holder = $2 AND expires > clock_timestamp() RETURNING revision
                """, .text(key), .text(holder), milliseconds)
        ])
        return rows[0].count == 1 ? rows[0].sequence(0, 0) : nil
    }

    /// Releases a key.
    public func release(_ key: String, for holder: String, revision: UInt64) async {
        _ = try? await run([Command("DELETE FROM lease WHERE key = $1 AND holder = $2", .text(key), .text(holder))])
    }

    private func run(_ commands: [Command]) async throws -> [Rows] {
        try await withCheckedThrowingContinuation { waiter in
            queue.async { waiter.resume(with: Result { try self.migrated(commands) }) }
        }
    }

    private func migrated(_ commands: [Command]) throws(DurabilityError) -> [Rows] {
        // Repeated deletion is harmless.
        if !isMigrated.load(ordering: .acquiring) {
            try Migrations.run(Session(database))
            isMigrated.store(true, ordering: .releasing)
        }
        return try pool.run(commands)
    }
}
