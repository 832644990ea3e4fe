/// A program on a terminal: bytes go in, bytes come out.
///
/// Confined to the thread or queue of the terminal.
final class Session<State: Equatable & Sendable, Event: Sendable>: TerminalSession {
    var output: [UInt8] = []
    private let core: ProgramCore<State, Event>
    private var parser = InputParser()
    private var writer: ProgramOutput
    private var capabilities: TerminalCapabilities
    private(set) var modes: TerminalModes
    private var limit = FrameLimit()
    /// The size of the terminal, which may exceed that of the frames.
    private var size: Size
    /// Indicates whether there was input, so that the next frame is not delayed.
    private var hasTyped = true
    private var isShown = false
    /// Indicates whether the terminal no longer shows the last frame.
    private var isStale = false
    private var questions: Questions
    private var title: String?
    private var printed: [StyledText] = []

    /// - Parameters:
    ///   - core: The program.
    ///   - settings: The program's settings.
    ///   - capabilities: The terminal's capabilities.
    ///   - size: The size of the terminal.
    ///   - isTerminal: False if the input or the output is a pipe or a file.
    init(
        _ core: ProgramCore<State, Event>, _ settings: ProgramSettings<State, Event>, _ capabilities: TerminalCapabilities,
        size: Size, isTerminal: Bool
    ) {
        self.core = core
        self.capabilities = capabilities
        self.size = size
        writer = ProgramOutput(settings.display, capabilities, isTerminal: isTerminal)
        modes = writer.hasSequences ? settings.modes : []
        if settings.display.isInline { modes.subtract([.mouse, .mouseMoves]) }
        questions = writer.hasSequences ? Questions() : .none
    }

    var ending: ProgramEnding? { core.ending }
    var failure: (any Error)? { core.failure }
    var wantsSuspension: Bool {
        get { core.wantsSuspension }
        set { core.wantsSuspension = newValue }
    }
    var pause: Duration? { parser.pause }
    var restoration: [UInt8] { modes.end + writer.emergency }
    var hasAnswered: Bool { questions.areAnswered }

    func open() {
        show()
        draw()
        // The first frame does not wait for replies.
        output += questions.bytes
    }

    // MARK: Input

    func receive(_ bytes: ArraySlice<UInt8>) {
        take(parser.take(bytes))
        for reply in parser.takeReplies() { take(reply) }
    }

    func endOfBytes() { take(parser.endOfBytes()) }

    func endOfPause() { take(parser.endOfPause()) }

    private func take(_ inputs: [InputEvent]) {
        if !inputs.isEmpty { hasTyped = true }
        for input in inputs { core.take(input) }
    }

    /// Handles a reply of the terminal.
    private func take(_ reply: TerminalReply) {
        let (oldModes, oldCapabilities) = (modes, capabilities)
        questions.take(reply, &modes, &capabilities)
        if capabilities != oldCapabilities { writer.set(capabilities) }
        if isShown { output += modes.subtracting(oldModes).beginning }
    }

    func resize(to size: Size) {
        guard size != self.size else { return }
        self.size = size
        hasTyped = true
        isStale = true
        core.take(.resize(size))
        writer.invalidate()
    }

    /// Prints lines above an inline program.
    func print(_ lines: [StyledText]) {
        printed += lines
        hasTyped = true
    }

    /// Sends bytes that are no part of a frame.
    func send(_ bytes: [UInt8]) { if isShown, writer.hasSequences { output += bytes } }

    // MARK: Frames

    func turn(at now: @autoclosure () -> ContinuousClock.Instant) -> Duration? {
        guard isShown, output.isEmpty, core.isDue || isStale || !printed.isEmpty, ending == nil else { return nil }
        // A frame after input is made at once, and counts for the limit.
        if hasTyped { limit.count() } else if let wait = limit.wait(at: now()) { return wait }
        draw()
        return nil
    }

    func fallAsleep(isPutOff: Bool) -> Bool { core.fallAsleep(isPutOff: isPutOff || !output.isEmpty || !isShown) }
    func awake() { core.awake() }

    private func draw() {
        (hasTyped, isStale) = (false, false)
        guard let frame = core.frame() else { return }
        if core.title != title, let title = core.title, writer.hasSequences {
            if modes.insert(.title).inserted { output += TerminalModes.title.beginning }
            output += TerminalSequence.title(title)
            self.title = title
        }
        let bytes = writer.bytes(for: frame, printing: printed, in: size)
        printed = []
        if output.isEmpty { output = bytes } else { output += bytes }
    }

