/// What a terminal answers when it is asked about itself. It is never a key.
enum TerminalReply: Hashable, Sendable {
    /// The features that it reports, after `ESC [ c`.
    case attributes([Int])
    /// Indicates whether a mode is set: 0 unknown, 1 set, 2 not set, 3 and 4 for ever so.
    case mode(Int, Int)
    /// The parts of Kitty's keyboard protocol that are on.
    case keyboard(Int)
    /// The cell of the cursor.
    case cursor(Point)
    /// A color, by its command (4 of the palette, 10 of the text, 11 of the background), as its text.
    case color(Int, String)
    /// The name and version of the terminal.
    case version(String)
    /// Anything else.
    case other

    /// Reads a control sequence; nil if it is no answer.
    init?(_ sequence: ControlSequence) {
        let numbers = (0..<sequence.count).compactMap { sequence.number($0) }
        switch (sequence.mark, sequence.intermediate, sequence.final) {
        case (UInt8(ascii: "?"), 0, UInt8(ascii: "c")): self = .attributes(numbers)
        case (UInt8(ascii: "?"), 0, UInt8(ascii: "u")): self = .keyboard(numbers.first ?? 0)
        case (UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "y")) where numbers.count == 2:
            self = .mode(numbers[0], numbers[1])
        case (UInt8(ascii: "?"), 0, UInt8(ascii: "R")) where numbers.count >= 2: self = Self.cursor(numbers)
        // F3 with modifiers looks like a cursor in the first row. The cursor is asked for in a form that does not.
        case (0, 0, UInt8(ascii: "R")) where numbers.count == 2 && (numbers[0] != 1 || !(2...16).contains(numbers[1])):
            self = Self.cursor(numbers)
        // Without numbers, rxvt's arrow to the right with Shift.
        case (0, 0, UInt8(ascii: "c")) where !numbers.isEmpty: self = .other
        case (0, 0, UInt8(ascii: "n")), (0, 0, UInt8(ascii: "t")): self = .other
        case (0, UInt8(ascii: "$"), UInt8(ascii: "y")): self = .other
        case (UInt8(ascii: "<"), _, UInt8(ascii: "M")), (UInt8(ascii: "<"), _, UInt8(ascii: "m")): return nil
        case (1..., _, _): self = .other
        default: return nil
        }
    }

    /// Reads a string: `ESC ]` and the like, without what begins and ends it.
    init?(string bytes: [UInt8], kind: UInt8) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch kind {
        case UInt8(ascii: "]"):
            let parts = text.split(separator: ";", maxSplits: 1).map(String.init)
            guard parts.count == 2, let command = Int(parts[0]), [4, 10, 11, 12].contains(command) else {
                self = .other
                return
            }
            self = .color(command, parts[1])
        case UInt8(ascii: "P") where text.hasPrefix(">|"): self = .version(String(text.dropFirst(2)))
        default: self = .other
        }
    }

    private static func cursor(_ numbers: [Int]) -> TerminalReply {
        .cursor(Point(column: max(0, numbers[1] - 1), row: max(0, numbers[0] - 1)))
    }
}
