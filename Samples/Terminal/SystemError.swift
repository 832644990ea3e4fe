#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call that failed, and why.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The system's number for the reason.
    public let code: Int32

    /// The reason that the last system call of this thread gave.
    public static var last: SystemError { SystemError(code: errno) }

    /// Nobody reads what is written.
    public static var brokenPipe: SystemError { SystemError(code: EPIPE) }

    /// A reason, by its number.
    public init(code: Int32) { self.code = code }

    /// The reason in the system's words.
    public var description: String { String(cString: strerror(code)) }
}

/// What a program tells its caller, by the numbers of `sysexits.h`.
public enum ExitCode {
    /// All is well.
    public static let success: Int32 = 0
    /// The command line is wrong.
    public static let usage: Int32 = 64
    /// An input file is missing or unreadable.
    public static let noInput: Int32 = 66
    /// A service that is needed is not there.
    public static let unavailable: Int32 = 69
    /// An output file or folder cannot be made.
    public static let cannotCreate: Int32 = 73
    /// Output could not be written.
    public static let ioError: Int32 = 74
    /// A signal ended the program: what a shell reports for it.
    public static func signal(_ number: Int32) -> Int32 { 128 + number }
}

extension SystemError {
    /// Whether a call was given up because nothing came for too long.
    public var isTimeout: Bool { code == EAGAIN || code == EWOULDBLOCK || code == ETIMEDOUT }
}
