import MoonlightDurability
import StorageSupport

/// A connection that is made again when it is lost, for one thread at a time.
///
/// What was sent when a connection was lost is sent again: it must do the same when it is done twice, or find out.
final class Session {
    let database: PostgreSQL
    /// The number of connections so far. Records that were not synced before the last one may be lost.
    private(set) var connections = 0
    /// The number of the space that others are kept out of.
    private var lock: Int64?
    private var connection: Connection?

    init(_ database: PostgreSQL) { self.database = database }

    /// Runs statements in one transaction.
    ///
    /// - Parameter commands: The statements.
    /// - Throws: If the server refuses, or if it cannot be reached for too long. Then nobody knows whether it was done.
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

    /// Keeps others out of a space, as long as the connection lasts and whenever it is made again.
    ///
    /// - Throws: ``DurabilityError/inUse(place:holder:)``, if somebody else has it.
    func take(_ space: Int64) throws(DurabilityError) {
        // The server may not have noticed yet that a former owner's process has ended.
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
            """
        let holders = try run(Command(sql, .number(space)))
        throw .inUse(
            place: "\(database.schema), space \(space)", holder: holders.count > 0 ? holders.text(0, 0) : "another process")
    }

    func close() { connection = nil }

    /// Distinguishes our locks from those of others.
    private static let kind = 1_299_148_654

    private static func tryLock(_ space: Int64) -> Command {
        Command("SELECT pg_try_advisory_lock(\(kind), ($1::bigint)::integer)", .number(space))
    }

    private func connected() throws(DatabaseFailure) -> Connection {
        if let connection { return connection }
        let made = try Connection(database)
        _ = try made.run([Command("SELECT set_config('search_path', $1, false)", .text(database.schema))])
        if let lock, try !made.run([Self.tryLock(lock)])[0].isTrue(0, 0) {
            // Another owner, or the connection before this one, whose end the server has not noticed.
            throw DatabaseFailure(connection: "another owner has taken the space \(lock)")
        }
        connections += 1
        connection = made
        return made
    }

    private static func error(_ failure: DatabaseFailure, isUnknown: Bool) -> DurabilityError {
        let code = failure.code.isEmpty ? "" : " (\(failure.code))"
        let outcome = isUnknown ? "; nobody knows what has become of what was sent last" : ""
        return .storage("PostgreSQL: \(failure.message)\(code)\(outcome)")
    }
}
