/// Turns the bytes that a terminal sends into inputs: keys, pasted text, the mouse, and the focus.
///
/// ```swift
/// var parser = InputParser()
/// parser.take(Array("\u{1B}[1;5C".utf8))     // [.key(.control(.right))]
/// ```
/// The inputs do not depend on how the bytes are split into pieces: incomplete ones are kept. The caller reports the passage of
/// time:
///
/// - ``endOfBytes()``: no more bytes are available. A character that was kept in case an accent follows is typed.
/// - ``endOfPause()``: no bytes have arrived for the duration of ``pause``. An Escape was the Escape key, and an incomplete
///   sequence is dropped.
///
/// Unknown sequences, replies of the terminal and invalid bytes give no input. Memory is bounded: a long paste becomes several
/// inputs.
package struct InputParser: Sendable {
    /// The position within a sequence.
    enum State: Equatable, Sendable {
        case ground
        /// In a character of this number of bytes.
        case character(Int)
        /// After an Escape.
        case escape
        /// After two Escapes.
        case twoEscapes
        /// In a control sequence, after `ESC [`.
        case control
        /// In a function key of the Linux console, after `ESC [ [`.
        case console
        /// In a key of a keypad, after `ESC O`.
        case keypad
        /// In the three bytes of an X10 mouse report.
        case oldMouse
        /// In a string sequence, whose second byte is its kind. Replies of the terminal have this form.
        case string(UInt8)
        /// After an Escape in a string, which may end it.
        case stringEscape
        /// In pasted text.
        case paste
    }

    /// The length of a control sequence, in bytes, from which it is skipped.
    static let longestControl = 97

    /// The position of the parser.
    var state = State.ground
    /// The bytes of the current sequence or character.
    var bytes: [UInt8] = []
    /// Indicates whether the sequence follows a second Escape, which stands for Alt.
    var hasAlt = false
    /// The last character, which the next scalar may continue.
    var typed = TypedText()
    /// Pasted text.
    var pasted: PastedText
    /// The inputs that are complete.
    var inputs: [InputEvent] = []
    /// The newest replies of the terminal.
    private(set) var replies: [TerminalReply] = []

    /// Creates a parser.
    ///
    /// - Parameter longestPaste: The largest number of bytes of a pasted text, at least 8. A longer paste becomes several inputs.
    package init(longestPaste: Int = 1 << 16) {
        precondition(longestPaste >= 8, "longestPaste must be at least 8, so that a character fits into it")
        pasted = PastedText(longest: longestPaste)
    }

    /// Takes bytes.
    ///
    /// - Parameter bytes: The bytes that have arrived.
    /// - Returns: The complete inputs.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        for byte in bytes { take(byte) }
        return takeInputs()
    }

    /// Reports that no more bytes are available.
    ///
    /// - Returns: The character that was kept, if any.
    package mutating func endOfBytes() -> [InputEvent] {
        type(typed.end())
        return takeInputs()
    }

    /// Reports that no bytes have arrived for the duration of ``pause``.
    ///
    /// - Returns: The keys that the incomplete bytes stand for. The rest is dropped.
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

    /// The time to wait for more bytes before ``endOfPause()`` is called; nil if nothing is incomplete.
    ///
    /// It is short if it delays a key, such as Escape, and longer within a sequence.
    package var pause: Duration? {
        switch state {
        case .ground, .paste: nil
        case .escape, .twoEscapes: .milliseconds(50)
        case .control, .keypad, .string: .milliseconds(bytes.isEmpty ? 50 : 500)
        case .character, .console, .oldMouse, .stringEscape: .milliseconds(500)
        }
    }

    /// Returns the replies of the terminal since the last call.
    mutating func takeReplies() -> [TerminalReply] {
        defer { replies = [] }
        return replies
    }

    /// Adds a key with Alt in place of an incomplete sequence, perhaps after an Escape.
    private mutating func pressAlt(_ character: Character) {
        if hasAlt { press(Key(.escape)) }
        press(Key(.character(character), .alt))
    }

    private mutating func takeInputs() -> [InputEvent] {
        defer { inputs = [] }
        return inputs
    }

    /// Keeps a reply, and drops old ones.
    mutating func note(_ reply: TerminalReply) {
        if replies.count >= 32 { replies.removeFirst() }
        replies.append(reply)
    }

    /// Returns to the ground state.
    mutating func reset() {
        state = .ground
        hasAlt = false
        if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
    }

    /// Adds a key, after the character that was kept.
    mutating func press(_ key: Key) {
        type(typed.end())
        inputs.append(.key(key))
    }

    /// Adds an input other than a key.
    mutating func add(_ input: InputEvent) {
        type(typed.end())
        inputs.append(input)
    }

    /// Adds a complete character.
    mutating func type(_ character: Character?) {
        if let character { inputs.append(.key(Key(.character(character)))) }
    }
}

