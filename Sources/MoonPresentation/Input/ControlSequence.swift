// The meaning of control sequences.
extension InputParser {
    /// Ends a control sequence.
    mutating func endControl(_ final: UInt8) {
        guard bytes.count < Self.longestControl else { return reset() }
        let sequence = ControlSequence(bytes, final)
        // After the marker, everything is text.
        if sequence.mark == 0, final == UInt8(ascii: "~"), sequence.number(0) == 200, sequence.count == 1 {
            if hasAlt { press(Key(.escape)) }
            reset()
            type(typed.end())
            state = .paste
            return
        }
        if let reply = TerminalReply(sequence) {
            if hasAlt { press(Key(.escape)) }
            reset()
            return note(reply)
        }
        // A sequence of Kitty's protocol may have several characters, for example of an input method.
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
        // Releases of keys are ignored.
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

    /// `ESC [ number ; modifiers ~`; in rxvt, `$`, `^` and `@` encode the modifiers.
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

    /// The modifiers of a parameter: their bits plus one. Caps Lock and Num Lock are ignored.
    static func modifiers(_ number: Int?) -> Key.Modifiers {
        guard let number, number > 1 else { return [] }
        return Key.Modifiers(rawValue: UInt8((number - 1) & 0b11_1111))
    }
}

/// A control sequence: `ESC [`, parameters, and a final byte.
struct ControlSequence {
    /// The marker of a private sequence: `?`, `<`, `=` or `>`; 0 for none.
    let mark: UInt8
    /// The intermediate byte; 0 for none.
    let intermediate: UInt8
    /// The final byte.
    let final: UInt8
    /// The parameters, each with the parts that colons separate. An empty part is nil.
    private let parameters: [[Int?]]

    /// Reads the bytes between `ESC [` and the final byte.
    init(_ bytes: [UInt8], _ final: UInt8) {
        var rest = bytes[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            mark = first
            rest = rest.dropFirst()
        } else {
            mark = 0
        }
        if let last = rest.last, (0x20...0x2F).contains(last) {
            intermediate = last
            rest = rest.dropLast()
        } else {
            intermediate = 0
        }
        self.final = final
        parameters = rest.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { parameter in
            parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Self.number)
        }
    }

    /// The number of parameters: at least 1, which may be empty.
    var count: Int { parameters.count }

    /// A parameter; nil if it is missing or empty.
    func number(_ index: Int, part: Int = 0) -> Int? {
        guard parameters.indices.contains(index), parameters[index].indices.contains(part) else { return nil }
        return parameters[index][part]
    }

    /// The parts of a parameter that are not empty.
    func parts(_ index: Int) -> [Int] { parameters.indices.contains(index) ? parameters[index].compactMap(\.self) : [] }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            // Larger numbers have no meaning.
            number = min(number * 10 + Int(digit - 0x30), 9_999_999)
        }
        return number
    }
}

// The keys of bytes, letters and numbers.
extension InputParser {
    /// A key that is a single control byte.
    static func key(ofControl byte: UInt8) -> Key? {
        switch byte {
        case 0x00: Key(.character(" "), .control)
        case 0x08, 0x7F: Key(.backspace)
        case 0x09: Key(.tab)
        case 0x0D: Key(.enter)
        case 0x1B: Key(.escape)
        case 0x01...0x1A: Key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
        case 0x1C...0x1F: Key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
        default: nil
        }
    }

