/// The failure of a statement.
struct DatabaseFailure: Error {
    enum Kind {
        /// The connection could not be made, or was lost. The result of statements in flight is unknown.
        case connection
        /// A transient failure: nothing was changed, and a retry may succeed.
        case passing
        /// The server refused the statement.
        case refused
    }

    let kind: Kind
    /// The SQLSTATE code; empty if the server has not answered.
    let code: String
    let message: String

    init(connection message: String) { (kind, code, self.message) = (.connection, "", message) }

    init(code: String, message: String) {
        self.code = code
        self.message = message
        switch code {
        // The server is starting, stopping, or out of connections.
        case "57P01", "57P02", "57P03", "53300": kind = .connection
        // A serialization failure, a deadlock, or an unavailable lock.
        case "40001", "40P01", "55P03": kind = .passing
        default: kind = code.hasPrefix("08") ? .connection : .refused
        }
    }
}
