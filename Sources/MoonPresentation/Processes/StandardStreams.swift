#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The three descriptors that every program starts with.
///
/// ```swift
/// StandardStreams.prepare()
/// guard let file = open(path) else { StandardStreams.exit(66, "mytool: cannot open \(path)") }
/// ```
public enum StandardStreams {
    /// Makes them safe to use. Call it once, before anything else.
    ///
    /// A descriptor that the caller closed would be given to the next file that is opened, and output meant for the terminal would
    /// end up in that file. Such a number is taken by `/dev/null`, opened the wrong way round, so that its use still fails. And
    /// writing to a pipe that nobody reads becomes an error instead of the end of the process.
    public static func prepare() {
        for (descriptor, wrongWay) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is the one that is closed: those below it are open by now.
            _ = open("/dev/null", wrongWay)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Ends the process.
    ///
    /// - Parameters:
    ///   - code: The exit code; `sysexits.h` has numbers for common failures, such as 64 for a wrong command line.
    ///   - complaint: A line for standard error; see ``complain(_:)``.
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

    /// Writes a line to standard error, with control characters made visible. Nothing can be done if that fails.
    public static func complain(_ line: String) {
        _ = Descriptor(number: STDERR_FILENO).writeAll(Array((line.escapingControls + "\n").utf8))
    }
}