    // MARK: The terminal

    private func show() {
        (isShown, isStale) = (true, true)
        output += writer.enter() + modes.beginning
        title = nil
    }

    func suspend() {
        guard isShown else { return }
        isShown = false
        // The unsent part of a frame is dropped.
        output = modes.end + writer.leave()
    }

    func resume(size: Size) {
        resize(to: size)
        show()
        hasTyped = true
    }

    func whenQuiet(_ tell: @escaping @Sendable () -> Void) { core.whenQuiet(tell) }

    func end(_ ending: ProgramEnding) { core.end(ending) }

    func close() {
        // The last frame, which may show the result, and the lines above it.
        if isShown, core.failure == nil, output.isEmpty && core.isDue || !printed.isEmpty { draw() }
        let last = output
        suspend()
        if !last.isEmpty { output = last + output }
        core.close()
    }
}

extension Display {
    var isLines: Bool { if case .lines = self { true } else { false } }
    var isInline: Bool { if case .inline = self { true } else { false } }

    /// The size of the frames on a terminal of a size.
    func size(in terminal: Size) -> Size {
        switch self {
        case .wholeScreen, .lines: terminal
        case .inline(let rows): Size(columns: terminal.columns, rows: min(terminal.rows, max(1, rows)))
        }
    }
}

/// The queries after the first frame, and the effects of the replies.
struct Questions {
    /// The queries. Every terminal replies to the last one, after the others.
    let bytes: [UInt8]
    /// Indicates whether the reply to the last query has arrived.
    private(set) var areAnswered: Bool
    private var hasKitty = false

    /// The queries for a terminal that understands sequences.
    init() { (bytes, areAnswered) = (Array("\u{1B}[?u\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[c".utf8), false) }

    private init(answered: Void) { (bytes, areAnswered) = ([], true) }

    /// No queries.
    static var none: Questions { Questions(answered: ()) }

    /// Takes a reply.
    ///
    /// - Parameters:
    ///   - reply: The reply.
    ///   - modes: The modes to set, which may become more.
    ///   - capabilities: The terminal's capabilities, which may become more.
    mutating func take(_ reply: TerminalReply, _ modes: inout TerminalModes, _ capabilities: inout TerminalCapabilities) {
        switch reply {
        case .keyboard:
            hasKitty = true
            modes.insert(.kittyKeyboard)
        // 1 is set, 2 is reset, 3 is permanently set.
        case .mode(2026, 1...3): capabilities.synchronizedOutput = true
        // The mode is requested before the first frame.
        case .mode(2027, 1), .mode(2027, 3): capabilities.graphemeClusters = true
        case .attributes:
            guard !areAnswered else { return }
            areAnswered = true
            if !hasKitty { modes.insert(.otherKeys) }
        case .mode, .other: break
        }
    }
}

/// A program as seen by the thread or queue of its terminal, which calls all methods.
protocol TerminalSession: AnyObject {
    /// The unsent bytes. No frame is made while there are some.
    var output: [UInt8] { get set }
    /// The reason of the program's end; nil while it runs.
    var ending: ProgramEnding? { get }
    /// The error that has ended the program, if any.
    var failure: (any Error)? { get }
    /// Indicates whether the user has asked to suspend the program. The caller resets it.
    var wantsSuspension: Bool { get set }
    /// The time to wait for the rest of an incomplete key; nil if there is none.
    var pause: Duration? { get }
    /// Indicates whether all replies of the terminal have arrived.
    var hasAnswered: Bool { get }
    /// The modes that are set while the program is shown. The terminal's replies may add some.
    var modes: TerminalModes { get }
    /// The bytes that reset the terminal's modes.
    var restoration: [UInt8] { get }

