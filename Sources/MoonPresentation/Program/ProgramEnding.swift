#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The reason why a program has ended.
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

/// The reason why a program does not run.
public enum ProgramError: Error, Hashable, CustomStringConvertible {
    /// A table has keys twice.
    case duplicateKeys([Key])
    /// The input or the output is no terminal that can be drawn on.
    case noTerminal
    /// The terminal shows another program of this process.
    case inUse
    /// The terminal cannot be used.
    case terminal(SystemError)

    /// The problem, in words.
    public var description: String {
        switch self {
        case .duplicateKeys(let keys):
            "a table of keys has more than one line for \(Set(keys.map(\.name)).sorted().joined(separator: ", "))"
        case .noTerminal: "the input or the output is not a terminal that can be drawn on"
        case .inUse: "the terminal shows another program of this process"
        case .terminal(let error): "the terminal cannot be used: \(error)"
        }
    }
}
