/// Turns the bytes that a terminal sends into inputs: keys, pasted text, the mouse, and the focus.
///
/// ```swift
/// var parser = InputParser()
/// parser.take(Array("\u{1B}[1;5C".utf8))     // [.key(.control(.right))]
/// ```
/// An input may be one byte or several, and may arrive in pieces: however the bytes are cut, the inputs are the same. What is
/// not complete is kept. Two things only time can tell, and the caller says so:
///
/// - ``endOfBytes()``: nothing more is there at this moment. A character that was kept, in case that an accent follows, is typed.
/// - ``endOfPause()``: nothing has come for as long as ``pause`` says. An Escape was the key Escape, and the rest of a sequence will not come.
///
/// Sequences without a meaning, answers of the terminal, and bytes that are no text give no input. Memory is bounded: a long
/// paste arrives as several inputs, one after another.
public struct InputParser: Sendable {
    /// Where in a sequence the parser is.
    enum State: Equatable, Sendable {
        case ground
        /// In a character of several bytes, which has so many.
        case character(Int)
        /// Behind an Escape.
        case escape
        /// Behind two Escapes.
        case twoEscapes
        /// Behind `ESC [`, in a control sequence.
        case control
        /// Behind `ESC [ [`, in a function key of the Linux console.
        case console
        /// Behind `ESC O`, in a key of a keypad.
        case keypad
        /// In the three bytes of a mouse report of the oldest kind.
        case oldMouse
        /// In a string of which the terminal's answers are made; its second byte says which kind it is.
        case string(UInt8)
        /// Behind an Escape in a string, which may end it.
        case stringEscape(UInt8)
        /// In pasted text.
        case paste
    }

    /// The longest control sequence and string that is looked at, in bytes. Longer ones are skipped.
    static let longestControl = 96
    static let longestString = 1024

    /// Where the parser is.
    var state = State.ground
    /// The bytes of the sequence or character that is being read.
    var bytes: [UInt8] = []
    /// Whether the sequence is read behind two Escapes, so that Alt was held.
    var hasAlt = false
    /// The characters that are typed but may be continued by what follows.
    var typed = TypedText()
    /// Pasted text.
    var pasted: PastedText
    /// The inputs that are complete.
    var inputs: [InputEvent] = []
    /// What the terminal has answered; the newest ones.
    private(set) var replies: [TerminalReply] = []

    /// Creates a parser.
    ///
    /// - Parameter longestPaste: How many bytes of pasted text make an input, at most. A longer paste makes several. At least 8.
    public init(longestPaste: Int = 1 << 16) {
        precondition(longestPaste >= 8, "longestPaste must be at least 8, so that a character fits into it")
        pasted = PastedText(longest: longestPaste)
    }

    /// Takes bytes.
    ///
    /// - Parameter bytes: What has arrived.
    /// - Returns: The inputs that are complete.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        for byte in bytes { take(byte) }
        return takeInputs()
    }

    /// Says that no more bytes are there at this moment.
    ///
    /// - Returns: The character that was kept, if there is one.
    public mutating func endOfBytes() -> [InputEvent] {
        type(typed.end())
        return takeInputs()
    }

    /// Says that no bytes have come for as long as ``pause`` says. What is incomplete is decided, or dropped.
    ///
    /// - Returns: The keys that it turns out to be.
    public mutating func endOfPause() -> [InputEvent] {
        type(typed.end())
        switch state {
        case .ground, .paste: break
        case .escape: press(Key(.escape))
        case .twoEscapes: for _ in 0..<2 { press(Key(.escape)) }
        case .control where bytes.isEmpty: pressAlt("[")
        case .keypad where bytes.isEmpty: pressAlt("O")
        case .string(let kind) where bytes.isEmpty: pressAlt(Character(Unicode.Scalar(kind)))
        case .character, .control, .console, .keypad, .oldMouse, .string, .stringEscape: break
        }
        if state != .paste { reset() }
        return takeInputs()
    }

    /// How long to wait for more bytes before ``endOfPause()`` is called; nil if nothing is incomplete.
    ///
    /// It is short where it delays a key, such as Escape, and longer where the rest of a sequence must come.
    public var pause: Duration? {
        switch state {
        case .ground, .paste: nil
        case .escape, .twoEscapes: .milliseconds(50)
        case .control, .keypad, .string: .milliseconds(bytes.isEmpty ? 50 : 500)
        case .character, .console, .oldMouse, .stringEscape: .milliseconds(500)
        }
    }

    /// Returns what the terminal has answered since the last call.
    mutating func takeReplies() -> [TerminalReply] {
        defer { replies = [] }
        return replies
    }

    /// What could have begun a sequence was a key with Alt, perhaps behind an Escape.
    private mutating func pressAlt(_ character: Character) {
        if hasAlt { press(Key(.escape)) }
        press(Key(.character(character), .alt))
    }

    private mutating func takeInputs() -> [InputEvent] {
        defer { inputs = [] }
        return inputs
    }

    /// Notes an answer, and forgets old ones that nobody has asked for.
    mutating func note(_ reply: TerminalReply) {
        if replies.count >= 32 { replies.removeFirst() }
        replies.append(reply)
    }

    /// Goes back to where no sequence has begun.
    mutating func reset() {
        state = .ground
        hasAlt = false
        if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
    }

    /// Adds a key, behind the characters that were kept.
    mutating func press(_ key: Key) {
        type(typed.end())
        inputs.append(.key(key))
    }

    /// Adds an input that is no key.
    mutating func add(_ input: InputEvent) {
        type(typed.end())
        inputs.append(input)
    }

    /// Adds a character that is complete.
    mutating func type(_ character: Character?) {
        if let character { inputs.append(.key(Key(.character(character)))) }
    }
}
