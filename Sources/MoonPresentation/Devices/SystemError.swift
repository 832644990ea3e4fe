import SystemCalls

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call that failed: the attempt and the reason.
///
/// ```swift
/// do { for try await output in ChildProcess("gti").output.values { … } } catch {
///     print(error)    // cannot start gti: No such file or directory
/// }
/// ```
public struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The system's number for the reason.
    public let code: Int32
    /// The attempt, and its object, as a phrase that can follow "cannot": `open /etc/motd`.
    package let attempt: String

    /// Creates an error from the system's number.
    ///
    /// - Parameters:
    ///   - code: The number.
    ///   - attempt: The attempt and its object, as a phrase that can follow "cannot": `open /etc/motd`.
    public init(code: Int32, attempt: String) {
        self.code = code
        self.attempt = attempt
    }

    /// The error of the last system call of this thread.
    ///
    /// - Parameter attempt: The attempt and its object, as a phrase that can follow "cannot".
    package static func last(_ attempt: @autoclosure () -> String) -> SystemError {
        let code = errno
        return SystemError(code: code, attempt: attempt())
    }

    /// The system's description of the reason.
    package var reason: String { SystemCalls.reason(ofError: code) }

    /// The attempt and the reason. Control characters are made visible.
    public var description: String { "cannot \(attempt.escapingControls): \(reason)" }
}
