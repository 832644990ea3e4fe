/// Terminal modes that are set while a program is shown.
struct TerminalModes: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// Pasted text between marks.
    static let paste = TerminalModes(rawValue: 1)
    /// Buttons and the wheel of the mouse.
    static let mouse = TerminalModes(rawValue: 2)
    /// Moves of the mouse without a button, too.
    static let mouseMoves = TerminalModes(rawValue: 4)
    /// Reports of the window's focus.
    static let focus = TerminalModes(rawValue: 8)
    /// Kitty's keyboard protocol.
    static let kittyKeyboard = TerminalModes(rawValue: 16)
    /// xterm's modifyOtherKeys.
    static let otherKeys = TerminalModes(rawValue: 32)
    /// A title of the window, with the previous one saved.
    static let title = TerminalModes(rawValue: 64)

    /// The modes with the bytes that begin and end them, in the order in which they are begun.
    private static let sequences: [(mode: TerminalModes, on: String, off: String)] = [
        (.paste, "[?2004h", "[?2004l"),
        (.mouse, "[?1002;1006h", "[?1002;1006l"),
        (.mouseMoves, "[?1003h", "[?1003l"),
        (.focus, "[?1004h", "[?1004l"),
        // Unambiguous keys, and the shifted key and that of the standard layout.
        (.kittyKeyboard, "[>5u", "[<u"),
        (.otherKeys, "[>4;1m", "[>4m"),
        (.title, "[22;2t", "[23;2t"),
    ]

    /// The bytes that set the modes.
    var beginning: [UInt8] {
        Self.sequences.flatMap { contains($0.mode) ? [0x1B] + Array($0.on.utf8) : [] }
    }

    /// The bytes that reset the modes, in reverse order. They also end an incomplete string sequence.
    var end: [UInt8] {
        guard !isEmpty else { return [] }
        return [0x1B, UInt8(ascii: "\\")]
            + Self.sequences.reversed().flatMap { contains($0.mode) ? [0x1B] + Array($0.off.utf8) : [] }
    }
}
