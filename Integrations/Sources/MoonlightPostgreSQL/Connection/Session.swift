import MoonlightDurability
import StorageSupport

/// A connection that is re-established when it is lost, for one thread at a time.
///
/// Statements in flight when the connection is lost are sent again: they must be idempotent, or detect the repetition.
final class Session {
    let database: PostgreSQL
    /// The number of connections so far. Records that were not synced before the last one may be lost.
    private(set) var connections = 0
    /// The number of the locked space.
    private var lock: Int64?
    private var connection: Connection?

    init(_ database: PostgreSQL) { self.database = database }

    /// Runs statements in one transaction.
    ///
    /// - Parameter commands: The statements.
    /// - Throws: An error if the server refuses, or cannot be reached in time. In the latter case, the result is unknown.
    func run(_ commands: [Command]) throws(DurabilityError) -> [Rows] {
        var (patience, isSent) = (Patience(database.patience, pause: 5), false)
        while true {
            do throws(DatabaseFailure) {
                let connection = try connected()
                isSent = true
                return try connection.run(commands)
            } catch {
                if error.kind == .connection { close() }
                guard error.kind != .refused, !patience.hasEnded else {
                    throw Self.error(error, isUnknown: isSent && error.kind == .connection)
                }
            }
            patience.wait()
        }
    }

    func run(_ command: Command) throws(DurabilityError) -> Rows { try run([command])[0] }

    /// Locks a space for as long as the connection lasts, and again after each reconnection.
    ///
    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if another owner has the lock.
    func take(_ space: Int64) throws(DurabilityError) {
        // The server may not have noticed yet that the process of a former owner has ended.
        var patience = Patience(.milliseconds(500), pause: 50)
        while !patience.hasEnded {
            if try run(Self.tryLock(space)).isTrue(0, 0) {
                lock = space
                return
            }
            patience.wait()
        }
        let sql = """
            SELECT format('process %s of the server, %s, since %s', a.pid, a.application_name, a.backend_start)
            FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE l.locktype = 'advisory' AND l.granted AND l.classid = \(Self.kind) AND l.objid::bigint = $1
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        let holders = try run(Command(sql, .number(space)))
        throw .inUse(
            place: "\(database.schema), space \(space)", holder: holders.count > 0 ? holders.text(0, 0) : "another process")
    }

    func close() { connection = nil }

    /// The class of our advisory locks: the number of the table of spaces, which distinguishes them from those of other programs and
    /// of other schemas of the database.
    private static let kind = "'space'::regclass::oid"

    private static func tryLock(_ space: Int64) -> Command {
        Command("SELECT pg_try_advisory_lock(\(kind)::integer, ($1::bigint)::integer)", .number(space))
    }

    private func connected() throws(DatabaseFailure) -> Connection {
        if let connection { return connection }
        let made = try Connection(database)
        _ = try made.run([Command("SELECT set_config('search_path', $1, false)", .text(database.schema))])
        if let lock, try !made.run([Self.tryLock(lock)])[0].isTrue(0, 0) {
            // The holder is another owner, or this session's previous connection, whose end the server has not noticed.
            throw DatabaseFailure(connection: "another owner has locked the space \(lock)")
        }
        connections += 1
        connection = made
        return made
    }

    private static func error(_ failure: DatabaseFailure, isUnknown: Bool) -> DurabilityError {
        let code = failure.code.isEmpty ? "" : " (\(failure.code))"
        let outcome = isUnknown ? "; the result of the last statements is unknown" : ""
        return .storage("PostgreSQL: \(failure.message)\(code)\(outcome)")
    }
}
