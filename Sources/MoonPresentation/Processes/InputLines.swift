import Dispatch
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The lines of standard input, or of another descriptor, read as they are asked for, in bounded memory.
///
/// ```swift
/// for await line in InputLines() { store.post(.command(line.text)) }
///
/// let commands = InputLines().publisher.compactMap { Event($0.text) }    // a stream of events, as feedback
/// ```
/// Reading waits on a thread that may wait. The next line is read when it is asked for, so whoever writes them is slowed down to the pace
/// of whoever uses them. A last line needs no line end. What cannot be read counts as the end.
public struct InputLines: AsyncSequence, Sendable {
    /// A line of the input.
    public struct Line: Hashable, Sendable {
        /// Its place in the input; the first is 1.
        public let number: Int
        /// The text without its end (`LF` or `CR LF`); bytes that are not UTF-8 are replaced by U+FFFD.
        public let text: String
        /// Indicates whether the line was longer than is kept, so that ``text`` is only its beginning.
        public let isCut: Bool
    }

    /// A line.
    public typealias Element = Line
    /// Reading does not fail; it ends.
    public typealias Failure = Never

    private let descriptor: Int32
    private let longest: Int

    /// The lines of a descriptor.
    ///
    /// If the process has no descriptors left for a pipe, by which reading is cancelled, there are no lines.
    ///
    /// - Parameters:
    ///   - descriptor: Where to read; it stays open. Standard input by default.
    ///   - longest: How many bytes of a line are kept.
    public init(descriptor: Int32 = STDIN_FILENO, longest: Int = 1 << 20) {
        precondition(longest > 0, "longest must be at least 1, so that something of a line is kept")
        self.descriptor = descriptor
        self.longest = longest
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(Reader(Descriptor(number: descriptor), longest)) }

    /// Reads one line after another.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: Reader
        fileprivate init(_ reader: Reader) { self.reader = reader }

        /// The next line; nil at the end, or if the task is cancelled.
        public mutating func next() async -> Line? { await reader.next() }
        /// The next line; nil at the end, or if the task is cancelled.
        public mutating func next(isolation: isolated (any Actor)?) async -> Line? { await reader.next() }
    }

    fileprivate final class Reader: @unchecked Sendable {
        // Sound: what is not immutable is only used on the queue.
        private let descriptor: Descriptor
        private let queue = DispatchQueue(label: "moonlight.lines")
        private let alarm: Pipe?
        private var splitter: LineSplitter
        private var ready: [Line] = []
        private var place = 0
        private var count = 0
        private var isAtEnd = false

        init(_ descriptor: Descriptor, _ longest: Int) {
            self.descriptor = descriptor
            splitter = LineSplitter(longest: longest)
            alarm = try? Pipe(for: "lines")
            // Without it, a reader that waits could not be cancelled.
            isAtEnd = alarm == nil
        }

        deinit { alarm?.close() }

        func next() async -> Line? {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    queue.async { [self] in continuation.resume(returning: read()) }
                }
            } onCancel: {
                // Wakes whoever waits for input.
                _ = try? alarm?.writeEnd.write([0])
            }
        }

        private func read() -> Line? {
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
            ready.append(Line(number: count, text: line.text, isCut: line.isCut))
        }
    }
}