    /// Sets the modes, and makes the first frame.
    func open()
    /// Takes typed bytes.
    func receive(_ bytes: ArraySlice<UInt8>)
    /// Reports that no more bytes are available.
    func endOfBytes()
    /// Reports that no bytes have arrived for the duration of ``pause``.
    func endOfPause()
    /// Prints lines above an inline program.
    func print(_ lines: [StyledText])
    /// Sends bytes that are no part of a frame.
    func send(_ bytes: [UInt8])
    /// Reports another size of the terminal.
    func resize(to size: Size)
    /// Makes a frame if it is due.
    ///
    /// - Parameter now: The time, which is not evaluated after input.
    /// - Returns: The delay of a frame; nil if none is delayed.
    func turn(at now: @autoclosure () -> ContinuousClock.Instant) -> Duration?
    /// Announces that the thread is about to sleep; false if it must not.
    func fallAsleep(isPutOff: Bool) -> Bool
    /// Reports that the thread is awake.
    func awake()
    /// Resets the modes for a while.
    func suspend()
    /// Sets the modes again, and redraws the screen.
    func resume(size: Size)
    /// Calls a function, on any thread, when nothing is in flight, or the loop has ended.
    func whenQuiet(_ tell: @escaping @Sendable () -> Void)
    /// Ends the program for an external reason.
    func end(_ ending: ProgramEnding)
    /// Resets the modes, and cancels the program.
    func close()
}

/// The rate limit of frames for changes without a key: a few at once, then one per interval. A pure value: the caller passes the
/// time.
struct FrameLimit {
    /// The number of frames without a delay.
    static let atOnce = 4
    /// The interval of further frames.
    static let interval = Duration.milliseconds(8)
    private static let span = interval * atOnce

    private var credit = atOnce
    private var since: ContinuousClock.Instant?

    /// Counts a frame that is made without asking.
    mutating func count() { credit = max(0, credit - 1) }

    /// Asks for a frame.
    ///
    /// - Returns: The time to wait; nil if the frame may be made now.
    mutating func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let since, now - since < Self.span else {
            self.since = now
            credit = Self.atOnce - 1
            return nil
        }
        let intervals = Int((now - since) / Self.interval)
        if intervals > 0 {
            credit = min(Self.atOnce, credit + intervals)
            self.since = credit == Self.atOnce ? now : since + Self.interval * intervals
        }
        if credit > 0 {
            credit -= 1
            return nil
        }
        return Self.interval - (now - (self.since ?? now))
    }
}

/// The writer of frames: one of three is set. An enumeration would copy it for each change.
struct ProgramOutput {
    private var screen: FrameWriter?
    private var inline: InlineWriter?
    private var lines: LineWriter?

    /// - Parameters:
    ///   - display: The display of the program.
    ///   - capabilities: The terminal's capabilities.
    ///   - isTerminal: False if the output is a pipe or a file.
    init(_ display: Display, _ capabilities: TerminalCapabilities, isTerminal: Bool) {
        if !isTerminal {
            lines = LineWriter(.last)
        } else if capabilities.isDumb || display.isLines {
            lines = LineWriter(.changes)
        } else if case .inline = display {
            inline = InlineWriter(capabilities: capabilities)
        } else {
            screen = FrameWriter(capabilities: capabilities)
        }
    }

    /// Indicates whether control sequences may be sent.
    var hasSequences: Bool { lines == nil }

    /// Sets the capabilities by the terminal's replies.
    mutating func set(_ capabilities: TerminalCapabilities) {
        screen?.capabilities = capabilities
        inline?.capabilities = capabilities
    }

    mutating func enter() -> [UInt8] { screen?.enter() ?? inline?.enter() ?? [] }

    /// The bytes that end the display.
    mutating func leave() -> [UInt8] { screen != nil ? FrameWriter.leave.bytes : inline?.leave() ?? lines?.end() ?? [] }

    /// The bytes that end the display in a signal handler.
    var emergency: [UInt8] {
        screen != nil ? FrameWriter.leave.bytes : inline != nil ? InlineWriter.emergency.bytes : []
    }

    /// Marks the frame on a whole screen as unknown, because the terminal was resized. An inline frame is located instead.
    mutating func invalidate() { screen?.invalidate() }

    /// The bytes that show a frame.
    ///
    /// - Parameters:
    ///   - canvas: The frame.
    ///   - committed: Lines to print above an inline frame.
    ///   - size: The size of the terminal.
    mutating func bytes(for canvas: Canvas, printing committed: [StyledText], in size: Size) -> [UInt8] {
        screen?.bytes(for: canvas) ?? inline?.bytes(for: canvas, committing: committed, terminal: size)
            ?? lines?.bytes(for: canvas, committing: committed) ?? []
    }
}

extension StaticString {
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)) }
}
