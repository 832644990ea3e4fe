/// A program on a terminal: bytes go in, bytes come out.
///
/// It belongs to the thread or the queue that has the terminal.
final class Session<State: Equatable & Sendable, Event: Sendable>: TerminalSession {
    var output: [UInt8] = []
    private let core: ProgramCore<State, Event>
    private let display: Display
    private var parser = InputParser()
    private var writer: ProgramOutput
    private var capabilities: TerminalCapabilities
    /// The modes that are begun while the terminal is the program's.
    private var modes: TerminalModes
    private var limit = FrameLimit()
    /// The size of the terminal, which may be more than that of the frames.
    private var size: Size
    /// Indicates whether a key asks for the next frame: that one is not put off.
    private var hasTyped = true
    private var isShown = false
    /// Indicates whether the terminal does not show the last frame any more.
    private var isStale = false
    private var questions: Questions
    private var title: String?
    private var printed: [StyledText] = []

    /// - Parameters:
    ///   - core: The program.
    ///   - settings: What it was told.
    ///   - capabilities: What the terminal can do.
    ///   - size: The size of the terminal.
    ///   - isTerminal: Whether it is one.
    init(
        _ core: ProgramCore<State, Event>, _ settings: ProgramSettings<State, Event>, _ capabilities: TerminalCapabilities,
        size: Size, isTerminal: Bool
    ) {
        self.core = core
        self.capabilities = capabilities
        self.size = size
        display = settings.display
        writer = ProgramOutput(settings.display, capabilities, isTerminal: isTerminal)
        modes = writer.hasSequences ? settings.modes : []
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
        // Asked behind the first frame, which waits for no answer.
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

    /// Uses what the terminal says that it can do.
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
        core.take(.resize(display.size(in: size)))
        if case .wholeScreen = display { writer.invalidate() }
    }

    /// Prints lines above the program; only one that has no screen of its own shows them.
    func print(_ lines: [StyledText]) {
        printed += lines
        hasTyped = true
    }

    /// Sends bytes that are no part of a frame.
    func send(_ bytes: [UInt8]) { if isShown, writer.hasSequences { output += bytes } }

    // MARK: Frames

    func turn(at now: @autoclosure () -> ContinuousClock.Instant) -> Duration? {
        guard isShown, output.isEmpty, core.isDue || isStale || !printed.isEmpty, ending == nil else { return nil }
        // A frame that a key asks for is made at once. It counts all the same.
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
        // What has not been sent of a frame is of no use any more.
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
        // The last frame, such as the one that says that all is done.
        if isShown, core.failure == nil, output.isEmpty, core.isDue { draw() }
        let last = output
        suspend()
        if !last.isEmpty { output = last + output }
        core.close()
    }
}

extension Display {
    /// The size of the frames on a terminal of a size.
    func size(in terminal: Size) -> Size {
        switch self {
        case .wholeScreen, .lines: terminal
        case .inline(let rows): Size(columns: terminal.columns, rows: min(terminal.rows, max(1, rows)))
        }
    }
}

/// What a terminal is asked when the first frame is out, and what its answers change.
struct Questions {
    /// The questions. The last one is one that every terminal answers, behind the answers to the others.
    let bytes: [UInt8]
    /// Indicates whether all has been answered that will be.
    private(set) var areAnswered: Bool
    private var hasKitty = false

    /// The questions to a terminal that understands sequences.
    init() { (bytes, areAnswered) = (Array("\u{1B}[?u\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[c".utf8), false) }

    private init(answered: Void) { (bytes, areAnswered) = ([], true) }

    /// No questions.
    static var none: Questions { Questions(answered: ()) }

    /// Takes an answer.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - modes: The modes to begin, which may become more.
    ///   - capabilities: What the terminal can do, which may become more.
    mutating func take(_ reply: TerminalReply, _ modes: inout TerminalModes, _ capabilities: inout TerminalCapabilities) {
        switch reply {
        case .keyboard:
            hasKitty = true
            modes.insert(.kittyKeyboard)
        // 1 is set, 2 is not set, 3 is set for ever.
        case .mode(2026, 1...3): capabilities.synchronizedOutput = true
        // It is asked for with the first frame.
        case .mode(2027, 1), .mode(2027, 3): capabilities.graphemeClusters = true
        case .attributes:
            guard !areAnswered else { return }
            areAnswered = true
            if !hasKitty { modes.insert(.otherKeys) }
        case .mode, .cursor, .color, .version, .other: break
        }
    }
}
