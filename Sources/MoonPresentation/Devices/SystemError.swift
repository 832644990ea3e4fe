#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call that failed, and why.
public struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The system's number for the reason.
    public let code: Int32

    /// Creates an error from the system's number.
    public init(code: Int32) { self.code = code }

    /// The reason that the last system call of this thread gave.
    public static var last: SystemError { SystemError(code: errno) }

    /// The reason in the system's words.
    public var description: String { String(cString: strerror(code)) }
}

extension SystemError {
    /// There is no terminal.
    static var noTerminal: SystemError { SystemError(code: ENOTTY) }
}
