#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The lines of a file or of standard input, read on the calling thread as they are asked for, in bounded memory.
///
/// ```swift
/// var reader = LineReader(descriptor: STDIN_FILENO)
/// while let line = try reader.next() { … }
/// ```
/// For a program in a pipe whose main thread has nothing else to do. ``InputLines`` reads without blocking the thread that awaits a
/// line.
package struct LineReader {
    private let descriptor: Descriptor
    private let longest: Int
    private var buffer: [UInt8]
    private var unread = 0..<0
    private var count = 0
    private var isAtEnd = false

    /// The lines of a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Where to read; it stays open.
    ///   - longest: How many bytes of a line are kept, at least 1.
    ///   - chunk: How many bytes the system is asked for at once, at least 1.
    package init(descriptor: Int32, longest: Int = 4096, chunk: Int = 1 << 16) {
        precondition(longest > 0, "longest must be at least 1, so that something of a line is kept")
        precondition(chunk > 0, "chunk must be at least 1, so that something is read")
        self.descriptor = Descriptor(number: descriptor)
        self.longest = longest
        buffer = [UInt8](repeating: 0, count: chunk)
    }

    /// Reads the next line. Waits as long as there is nothing to read.
    ///
    /// - Returns: The line; nil at the end. A last line needs no line end.
    /// - Throws: The system's reason, if the descriptor cannot be read.
    package mutating func next() throws(SystemError) -> InputLines.Line? {
        var kept: [UInt8] = []  // What earlier chunks held of this line; it is seldom needed.
        var isCut = false
        var hasBegun = false
        while true {
            if unread.isEmpty {
                try refill()
                if unread.isEmpty { return hasBegun ? line(kept[...], isCut) : nil }
            }
            hasBegun = true
            let end = lineEnd()
            let piece = buffer[unread.lowerBound..<(end ?? unread.upperBound)]
            unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
            let room = longest - kept.count
            if end != nil, kept.isEmpty, !isCut, piece.count <= room { return line(piece, false) }
            kept.append(contentsOf: piece.prefix(room))
            isCut = isCut || piece.count > room
            if end != nil { return line(kept[...], isCut) }
        }
    }

    private mutating func line(_ bytes: ArraySlice<UInt8>, _ isCut: Bool) -> InputLines.Line {
        count += 1
        let endsInReturn = !isCut && bytes.last == UInt8(ascii: "\r")
        let text = String(decoding: endsInReturn ? bytes.dropLast() : bytes, as: UTF8.self)
        return InputLines.Line(number: count, text: text, isCut: isCut)
    }

    /// Where in the buffer the line ends, if it does.
    private func lineEnd() -> Int? {
        buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            let found = memchr(base + unread.lowerBound, Int32(UInt8(ascii: "\n")), unread.count)
            return found.map { UnsafeRawPointer($0) - base }
        }
    }

    /// After the end nothing is read: on a terminal there may be more, but the user has said that there is not.
    private mutating func refill() throws(SystemError) {
        while !isAtEnd {
            let count = buffer.withUnsafeMutableBytes { read(descriptor.number, $0.baseAddress, $0.count) }
            if count >= 0 {
                unread = 0..<count
                isAtEnd = count == 0
                return
            }
            switch errno {
            case EINTR: break
            // Another program may have set it so: the setting is shared.
            case EAGAIN, EWOULDBLOCK: _ = descriptor.wait(for: POLLIN, -1)
            default: throw .last("read \(descriptor.name)")
            }
        }
    }
}
