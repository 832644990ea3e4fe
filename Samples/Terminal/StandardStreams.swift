#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The three descriptors that every program starts with.
public enum StandardStreams {
    /// Makes them safe to use; call it before anything else.
    ///
    /// A descriptor that the caller closed would be handed to the next file that is opened, and what is meant for the
    /// terminal would end up in there. Such a number is taken by `/dev/null`, opened the wrong way round, so that to use it
    /// still fails as it should. And to write to a pipe that nobody reads becomes an error instead of a sudden death.
    public static func prepare() {
        for (descriptor, wrongWay) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is the one that is closed: those below it are open by now.
            _ = open("/dev/null", wrongWay)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes a line to standard error. Nothing can be done if that fails.
    public static func complain(_ line: String) {
        _ = write(Array((line.escapingControls + "\n").utf8), to: STDERR_FILENO)
    }
}

/// Writes all of the bytes, however many calls it takes.
///
/// - Returns: Why not all were written, or nil.
public func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> SystemError? {
    let result = bytes.withContiguousStorageIfAvailable { write(UnsafeRawBufferPointer($0), to: descriptor) }
    if let result { return result }
    return Array(bytes).withUnsafeBytes { write($0, to: descriptor) }
}

/// Writes all of the bytes, however many calls it takes.
///
/// - Returns: Why not all were written, or nil.
func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> SystemError? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let slice = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(descriptor, slice.baseAddress, slice.count)
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if !isPassing(errno, on: descriptor, for: POLLOUT) {
            return .last
        }
    }
    return nil
}

/// Whether a call that failed is to be made again. If the descriptor does not block (another program may have made it so:
/// the setting is shared), this waits until it is ready.
func isPassing(_ reason: Int32, on descriptor: Int32, for events: Int32) -> Bool {
    if reason == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = poll(&request, 1, -1)
        return true
    }
    return reason == EINTR
}
