#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a program has ended.
public enum ProgramEnding: Hashable, Sendable {
    /// The user has ended it, by a key.
    case quit
    /// The state said that it is over, or its loop has ended.
    case finished
    /// A signal asked the process to end.
    case signal(Int32)
    /// The terminal is gone.
    case hangup

    /// The exit code that tells it to a shell: 0, or 128 and the number of the signal.
    public var exitCode: Int32 {
        switch self {
        case .quit, .finished: 0
        case .signal(let number): 128 + number
        case .hangup: 128 + SIGHUP
        }
    }
}
