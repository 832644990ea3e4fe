/// Why a program does not run, or cannot go on, in words for the user.
public struct UserFacingError: Error, Equatable {
    /// What is wrong.
    public let message: String
    /// What the program's caller is told.
    public let exitCode: Int32

    /// A complaint; see ``ExitCode``.
    public init(message: String, exitCode: Int32) { (self.message, self.exitCode) = (message, exitCode) }
}
