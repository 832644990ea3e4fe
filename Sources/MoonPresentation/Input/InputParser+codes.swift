// Which key a byte, a letter or a number stands for.
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
        case UInt8(ascii: "E"): Key(.begin)
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

    /// The key that types a character, or is known by the number of one.
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

    /// A key that has a number of its own in Kitty's protocol. Keys that only modify others are none.
    private static func kittyCode(_ number: Int) -> Key.Code? {
        switch number {
        case 57361: .printScreen
        case 57362: .pause
        case 57363: .menu
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
        case 57427: .begin
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
        // Without Control and Alt, the character that Shift makes is meant.
        if modifiers == .shift, case .character = code, let shifted = sequence.number(0, part: 1),
            case .character(let character)? = self.code(ofCharacter: shifted)
        {
            return [Key(.character(character))]
        }
        return [plain(code, modifiers)]
    }

    /// The same key in the one form that it has, whatever protocol the terminal speaks: a capital letter is a character of its
    /// own, but with Control it is a small one with Shift.
    static func plain(_ code: Key.Code, _ modifiers: Key.Modifiers) -> Key {
        guard case .character(let character) = code, character.isCased else { return plainSymbol(code, modifiers) }
        if modifiers.contains(.control) || modifiers.contains(.command) {
            guard let small = character.lowercased().first else { return Key(code, modifiers) }
            return Key(.character(small), character.isUppercase ? modifiers.union(.shift) : modifiers)
        }
        let capitals = character.uppercased()
        guard modifiers.contains(.shift), capitals.count == 1, let capital = capitals.first else { return Key(code, modifiers) }
        return Key(.character(capital), modifiers.subtracting(.shift))
    }

    /// A sign that Shift has already made, such as an exclamation mark, needs no Shift beside it.
    private static func plainSymbol(_ code: Key.Code, _ modifiers: Key.Modifiers) -> Key {
        if case .character(let character) = code, character != " ", modifiers == .shift { return Key(code) }
        return Key(code, modifiers)
    }
}
