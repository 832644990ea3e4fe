import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a server on this machine did not give what it was asked for.
public enum HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody listens there, or the connection broke.
    case connection(String)
    /// The other side kept still for too long.
    case timeout
    /// The answer says that it is none: a status that is not 200.
    case status(Int, String)
    /// What came is not what the protocol asks for.
    case nonsense(String)
    /// The answer ended too early.
    case cut(received: Int, announced: Int)
    /// Nobody wants the answer any more.
    case stopped

    init(_ error: SystemError) { self = error.isTimeout ? .timeout : .connection(error.reason) }

    /// The reason in words.
    public var description: String {
        switch self {
        case .connection(let reason): reason
        case .timeout: "no answer"
        case .status(let code, let reason): reason.isEmpty ? "status \(code)" : "\(code) \(reason)"
        case .nonsense(let what): "no HTTP: \(what)"
        case .cut(let received, let announced): "cut off after \(received) of \(announced) bytes"
        case .stopped: "stopped"
        }
    }
}

extension SystemError {
    /// Whether a call was given up because nothing came for too long.
    fileprivate var isTimeout: Bool { code == EAGAIN || code == EWOULDBLOCK || code == ETIMEDOUT }
}
