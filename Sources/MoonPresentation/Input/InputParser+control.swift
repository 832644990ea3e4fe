// What control sequences mean.
extension InputParser {
    /// Ends a control sequence.
    mutating func endControl(_ final: UInt8) {
        let sequence = ControlSequence(bytes, final)
        // Behind the marker everything is text, whatever it looks like.
        if sequence.mark == 0, final == UInt8(ascii: "~"), sequence.number(0) == 200, sequence.count == 1 {
            reset()
            type(typed.end())
            state = .paste
            return
        }
        if let reply = TerminalReply(sequence) {
            reset()
            return note(reply)
        }
        // A sequence of Kitty's may be several characters, by an input method for example.
        if final == UInt8(ascii: "u"), sequence.mark == 0, sequence.intermediate == 0 {
            let keys = Self.keys(ofKitty: sequence)
            reset()
            for key in keys { press(key) }
            return
        }
        finish(Self.input(of: sequence))
    }

    private static func input(of sequence: ControlSequence) -> InputEvent? {
        switch (sequence.mark, sequence.final) {
        case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
            return mouse(sequence, isReleased: sequence.final == UInt8(ascii: "m")).map(InputEvent.mouse)
        case (0, UInt8(ascii: "M")): return urxvtMouse(sequence).map(InputEvent.mouse)
        case (0, _): break
        default: return nil
        }
        switch sequence.final {
        case UInt8(ascii: "I") where sequence.count == 1: return .focus(true)
        case UInt8(ascii: "O") where sequence.count == 1: return .focus(false)
        // The key was released; only the press counts.
        case _ where sequence.number(1, part: 1) == 3: return nil
        case UInt8(ascii: "~") where sequence.number(0) == 27 && sequence.count == 3:
            return otherKey(sequence).map(InputEvent.key)
        case UInt8(ascii: "~"), UInt8(ascii: "$"), UInt8(ascii: "^"), UInt8(ascii: "@"):
            return numberedKey(sequence).map(InputEvent.key)
        default: return letteredKey(sequence).map(InputEvent.key)
        }
    }

    /// `ESC [ 1 ; modifiers letter`.
    private static func letteredKey(_ sequence: ControlSequence) -> Key? {
        guard sequence.intermediate == 0 else { return nil }
        if sequence.final == UInt8(ascii: "Z") { return Key(.tab, modifiers(sequence.number(1)).union(.shift)) }
        // rxvt's arrows with Shift.
        if (0x61...0x64).contains(sequence.final), let key = key(ofKeypad: sequence.final - 0x20) {
            return Key(key.code, [.shift])
        }
        guard let key = key(ofLetter: sequence.final) else { return nil }
        // The second parameter; in very old terminals it is the only one.
        return Key(key.code, modifiers(sequence.number(min(1, sequence.count - 1))))
    }

    /// `ESC [ number ; modifiers ~`; in rxvt, `$`, `^` and `@` stand for the modifiers.
    private static func numberedKey(_ sequence: ControlSequence) -> Key? {
        guard sequence.intermediate == 0, let code = sequence.number(0).flatMap(code(ofNumber:)) else { return nil }
        return switch sequence.final {
        case UInt8(ascii: "$"): Key(code, .shift)
        case UInt8(ascii: "^"): Key(code, .control)
        case UInt8(ascii: "@"): Key(code, [.control, .shift])
        default: Key(code, modifiers(sequence.number(1)))
        }
    }

    /// `ESC [ 27 ; modifiers ; character ~`, xterm's modifyOtherKeys.
    private static func otherKey(_ sequence: ControlSequence) -> Key? {
        guard let code = sequence.number(2).flatMap(code(ofCharacter:)) else { return nil }
        return plain(code, modifiers(sequence.number(1)))
    }

    /// Modifiers as terminals number them: one more than their bits. Caps Lock and Num Lock are none.
    static func modifiers(_ number: Int?) -> Key.Modifiers {
        guard let number, number > 1 else { return [] }
        return Key.Modifiers(rawValue: UInt8((number - 1) & 0b1111))
    }
}
