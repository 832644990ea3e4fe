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
