import CPostgreSQL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A connection to a server, for one thread at a time.
///
/// It is in pipeline mode: the statements of a call are sent together, and form one transaction, which is committed if all of
/// them succeed. A call therefore takes one round trip.
final class Connection {
    private let handle: OpaquePointer
    private let answerTime: Duration
    /// The names of the prepared statements, by their text.
    private var prepared: [String: String] = [:]
    private var names = 0

    /// Connects.
    init(_ database: PostgreSQL) throws(DatabaseFailure) {
        // The library would use the part before a NUL.
        if database.connection.utf8.contains(0) { throw DatabaseFailure(code: "22021", message: "the connection string has NUL") }
        // A day at most: libpq takes milliseconds as 32 bits.
        answerTime = min(max(database.answerTime, .zero), .seconds(86_400))
        let seconds = max(2, Int((answerTime / .seconds(1)).rounded(.up)))
        let options = [
            ("fallback_application_name", "moonlight"), ("connect_timeout", "\(seconds)"), ("dbname", database.connection),
            ("tcp_user_timeout", "\(seconds * 1000)"), ("keepalives_idle", "\(seconds)"), ("client_encoding", "UTF8"),
        ]
        let (names, values) = (options.map { strdup($0.0) }, options.map { strdup($0.1) })
        defer { for text in names + values { free(text) } }
        let handle = PQconnectdbParams(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let handle else { throw DatabaseFailure(connection: "out of memory") }
        guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            defer { PQfinish(handle) }
            throw DatabaseFailure(connection: Self.message(PQerrorMessage(handle)))
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        self.handle = handle
    }

    deinit { PQfinish(handle) }

    /// Runs statements in one transaction.
    ///
    /// - Returns: The rows of each.
    /// - Throws: The first failure. Unless the connection was lost, nothing has changed then.
    func run(_ commands: [Command]) throws(DatabaseFailure) -> [Rows] {
        var (isPreparation, new) = ([Bool](), [String: String]())
        for command in commands {
            var name = prepared[command.sql] ?? new[command.sql]
            if name == nil {
                names += 1
                name = "s\(names)"
                new[command.sql] = name
                let types = command.parameters.map(\.type)
                try check(PQsendPrepare(handle, name, command.sql, Int32(types.count), types))
                isPreparation.append(true)
            }
            try send(command, name ?? "")
            isPreparation.append(false)
        }
        try check(PQpipelineSync(handle))
        let results = try results()
        guard results.count == isPreparation.count else { throw DatabaseFailure(connection: "the connection is lost") }
        prepared.merge(new) { old, _ in old }
        return zip(isPreparation, results).filter { !$0.0 }.map(\.1)
    }

    private func send(_ command: Command, _ name: String) throws(DatabaseFailure) {
        let values = command.parameters.map(\.bytes)
        let lengths = values.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        // An empty array has no address, and a null pointer would mean SQL's NULL.
        let buffers = values.map { bytes -> UnsafeMutablePointer<CChar>? in
            guard let bytes else { return nil }
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: max(1, bytes.count))
            UnsafeMutableRawBufferPointer(start: buffer, count: bytes.count).copyBytes(from: bytes)
            return buffer
        }
        defer { for buffer in buffers { buffer?.deallocate() } }
        try check(
            PQsendQueryPrepared(
                handle, name, Int32(values.count), buffers.map { UnsafePointer($0) }, lengths, formats, 1))
    }

    /// Reads the answers of the server, up to the end of the pipeline.
    private func results() throws(DatabaseFailure) -> [Rows] {
        let deadline = ContinuousClock.now + answerTime
        var (rows, failure) = ([Rows](), DatabaseFailure?.none)
        while true {
            try wait(until: deadline)
            guard let result = PQgetResult(handle) else {
                if PQstatus(handle) != CONNECTION_OK { throw failure ?? lost }
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if let failure { throw failure }
                return rows
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows.append(Rows(result))
            case PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                let code = PQresultErrorField(result, 67).map { String(cString: $0) } ?? ""
                let message = Self.message(PQresultErrorMessage(result))
                PQclear(result)
                failure = failure ?? (code.isEmpty ? DatabaseFailure(connection: message) : .init(code: code, message: message))
                if PQstatus(handle) != CONNECTION_OK { throw failure ?? lost }
            }
        }
    }

    /// Sends pending data, and waits until there is an answer.
    private func wait(until deadline: ContinuousClock.Instant) throws(DatabaseFailure) {
        while true {
            let unsent = PQflush(handle)
            if unsent < 0 { throw lost }
            if unsent == 0, PQisBusy(handle) == 0 { return }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw DatabaseFailure(connection: "the server does not answer") }
            var wanted = pollfd(fd: PQsocket(handle), events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0)
            poll(&wanted, 1, Int32(min(left / .milliseconds(1), 1e9).rounded(.up)))
            if PQconsumeInput(handle) == 0 { throw lost }
        }
    }

    private var lost: DatabaseFailure { DatabaseFailure(connection: Self.message(PQerrorMessage(handle))) }

    private func check(_ success: Int32) throws(DatabaseFailure) { if success != 1 { throw lost } }

    private static func message(_ text: UnsafePointer<CChar>?) -> String {
        var text = text.map { String(cString: $0) } ?? ""
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? "the connection is lost" : text
    }
}
