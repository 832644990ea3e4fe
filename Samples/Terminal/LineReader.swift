#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The lines of a file descriptor, read as they are asked for, in bounded memory.
public struct LineReader {
    /// A line of the input.
    public struct Line: Equatable, Sendable {
        /// Its place in the input; the first is 1.
        public let number: Int
        /// What it says, without its end (`LF` or `CR LF`); what is not UTF-8 is replaced by U+FFFD.
        public let text: String
        /// Whether the line was longer than the reader keeps, so that `text` is only its beginning.
        public let isCut: Bool
    }

    private let descriptor: Int32
    private let longest: Int
    private var buffer: [UInt8]
    private var unread = 0..<0
    private var count = 0
    private var isAtEnd = false

    /// The lines of a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Where to read; it stays open.
    ///   - longest: How many bytes of a line are kept.
    ///   - chunk: How many bytes to ask the system for at once.
    public init(descriptor: Int32, longest: Int = 4096, chunk: Int = 1 << 16) {
        self.descriptor = descriptor
        self.longest = longest
        buffer = [UInt8](repeating: 0, count: chunk)
    }

    /// The next line, or nil at the end. A last line needs no line end. Waits as long as there is nothing to read.
    public mutating func next() throws(SystemError) -> Line? {
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

    private mutating func line(_ bytes: ArraySlice<UInt8>, _ isCut: Bool) -> Line {
        count += 1
        let endsInReturn = !isCut && bytes.last == UInt8(ascii: "\r")
        let text = String(decoding: endsInReturn ? bytes.dropLast() : bytes, as: UTF8.self)
        return Line(number: count, text: text, isCut: isCut)
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
            let size = buffer.count
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, size) }
            if count >= 0 {
                unread = 0..<count
                isAtEnd = count == 0
                return
            }
            if !isPassing(errno, on: descriptor, for: POLLIN) { throw .last }
        }
    }
}