    /// A key of `ESC [ letter`.
    static func key(ofLetter letter: UInt8) -> Key? {
        switch letter {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "P"): .function(1)
        case UInt8(ascii: "Q"): .function(2)
        case UInt8(ascii: "R"): .function(3)
        case UInt8(ascii: "S"): .function(4)
        default: nil
        }
    }

    /// A key of `ESC O letter`: those of `ESC [ letter`, and those of the keypad.
    static func key(ofKeypad letter: UInt8) -> Key? {
        switch letter {
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "X"): "="
        case UInt8(ascii: " "): " "
        case UInt8(ascii: "a")...UInt8(ascii: "d"): key(ofLetter: letter - 0x20).map(Key.control)
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(letter - 0x40)))
        default: key(ofLetter: letter)
        }
    }

    /// A key of `ESC [ number ~`, by the numbers of VT220, xterm, rxvt and the Linux console.
    static func code(ofNumber number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// The key of a character's number, which may be a control character.
    static func code(ofCharacter number: Int) -> Key.Code? {
        switch number {
        case 9: .tab
        case 13: .enter
        case 27: .escape
        case 8, 127: .backspace
        case ..<32, 0x80..<0xA0: nil
        case 57344...63743: kittyCode(number)
        default: UInt32(exactly: number).flatMap(Unicode.Scalar.init).map { .character(Character($0)) }
        }
    }

    /// A key with a special number in Kitty's protocol. Modifier keys, and others that a table of keys cannot name, are ignored.
    private static func kittyCode(_ number: Int) -> Key.Code? {
        switch number {
        case 57376...57387: .function(number - 57363)
        case 57399...57408: .character(Character(Unicode.Scalar(UInt8(number - 57399 + 0x30))))
        case 57409: .character(".")
        case 57410: .character("/")
        case 57411: .character("*")
        case 57412: .character("-")
        case 57413: .character("+")
        case 57414: .enter
        case 57415: .character("=")
        case 57416: .character(",")
        case 57417: .left
        case 57418: .right
        case 57419: .up
        case 57420: .down
        case 57421: .pageUp
        case 57422: .pageDown
        case 57423: .home
        case 57424: .end
        case 57425: .insert
        case 57426: .delete
        default: nil
        }
    }

    /// `ESC [ number : shifted : base ; modifiers : what ; text u`. A repeated key counts as pressed, a released one does not.
    static func keys(ofKitty sequence: ControlSequence) -> [Key] {
        guard sequence.number(1, part: 1) != 3, let number = sequence.number(0) else { return [] }
        let modifiers = modifiers(sequence.number(1))
        let isText = modifiers.isSubset(of: .shift)
        if isText {
            var text = ""
            text.unicodeScalars.append(
                contentsOf: sequence.parts(2).compactMap {
                    (0..<32).contains($0) || $0 == 127 ? nil : UInt32(exactly: $0).flatMap(Unicode.Scalar.init)
                })
            if !text.isEmpty { return text.map { Key(.character($0)) } }
        }
        // The number 0 is text only.
        guard number != 0, let code = code(ofCharacter: number) else { return [] }
        guard case .character(let character) = code else { return [Key(code, modifiers)] }
        if modifiers.contains(.control), !character.isASCII, let base = latinLetter(sequence.number(0, part: 2)) {
            return [plain(.character(base), modifiers)]
        }
        if modifiers.contains(.shift), let shifted = sequence.number(0, part: 1).flatMap(self.code(ofCharacter:)) {
            return [plain(shifted, modifiers)]
        }
        // Without the shifted character, Shift remains, unless it is alone.
        return [modifiers == .shift || character.isCased ? plain(code, modifiers) : Key(code, modifiers)]
    }

    /// The letter from A to Z that a key has in the standard layout; nil if it has none.
    ///
    /// With Control, it takes the place of a letter of another alphabet, as in terminals without Kitty's protocol. Ctrl-C therefore
    /// works in a Cyrillic layout.
    private static func latinLetter(_ number: Int?) -> Character? {
        guard let number, case .character(let letter)? = code(ofCharacter: number), letter.isASCII, letter.isLetter else {
            return nil
        }
        return letter
    }

    /// The canonical form of a key, which does not depend on the terminal's protocol: a capital letter is a character, but with
    /// Control and its kind a small letter with Shift. Any other character has no Shift, except a space.
    static func plain(_ code: Key.Code, _ modifiers: Key.Modifiers) -> Key {
        guard case .character(let character) = code, character != " " else { return Key(code, modifiers) }
        guard character.isCased else { return Key(code, modifiers.subtracting(.shift)) }
        if !modifiers.isSubset(of: [.shift, .alt]) {
            guard let small = character.lowercased().first else { return Key(code, modifiers) }
            return Key(.character(small), character.isUppercase ? modifiers.union(.shift) : modifiers)
        }
        let capitals = character.uppercased()
        guard modifiers.contains(.shift), capitals.count == 1, let capital = capitals.first else { return Key(code, modifiers) }
        return Key(.character(capital), modifiers.subtracting(.shift))
    }
}

