/// The reason for which a statement has no answer, or an unexpected one.
struct DatabaseFailure: Error {
    enum Kind {
        /// The connection could not be made, or was lost: nobody knows what has become of what was sent.
        case connection
        /// Nothing was done, and the same may succeed next time.
        case passing
        /// The server refuses.
        case refused
    }

    let kind: Kind
    /// The code of the SQL standard; empty if the server has not answered.
    let code: String
    let message: String

    init(connection message: String) { (kind, code, self.message) = (.connection, "", message) }

    init(code: String, message: String) {
        self.code = code
        self.message = message
        switch code {
        // A server that starts or stops, or has no room for another connection.
        case "57P01", "57P02", "57P03", "53300": kind = .connection
        // Serialization, deadlock, and a lock that was not to be had.
        case "40001", "40P01", "55P03": kind = .passing
        default: kind = code.hasPrefix("08") ? .connection : .refused
        }
    }
}
