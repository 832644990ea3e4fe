#if SQLITE
    import CSQLite
    import Foundation

    /// A table of events in SQLite, in WAL mode, with one transaction per event.
    final class SQLiteLog {
        struct Failure: Error { let reason: String }

        private var database: OpaquePointer?
        private var insertion: OpaquePointer?

        /// - Parameter isSynced: True if a transaction survives a loss of power (`synchronous=FULL`), or only the end of the
        ///   process.
        init(_ path: String, isSynced: Bool) throws {
            try check(sqlite3_open(path, &database))
            for command in [
                "PRAGMA journal_mode=WAL", "PRAGMA synchronous=\(isSynced ? "FULL" : "OFF")",
                "CREATE TABLE log (sequence INTEGER PRIMARY KEY, effect BLOB)",
            ] { try check(sqlite3_exec(database, command, nil, nil, nil)) }
            try check(sqlite3_prepare_v2(database, "INSERT INTO log (effect) VALUES (?)", -1, &insertion, nil))
        }

        deinit {
            sqlite3_finalize(insertion)
            sqlite3_close(database)
        }

        func insert(_ bytes: [UInt8]) throws {
            sqlite3_bind_blob(insertion, 1, bytes, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            guard sqlite3_step(insertion) == SQLITE_DONE else { throw Failure(reason: String(cString: sqlite3_errmsg(database))) }
            sqlite3_reset(insertion)
        }

        private func check(_ code: Int32) throws {
            guard code == SQLITE_OK else { throw Failure(reason: String(cString: sqlite3_errmsg(database))) }
        }
    }
#endif
