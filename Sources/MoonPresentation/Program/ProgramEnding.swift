#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The reason of a program's end.
public enum ProgramEnding: Hashable, Sendable {
    /// The user ended the program by a key.
    case quit
    /// The state ended the program, or its loop has ended.
    case finished
    /// A signal asked the process to end.
    case signal(Int32)
    /// The terminal was closed.
    case hangup

    /// The exit code for a shell: 0, or 128 plus the number of the signal.
    public var exitCode: Int32 {
        switch self {
        case .quit, .finished: 0
        case .signal(let number): 128 + number
        case .hangup: 128 + SIGHUP
        }
    }
}

/// An error that prevents a program from running.
public enum ProgramError: Error, Hashable, CustomStringConvertible {
    /// A table has these keys more than once.
    case duplicateKeys([Key])
    /// The terminal shows another program of this process.
    case inUse
    /// The terminal cannot be used.
    case terminal(SystemError)

    /// The problem and its cause.
    public var description: String {
        switch self {
        case .duplicateKeys(let keys):
            "a table of keys has more than one line for \(Set(keys.map(\.name)).sorted().joined(separator: ", "))"
        case .inUse: "the terminal shows another program of this process"
        case .terminal(let error): "the terminal cannot be used: \(error)"
        }
    }
}
