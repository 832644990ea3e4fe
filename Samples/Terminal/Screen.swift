import Streams
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal as a place to draw on, and the keys that are pressed in front of it.
///
/// ```swift
/// let screen = try Screen.open()
/// screen.draw { size in ["\(size.columns) columns", "press " + Row("q", .accent) + " to quit"] }
/// let departure = screen.run(until: { $0 == .character("q") })
/// screen.close()
/// ```
/// The terminal is restored by ``close()``, and also if the process exits or crashes before that.
public final class Screen: Sendable {
    /// Why ``run(until:)`` returned.
    public enum Departure: Equatable, Sendable {
        /// A key that ends it was pressed.
        case key(Key)
        /// A signal asked the process to end.
        case signal(Int32)
        /// The terminal is gone.
        case hangup
        /// ``Screen/stop()`` was called.
        case stopped
    }

    private let input: Int32
    private let output: Int32
    private let styled: Bool
    private let signals: SignalPipe
    private let keySubject = PassthroughSubject<Key, Never>()
    private let sizeSubject: CurrentValueSubject<Size, Never>
    /// Held while a frame goes out, so that frames do not mix and none comes after the terminal was restored.
    private let picture = Mutex(Picture())

    private struct Picture {
        var isShown = true
        var rows: @Sendable (Size) -> [Row] = { _ in [] }
    }

    /// Whether a panel can be shown: keys come from a terminal and text goes to one that can be drawn on.
    public static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb"
    }

    /// Takes the terminal over. Only one screen may be open.
    public static func open() throws(SystemError) -> Screen {
        try Screen(input: STDIN_FILENO, output: STDOUT_FILENO)
    }

    private init(input: Int32, output: Int32) throws(SystemError) {
        self.input = input
        self.output = output
        // https://no-color.org: any value but the empty one.
        styled = (Self.variable("NO_COLOR") ?? "").isEmpty
        sizeSubject = CurrentValueSubject(Size(of: output))
        signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
        try RawMode.enter(input: input, output: output)
    }

    /// The keys, as they are pressed; sent on the thread that runs the screen.
    public var keys: AnyPublisher<Key, Never> { keySubject.eraseToAnyPublisher() }

    /// The size of the window, now and after each change.
    public var sizes: AnyPublisher<Size, Never> { sizeSubject.removeDuplicates().eraseToAnyPublisher() }

    /// Draws in place of what was drawn before, now and whenever the window changes. Safe from any thread.
    ///
    /// - Parameter rows: The rows for a size of the window, from the top; what does not fit is left out. It does not draw
    ///   itself.
    public func draw(_ rows: @escaping @Sendable (Size) -> [Row]) {
        picture.withLock { picture in
            picture.rows = rows
            write(picture)
        }
    }

    /// Passes on keys and sizes until a key, a signal or the end of the terminal ends it. Ctrl-Z suspends the program.
    ///
    /// Call it on the main thread: others may have blocked the signal that suspends.
    ///
    /// - Parameter isLast: Whether a key ends it; that one is not passed on.
    public func run(until isLast: (Key) -> Bool) -> Departure {
        var parser = KeyParser()
        while true {
            var requests = [
                pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            ]
            // The rest of a key that is several bytes follows within this time even over a slow line.
            let count = poll(&requests, 2, parser.isWaiting ? 50 : -1)
            if count < 0 { continue }  // A signal, which the pipe tells about.
            if requests[0].revents != 0, let departure = handleSignals() { return departure }
            var keys: [Key] = []
            if requests[1].revents != 0 {
                guard let bytes = readKeys() else { return .hangup }
                keys = bytes.flatMap { parser.take($0) }
            } else if count == 0 {
                keys = parser.endOfPause()
            }
            for key in keys {
                if isLast(key) { return .key(key) }
                if key == .control("z") { suspend { kill(0, SIGTSTP) } } else { keySubject.send(key) }
            }
        }
    }

    /// Has ``run(until:)`` return, now or when it is called. Safe from any thread.
    public func stop() { SignalPipe.note(SignalPipe.stop) }

    /// Gives the terminal back as it was. Nothing is drawn after that.
    public func close() {
        hide()
        signals.close()
        keySubject.send(completion: .finished)
        sizeSubject.send(completion: .finished)
    }

    /// What was typed; nil if nothing will come any more.
    private func readKeys() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(input, &bytes, bytes.count)
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }

    private func handleSignals() -> Departure? {
        for signal in signals.take() {
            switch signal {
            case SIGWINCH: redraw()
            case SIGTSTP: suspend { raise(SIGTSTP) }
            // Also after a stop that could not be caught, when the shell has set the terminal to its liking.
            case SIGCONT: show()
            case SignalPipe.stop: return .stopped
            default: return .signal(signal)
            }
        }
        return nil
    }

    /// Stops the process until it is continued, with the terminal restored meanwhile.
    ///
    /// - Parameter stop: Sends the signal that stops: to all that were started by the same command, as the terminal itself
    ///   does for Ctrl-Z, or only to this process, if it was only sent to this one.
    private func suspend(_ stop: () -> Int32) {
        hide()
        SignalAction.restore(SIGTSTP)
        _ = stop()
        // Continued; or not stopped at all, as when there is no shell that could continue it.
        signals.catchAgain(SIGTSTP)
        show()
    }

    private func hide() {
        picture.withLock { picture in
            picture.isShown = false
            RawMode.leave()
        }
    }

    private func show() {
        picture.withLock { picture in
            picture.isShown = (try? RawMode.enter(input: input, output: output)) != nil
        }
        redraw()
    }

    private func redraw() {
        picture.withLock { write($0) }
        sizeSubject.send(Size(of: output))
    }

    private func write(_ picture: Picture) {
        guard picture.isShown else { return }
        let size = Size(of: output)
        let frame = Frame(rows: picture.rows(size), size: size, styled: styled)
        // A terminal that cannot be written to any more hangs up: nothing is to be done about it here.
        _ = SampleTerminal.write(frame.text.utf8, to: output)
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
