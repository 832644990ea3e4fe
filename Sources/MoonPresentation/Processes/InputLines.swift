import Dispatch
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension StandardStreams {
    /// The lines of standard input or of another descriptor, read on request and in bounded memory.
    ///
    /// ```swift
    /// for await line in StandardStreams.lines() { store.post(.command(line.text)) }
    ///
    /// let commands = StandardStreams.lines().publisher.compactMap { Event($0.text) }    // as feedback
    /// ```
    /// A background queue waits for input. Lines are read as they are requested, so that backpressure slows the writer down. A last
    /// line needs no line end. A read error counts as the end, and so does the lack of a descriptor for the pipe that cancels a wait.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which stays open. Standard input by default.
    ///   - longest: The largest number of bytes of a line, at least 1. Longer lines are cut.
    public static func lines(
        from descriptor: Int32 = STDIN_FILENO, longest: Int = 1 << 20
    ) -> some AsyncSequence<InputLine, Never> & Sendable {
        precondition(longest > 0, "longest must be at least 1, but is \(longest)")
        return InputLines(descriptor: descriptor, longest: longest)
    }
}

/// A line of input: see ``StandardStreams/lines(from:longest:)``.
public struct InputLine: Hashable, Sendable {
    /// The number of the line, counted from 1.
    public let number: Int
    /// The text without its line end (`LF` or `CR LF`). Invalid UTF-8 is replaced by U+FFFD.
    public let text: String
    /// Indicates whether the line exceeded the limit, so that ``text`` is only its beginning.
    public let isCut: Bool
}

/// The sequence of ``StandardStreams/lines(from:longest:)``.
private struct InputLines: AsyncSequence, Sendable {
    let descriptor: Int32
    let longest: Int

    func makeAsyncIterator() -> Iterator { Iterator(reader: Reader(Descriptor(number: descriptor), longest)) }

    struct Iterator: AsyncIteratorProtocol {
        let reader: Reader

        mutating func next() async -> InputLine? { await reader.next() }
        mutating func next(isolation: isolated (any Actor)?) async -> InputLine? { await reader.next() }
    }

    final class Reader: @unchecked Sendable {
        // Sound: mutable state is only used on the queue.
        private let descriptor: Descriptor
        private let queue = DispatchQueue(label: "moonlight.lines")
        private let alarm: Pipe?
        private var splitter: LineSplitter
        private var ready: [InputLine] = []
        private var place = 0
        private var count = 0
        private var isAtEnd = false

        init(_ descriptor: Descriptor, _ longest: Int) {
            self.descriptor = descriptor
            splitter = LineSplitter(longest: longest)
            alarm = try? Pipe(for: "lines")
            // Without the pipe, a waiting reader could not be cancelled. A negative descriptor is ignored by the system's wait.
            isAtEnd = alarm == nil || descriptor.number < 0
        }

        deinit { alarm?.close() }

        func next() async -> InputLine? {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    queue.async { [self] in continuation.resume(returning: read()) }
                }
            } onCancel: {
                // Wakes the waiting reader.
                _ = try? alarm?.writeEnd.write([0])
            }
        }

        private func read() -> InputLine? {
            while place == ready.count {
                if isAtEnd { return nil }
                readMore()
            }
            defer { place += 1 }
            return ready[place]
        }

        private func readMore() {
            var requests = [
                pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: alarm?.readEnd.number ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, 2, -1) > 0 else { return }
            if requests[1].revents != 0 {
                isAtEnd = true
                return
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            (ready, place) = ([], 0)
            switch descriptor.read(into: &buffer) {
            case .bytes(let count): for line in splitter.takeLines(buffer[..<count]) { append(line) }
            case .nothingNow: break
            case .end:
                isAtEnd = true
                if let line = splitter.endLine() { append(line) }
            }
        }

        private func append(_ line: LineSplitter.Line) {
            count += 1
            ready.append(InputLine(number: count, text: line.text, isCut: line.isCut))
        }
    }
}

/// Splits bytes that arrive in pieces into lines, in bounded memory.
struct LineSplitter: Sendable {
    private let longest: Int
    private var kept: [UInt8] = []
    private var isCut = false
    private var hasBegun = false

    /// - Parameter longest: The largest number of bytes of a line.
    init(longest: Int = 1 << 20) { self.longest = min(longest, .max - 1) }

    /// A line without its line end.
    struct Line: Equatable {
        var text: String
        /// Indicates whether the line exceeded the limit.
        var isCut: Bool
    }

    /// Takes bytes.
    ///
    /// - Returns: The complete lines.
    mutating func takeLines(_ bytes: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            lines.append(line(rest[..<end]))
            rest = rest[(end + 1)...]
        }
        guard !rest.isEmpty else { return lines }
        hasBegun = true
        keep(rest)
        return lines
    }

    /// Ends the input, and returns a last line without a line end.
    mutating func endLine() -> Line? { hasBegun ? line([]) : nil }

    private mutating func line(_ last: ArraySlice<UInt8>) -> Line {
        defer { (kept, isCut, hasBegun) = ([], false, false) }
        var bytes = last
        if !kept.isEmpty || last.count > longest + 1 {
            keep(last)
            bytes = kept[...]
        }
        if !isCut, bytes.last == 0x0D { bytes.removeLast() }
        guard bytes.count > longest else { return Line(text: String(decoding: bytes, as: UTF8.self), isCut: false) }
        // The byte after the limit, which is kept, tells whether the limit is within a character.
        var end = bytes.startIndex + longest
        for _ in 0..<3 where end > bytes.startIndex && bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Line(text: String(decoding: bytes[..<end], as: UTF8.self), isCut: true)
    }

    /// Keeps one byte more than the limit, because a carriage return at the end does not count.
    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = longest + 1 - kept.count
        kept.append(contentsOf: bytes.prefix(room))
        if bytes.count > room { isCut = true }
    }
}
