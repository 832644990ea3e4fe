/// Turns the bytes that a terminal sends into inputs: keys, pasted text, the mouse, and the focus.
///
/// ```swift
/// var parser = InputParser()
/// parser.take(Array("\u{1B}[1;5C".utf8))     // [.key(.control(.right))]
/// ```
/// An input may be one byte or several, and may arrive in pieces: however the bytes are cut, the inputs are the same. What is
/// not complete is kept. Two things only time can tell, and the caller says so:
///
/// - ``endOfBytes()``: nothing more is there now. A character that was kept, in case that an accent follows, is typed.
/// - ``endOfPause()``: nothing has come for as long as ``pause`` says. An Escape was the key Escape, and the rest of a sequence will not come.
///
/// Sequences without a meaning, answers of the terminal, and bytes that are no text give no input. Memory is bounded: a long
/// paste arrives as several inputs, one after another.
package struct InputParser: Sendable {
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
    /// Indicates whether the sequence is read behind two Escapes, so that Alt was held.
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
    package init(longestPaste: Int = 1 << 16) {
        precondition(longestPaste >= 8, "longestPaste must be at least 8, so that a character fits into it")
        pasted = PastedText(longest: longestPaste)
    }

    /// Takes bytes.
    ///
    /// - Parameter bytes: What has arrived.
    /// - Returns: The inputs that are complete.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        for byte in bytes { take(byte) }
        return takeInputs()
    }

    /// Says that no more bytes are there now.
    ///
    /// - Returns: The character that was kept, if there is one.
    package mutating func endOfBytes() -> [InputEvent] {
        type(typed.end())
        return takeInputs()
    }

    /// Says that no bytes have come for as long as ``pause`` says. What is incomplete is decided, or dropped.
    ///
    /// - Returns: The keys that it turns out to be.
    package mutating func endOfPause() -> [InputEvent] {
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
    package var pause: Duration? {
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

// What each byte does, depending on what came before it.
extension InputParser {
    mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: start(byte)
        case .character(let count): goOn(with: byte, in: count)
        case .escape: takeBehindEscape(byte)
        case .twoEscapes: takeBehindTwoEscapes(byte)
        case .control: takeControl(byte)
        case .console: takeConsole(byte)
        case .keypad: takeKeypad(byte)
        case .oldMouse:
            bytes.append(byte)
            if bytes.count == 3 { finish(Self.oldMouse(bytes).map(InputEvent.mouse)) }
        case .string(let kind): takeString(byte, kind)
        case .stringEscape(let kind):
            if byte == UInt8(ascii: "\\") { return endString(kind) }
            // The string was cut off by another sequence.
            reset()
            state = .escape
            take(byte)
        case .paste:
            switch pasted.take(byte) {
            case .goOn: break
            case .piece(let text): add(.paste(text))
            case .end(let text):
                reset()
                add(.paste(text))
            }
        }
    }

    private mutating func start(_ byte: UInt8) {
        switch byte {
        case 0x20...0x7E: type(typed.take(Unicode.Scalar(byte)))
        case 0x1B: state = .escape
        case 0xC2...0xDF: startCharacter(byte, 2)
        case 0xE0...0xEF: startCharacter(byte, 3)
        case 0xF0...0xF4: startCharacter(byte, 4)
        default: if let key = Self.key(ofControl: byte) { press(key) }
        }
    }

    private mutating func startCharacter(_ byte: UInt8, _ count: Int) {
        bytes.append(byte)
        state = .character(count)
    }

    private mutating func goOn(with byte: UInt8, in count: Int) {
        guard byte & 0xC0 == 0x80 else {
            // What has begun is no character.
            reset()
            return take(byte)
        }
        bytes.append(byte)
        guard bytes.count == count else { return }
        let (scalar, hasAlt) = (String(validating: bytes, as: UTF8.self)?.unicodeScalars.first, hasAlt)
        reset()
        guard let scalar else { return }
        if hasAlt { press(Key(.character(Character(scalar)), .alt)) } else { type(typed.take(scalar)) }
    }

    private mutating func takeBehindEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): state = .control
        case UInt8(ascii: "O"): state = .keypad
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(byte)
        case 0x1B: state = .twoEscapes
        case 0x20...0x7E:
            reset()
            press(Key(.character(Character(Unicode.Scalar(byte))), .alt))
        case 0xC2...0xF4:
            hasAlt = true
            start(byte)
        default:
            reset()
            if let key = Self.key(ofControl: byte) { press(Key(key.code, key.modifiers.union(.alt))) }
        }
    }

    private mutating func takeBehindTwoEscapes(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            // Alt with a key that is a sequence, as rxvt sends it.
            hasAlt = true
            state = byte == UInt8(ascii: "O") ? .keypad : .control
        case 0x1B: press(Key(.escape))
        default:
            press(Key(.escape))
            state = .escape
            take(byte)
        }
    }

    private mutating func takeControl(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "[") where bytes.isEmpty: state = .console
        case UInt8(ascii: "M") where bytes.isEmpty: state = .oldMouse
        case 0x20...0x3F:
            if bytes.count < Self.longestControl { bytes.append(byte) }
            // In rxvt, a dollar sign ends a key with Shift; elsewhere, more follows it.
            if byte == UInt8(ascii: "$"), bytes.dropLast().allSatisfy({ (0x30...0x39).contains($0) }), bytes.count > 1 {
                bytes.removeLast()
                endControl(byte)
            }
        case 0x40...0x7E:
            // Most keys have no parameters.
            if bytes.isEmpty, let key = Self.key(ofLetter: byte) { finish(.key(key)) } else { endControl(byte) }
        default: cutOff(by: byte)
        }
    }

    private mutating func takeConsole(_ byte: UInt8) {
        guard (0x40...0x7E).contains(byte) else { return cutOff(by: byte) }
        finish((UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) ? .key(.function(Int(byte) - 0x40)) : nil)
    }

    private mutating func takeKeypad(_ byte: UInt8) {
        switch byte {
        case 0x30...0x3B: if bytes.count < Self.longestControl { bytes.append(byte) }
        case 0x20...0x7E:
            guard let key = Self.key(ofKeypad: byte) else { return reset() }
            if bytes.isEmpty { return finish(.key(key)) }
            let sequence = ControlSequence(bytes, byte)
            finish(.key(Key(key.code, key.modifiers.union(Self.modifiers(sequence.number(sequence.count - 1))))))
        default: cutOff(by: byte)
        }
    }

    private mutating func takeString(_ byte: UInt8, _ kind: UInt8) {
        switch byte {
        case 0x07: endString(kind)
        case 0x1B: state = .stringEscape(kind)
        case 0x18, 0x1A: reset()
        default: if bytes.count < Self.longestString { bytes.append(byte) }
        }
    }

    private mutating func endString(_ kind: UInt8) {
        if let reply = TerminalReply(string: bytes, kind: kind) { note(reply) }
        reset()
    }

    /// A byte that belongs to no sequence ends the one that was being read. Two of them only do that.
    private mutating func cutOff(by byte: UInt8) {
        reset()
        if byte != 0x18, byte != 0x1A { take(byte) }
    }

    /// Ends the sequence, and adds what it means.
    mutating func finish(_ input: InputEvent?) {
        let hasAlt = hasAlt
        reset()
        switch input {
        case .key(let key) where hasAlt: press(Key(key.code, key.modifiers.union(.alt)))
        case .key(let key): press(key)
        case .some(let input): add(input)
        case nil: break
        }
    }
}
