/// How a process has ended.
public enum ProcessExit: Hashable, Sendable {
    /// It has ended itself, with this code. 0 means that all is well.
    case code(Int32)
    /// It was ended by this signal.
    case signal(Int32)

    /// Whether it has ended well.
    public var isSuccess: Bool { self == .code(0) }

    /// Reads what the system says.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
    }
}
