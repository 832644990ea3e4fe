#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file descriptor, with calls that begin again where a signal has interrupted them.
struct Descriptor: Hashable, Sendable {
    let number: Int32

    static let input = Descriptor(number: STDIN_FILENO)
    static let output = Descriptor(number: STDOUT_FILENO)

    /// What it is called in an error.
    var name: String {
        switch number {
        case STDIN_FILENO: "standard input"
        case STDOUT_FILENO: "standard output"
        case STDERR_FILENO: "standard error"
        default: "descriptor \(number)"
        }
    }

    /// What reading has led to.
    enum Reading {
        case bytes(Int)
        case nothingNow
        case end
    }

    /// Reads what is there.
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

    /// Reads what is there now. What the other side writes meanwhile stays for later, so that this ends however fast it
    /// writes. The descriptor must not block.
    ///
    /// - Parameters:
    ///   - buffer: Where the bytes are put, a piece at a time.
    ///   - take: Called with each piece.
    /// - Returns: Whether the end was reached.
    @discardableResult
    func drain(_ buffer: inout [UInt8], _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
        var left: Int32 = 0
        guard ioctl(number, Self.countsBytes, &left) == 0 else { return true }
        while left > 0 {
            switch read(into: &buffer) {
            case .bytes(let count):
                take(buffer[..<count])
                left -= Int32(clamping: count)
            case .nothingNow: return false
            case .end: return true
            }
        }
        return false
    }

    /// `FIONREAD`, which Swift does not import everywhere.
    #if canImport(Darwin)
        private static let countsBytes: UInt = 0x4004_667F
    #else
        private static let countsBytes = UInt(FIONREAD)
    #endif

    /// Writes as much as is taken at once.
    ///
    /// - Returns: How many bytes were taken.
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

    /// Writes all of the bytes, and waits for room where that is needed.
    ///
    /// - Parameter limit: How long to wait for room each time, in milliseconds; -1 for as long as it takes.
    /// - Returns: Whether all was written.
    @discardableResult
    func writeAll(_ bytes: [UInt8], waiting limit: Int32 = -1) -> Bool {
        (try? writeWhole(bytes, waiting: limit)) == true
    }

    /// Writes all of the bytes, and waits for room where that is needed.
    ///
    /// - Parameter limit: How long to wait for room each time, in milliseconds; -1 for as long as it takes.
    /// - Returns: False if the time was up before all was written.
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

    /// Waits until it can be read or written.
    ///
    /// - Returns: False if the time was up before that.
    func wait(for events: Int32, _ milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(events), revents: 0)
        while true {
            let count = poll(&request, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Indicates whether it is a terminal.
    var isTerminal: Bool { isatty(number) == 1 }

    /// The size of the terminal's window. One that does not know is taken to have the usual 80 by 24.
    var windowSize: Size {
        var size = winsize()
        let isKnown = ioctl(number, UInt(TIOCGWINSZ), &size) == 0
        return Size(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80, rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// The same terminal, opened once more, so that it can be written to without waiting for room. The setting is not shared
    /// with other programs then.
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
