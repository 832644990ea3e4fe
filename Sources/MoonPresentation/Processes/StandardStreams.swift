#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard input, output and error.
///
/// ```swift
/// StandardStreams.prepare()
/// guard let file = open(path) else { StandardStreams.exit(66, "mytool: cannot open \(path)") }
/// ```
public enum StandardStreams {
    /// Makes the standard streams safe to use. Call it first in a program.
    ///
    /// If a standard descriptor is closed, the next opened file would get its number, and receive output meant for the terminal.
    /// This opens `/dev/null` for such a descriptor, in a mode in which its use still fails. Writing to a pipe without a reader
    /// becomes an error instead of ending the process.
    public static func prepare() {
        for (descriptor, wrongWay) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is the closed one, because the numbers below it are open by now.
            _ = open("/dev/null", wrongWay)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Ends the process.
    ///
    /// - Parameters:
    ///   - code: The exit code, such as 64 for a wrong command line: see `sysexits.h`.
    ///   - complaint: A message for standard error: see ``complain(_:)``.
    public static func exit(_ code: Int32, _ complaint: String? = nil) -> Never {
        if let complaint { complain(complaint) }
        #if canImport(Glibc)
            Glibc.exit(code)
        #elseif canImport(Musl)
            Musl.exit(code)
        #else
            Darwin.exit(code)
        #endif
    }

    /// Writes a line to standard error, with control characters made visible. Errors are ignored.
    public static func complain(_ line: String) {
        _ = Descriptor(number: STDERR_FILENO).writeAll(Array((line.escapingControls + "\n").utf8))
    }
}
