/// Why a program does not run.
public enum ProgramError: Error, Hashable, CustomStringConvertible {
    /// A table has keys twice.
    case duplicateKeys([Key])
    /// The input or the output is no terminal that can be drawn on.
    case noTerminal
    /// The terminal shows another program of this process.
    case inUse
    /// The terminal cannot be used.
    case terminal(SystemError)

    /// What is wrong, in words.
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
