/// Why a program does not run, or cannot go on, in words for the user.
public struct UserFacingError: Error, Equatable {
    /// What is wrong.
    public let message: String
    /// What the program's caller is told.
    public let exitCode: Int32

    /// A complaint; see ``ExitCode``.
    public init(message: String, exitCode: Int32) {
        self.message = message
        self.exitCode = exitCode
    }
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
}
