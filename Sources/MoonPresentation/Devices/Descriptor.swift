#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file descriptor. Its calls are repeated if a signal interrupts them.
struct Descriptor: Hashable, Sendable {
    let number: Int32

    static let input = Descriptor(number: STDIN_FILENO)
    static let output = Descriptor(number: STDOUT_FILENO)

    /// The name of the descriptor in errors.
    var name: String {
        switch number {
        case STDIN_FILENO: "standard input"
        case STDOUT_FILENO: "standard output"
        case STDERR_FILENO: "standard error"
        default: "descriptor \(number)"
        }
    }

    /// The result of reading.
    enum Reading {
        case bytes(Int)
        case nothingNow
        case end
    }

    /// Reads the bytes that are available.
    func read(into buffer: inout [UInt8]) -> Reading {
        while true {
            let count = buffer.withUnsafeMutableBytes { readBytes(number, $0.baseAddress, $0.count) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothingNow
            default: return .end
            }
        }
    }

    /// Reads the bytes that are available at the time of the call, but none that are written meanwhile, so that it returns even
    /// if the other side writes faster. The descriptor must not block.
    ///
    /// - Parameters:
    ///   - buffer: Memory for a piece at a time.
    ///   - take: Receives each piece.
    func drain(_ buffer: inout [UInt8], _ take: (ArraySlice<UInt8>) -> Void) {
        var left: Int32 = 0
        guard ioctl(number, Self.countsBytes, &left) == 0 else { return }
        while left > 0, case .bytes(let count) = read(into: &buffer) {
            take(buffer[..<count])
            left -= Int32(clamping: count)
        }
    }

    /// `FIONREAD`, which Swift does not import everywhere.
    #if canImport(Darwin)
        private static let countsBytes: UInt = 0x4004_667F
    #else
        private static let countsBytes = UInt(FIONREAD)
    #endif

    /// Writes as many bytes as the descriptor accepts at once.
    ///
    /// - Returns: The number of bytes written.
    func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        while true {
            let count = bytes.withUnsafeBytes { writeBytes(number, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return 0
            default: throw .last("write to \(name)")
            }
        }
    }

    /// Writes all bytes, and waits for room as needed. Errors are ignored.
    ///
    /// - Parameter limit: The longest wait for room, in milliseconds; -1 for no limit.
    /// - Returns: True if all bytes were written.
    @discardableResult
    func writeAll(_ bytes: [UInt8], waiting limit: Int32 = -1) -> Bool {
        (try? writeWhole(bytes, waiting: limit)) == true
    }

    /// Writes all bytes, and waits for room as needed.
    ///
    /// - Parameter limit: The longest wait for room, in milliseconds; -1 for no limit.
    /// - Returns: False if a wait exceeded the limit.
    @discardableResult
    func writeWhole(_ bytes: [UInt8], waiting limit: Int32 = -1) throws(SystemError) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try write(rest)
            rest = rest.dropFirst(count)
            if count == 0, !wait(for: POLLOUT, limit) { return false }
        }
        return true
    }

    /// Waits until the descriptor can be read or written.
    ///
    /// - Returns: False after the time limit.
    func wait(for events: Int32, _ milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(events), revents: 0)
        while true {
            let count = poll(&request, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Indicates whether the descriptor is a terminal.
    var isTerminal: Bool { isatty(number) == 1 }

    /// The size of the terminal's window; 80 by 24 if the terminal does not report it.
    var windowSize: Size {
        var size = winsize()
        let isKnown = ioctl(number, UInt(TIOCGWINSZ), &size) == 0
        return Size(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80, rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// A second, non-blocking descriptor of the same terminal. Setting the flag on the first would affect other programs that
    /// share it.
    func reopenedForWriting() -> Descriptor? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(number, &name, name.count) == 0 else { return nil }
        let copy = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return copy >= 0 ? Descriptor(number: copy) : nil
    }

    func close() { _ = closeDescriptor(number) }
}

private func readBytes(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(number, start, count) }
private func writeBytes(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int { write(number, start, count) }
private func closeDescriptor(_ number: Int32) -> Int32 { close(number) }

/// A pipe that child processes do not inherit.
struct Pipe {
    let readEnd: Descriptor
    let writeEnd: Descriptor

    /// - Parameter purpose: The use of the pipe, for the error.
    init(for purpose: String) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            guard pipe(&ends) == 0 else { throw .last("make a pipe for \(purpose)") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #else
            // One call sets the flag, too: another thread may start a process at any time.
            guard makePipe(&ends, O_CLOEXEC) == 0 else { throw .last("make a pipe for \(purpose)") }
        #endif
        (readEnd, writeEnd) = (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
    }

    func close() {
        readEnd.close()
        writeEnd.close()
    }
}

#if !canImport(Darwin)
    @_silgen_name("pipe2") private func makePipe(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
#endif