// The transitions of the state machine.
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
        case .string: takeString(byte)
        case .stringEscape:
            if byte == UInt8(ascii: "\\") { return reset() }
            // Another sequence begins before the string has ended.
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
            // The bytes so far are not a character.
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
            // rxvt sends Alt with such a key as a second Escape.
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
            // In rxvt, a dollar sign ends a key with Shift. In other sequences, another byte follows.
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

    private mutating func takeString(_ byte: UInt8) {
        switch byte {
        case 0x07, 0x18, 0x1A: reset()
        case 0x1B: state = .stringEscape
        // The contents are not used, only that there are some.
        default: if bytes.isEmpty { bytes.append(byte) }
        }
    }

    /// Ends the sequence at a byte that cannot belong to it. CAN and SUB have no other effect.
    private mutating func cutOff(by byte: UInt8) {
        reset()
        if byte != 0x18, byte != 0x1A { take(byte) }
    }

    /// Ends the sequence, and adds its input.
    mutating func finish(_ input: InputEvent?) {
        let hasAlt = hasAlt
        reset()
        switch input {
        case .key(let key) where hasAlt: press(Key(key.code, key.modifiers.union(.alt)))
        case .key(let key): press(key)
        case .some(let input):
            // Only keys can have Alt.
            if hasAlt { press(Key(.escape)) }
            add(input)
        case nil: break
        }
    }
}

/// Combines scalars into characters, such as a letter with its accents or a family of emoji.
///
/// The last character is kept, because the next scalar may belong to it.
struct TypedText: Sendable {
    /// The longest character, in scalars.
    private static let longest = 32
    private var kept = ""
    private var count = 0

    /// Takes a scalar.
    ///
    /// - Returns: The character that was kept, if the scalar begins a new one.
    mutating func take(_ scalar: Unicode.Scalar) -> Character? {
        guard count > 0 else {
            keep(scalar)
            return nil
        }
        // The most frequent case is a letter after a letter.
        let isSeparate = scalar.isASCII || count >= Self.longest || !belongs(scalar)
        guard isSeparate else {
            kept.unicodeScalars.append(scalar)
            count += 1
            return nil
        }
        let character = end()
        keep(scalar)
        return character
    }

    /// Returns the character that was kept.
    mutating func end() -> Character? {
        guard count > 0 else { return nil }
        count = 0
        defer { kept.removeAll(keepingCapacity: true) }
        return kept.first
    }

    private mutating func keep(_ scalar: Unicode.Scalar) {
        kept.unicodeScalars.append(scalar)
        count = 1
    }

    private func belongs(_ scalar: Unicode.Scalar) -> Bool {
        var longer = kept
        longer.unicodeScalars.append(scalar)
        return longer.count == 1
    }
}

/// Collects pasted text until its end marker, `ESC [ 201 ~`, in pieces of a limited size.
struct PastedText: Sendable {
    private static let marker = Array("\u{1B}[201~".utf8)

    /// The result of a byte.
    enum Step: Equatable {
        case goOn
        /// A piece is full, and more follows.
        case piece(String)
        /// The paste has ended.
        case end(String)
    }

    private let longest: Int
    private var bytes: [UInt8] = []
    /// The number of bytes of the marker that have matched.
    private var matched = 0
    /// Indicates whether the last byte was a carriage return. A line feed after it is dropped.
    private var isAfterReturn = false

    init(longest: Int) { self.longest = longest }

    /// Takes a byte.
    mutating func take(_ byte: UInt8) -> Step {
        if byte == Self.marker[matched] {
            matched += 1
            guard matched == Self.marker.count else { return .goOn }
            defer { self = PastedText(longest: longest) }
            return .end(String(decoding: bytes, as: UTF8.self))
        }
        // The bytes that looked like the marker are text.
        let before = Self.marker.prefix(matched)
        matched = 0
        for byte in before { append(byte) }
        if byte == Self.marker[0] { matched = 1 } else { append(byte) }
        return bytes.count >= longest ? .piece(takePiece()) : .goOn
    }

    /// Adds a byte. All line ends become line feeds.
    private mutating func append(_ byte: UInt8) {
        defer { isAfterReturn = byte == 0x0D }
        if byte == 0x0A, isAfterReturn { return }
        bytes.append(byte == 0x0D ? 0x0A : byte)
    }

    /// Takes the bytes, except an incomplete character at the end.
    private mutating func takePiece() -> String {
        var end = bytes.count
        if let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 {
            let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
            if start + length > end { end = start }
        }
        defer { bytes.removeFirst(end) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
