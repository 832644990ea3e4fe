/// What a terminal is asked when the first frame is out, and what its answers change.
struct Questions {
    /// The questions. The last one is one that every terminal answers, behind the answers to the others.
    let bytes: [UInt8]
    /// Whether all has been answered that will be.
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