// The three encodings of the mouse.
extension InputParser {
    /// `ESC [ < button ; column ; row M`, or `m` for a release.
    static func mouse(_ sequence: ControlSequence, isReleased: Bool) -> Mouse? {
        guard sequence.count == 3, let button = sequence.number(0) else { return nil }
        return mouse(button, sequence.number(1), sequence.number(2), isReleased: isReleased)
    }

    /// `ESC [ button ; column ; row M`, with 32 added to the button.
    static func urxvtMouse(_ sequence: ControlSequence) -> Mouse? {
        guard sequence.count == 3, let button = sequence.number(0), button >= 32 else { return nil }
        return mouse(button - 32, sequence.number(1), sequence.number(2), isReleased: (button - 32) & 0b1100_0011 == 3)
    }

    /// Three bytes, with 32 added to each.
    static func oldMouse(_ bytes: [UInt8]) -> Mouse? {
        guard bytes.allSatisfy({ $0 >= 32 }) else { return nil }
        let button = Int(bytes[0]) - 32
        return mouse(button, Int(bytes[1]) - 32, Int(bytes[2]) - 32, isReleased: button & 0b1100_0011 == 3)
    }

    private static func mouse(_ bits: Int, _ column: Int?, _ row: Int?, isReleased: Bool) -> Mouse? {
        // While a button is held, places outside of the window are reported.
        guard let column, let row else { return nil }
        let point = Point(column: max(0, column - 1), row: max(0, row - 1))
        var modifiers: Key.Modifiers = []
        if bits & 4 != 0 { modifiers.insert(.shift) }
        if bits & 8 != 0 { modifiers.insert(.alt) }
        if bits & 16 != 0 { modifiers.insert(.control) }
        let low = bits & 3
        let action: Mouse.Action
        if bits & 64 != 0 {
            action =
                [
                    .wheel(columns: 0, rows: -1), .wheel(columns: 0, rows: 1), .wheel(columns: -1, rows: 0),
                    .wheel(columns: 1, rows: 0),
                ][low]
        } else {
            // Buttons beyond the third are numbered from 8.
            let button = bits & 128 != 0 ? 8 + low : low == 3 ? 0 : low + 1
            if bits & 32 != 0 {
                action = .move(button)
            } else {
                action = isReleased ? .release(button) : .press(button)
            }
        }
        return Mouse(action, at: point, modifiers)
    }
}

/// A reply of the terminal to a query.
enum TerminalReply: Hashable, Sendable {
    /// The reply to `ESC [ c`.
    case attributes
    /// The number of a mode and its state: 0 unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
    case mode(Int, Int)
    /// The reply to the query for Kitty's keyboard protocol.
    case keyboard
    /// Anything else.
    case other

    /// Reads a control sequence; nil if it is not a reply.
    init?(_ sequence: ControlSequence) {
        let numbers = (0..<sequence.count).compactMap { sequence.number($0) }
        switch (sequence.mark, sequence.intermediate, sequence.final) {
        case (UInt8(ascii: "?"), 0, UInt8(ascii: "c")): self = .attributes
        case (UInt8(ascii: "?"), 0, UInt8(ascii: "u")): self = .keyboard
        case (UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "y")) where numbers.count == 2:
            self = .mode(numbers[0], numbers[1])
        // F3 with modifiers looks like a cursor in the first row.
        case (0, 0, UInt8(ascii: "R")) where numbers.count == 2 && (numbers[0] != 1 || !(2...16).contains(numbers[1])):
            self = .other
        // Without numbers, this is rxvt's right arrow with Shift.
        case (0, 0, UInt8(ascii: "c")) where !numbers.isEmpty: self = .other
        case (0, 0, UInt8(ascii: "n")), (0, 0, UInt8(ascii: "t")): self = .other
        case (0, UInt8(ascii: "$"), UInt8(ascii: "y")): self = .other
        case (UInt8(ascii: "<"), _, UInt8(ascii: "M")), (UInt8(ascii: "<"), _, UInt8(ascii: "m")): return nil
        case (1..., _, _): self = .other
        default: return nil
        }
    }
}
