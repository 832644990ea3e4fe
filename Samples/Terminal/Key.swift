/// A key that was pressed.
public enum Key: Hashable, Sendable {
    /// A character, as typed.
    case character(Character)
    /// A letter with the control key; always the small letter.
    case control(Character)
    /// An arrow.
    case up, down, left, right
    /// Enter or Return.
    case enter
    /// The tabulator.
    case tab
    /// Backspace.
    case backspace
    /// Escape.
    case escape
    /// A key that has no name here.
    case other
}

/// Turns the bytes that a terminal sends into keys.
///
/// A key may be one byte or several: a character in UTF-8, or a sequence that starts with Escape. Whether an Escape stands
/// alone only time tells: after a pause, ask for ``endOfPause()``.
struct KeyParser {
    private enum Waiting {
        case nothing
        /// For the rest of a character: its bytes so far, and how many it has.
        case character([UInt8], Int)
        /// For what follows an Escape.
        case escape
        /// For the last byte of a control sequence (`ESC [`).
        case sequence
        /// For the one byte that ends a function key (`ESC O`).
        case function
    }

    private var waiting = Waiting.nothing

    /// Whether the bytes so far may be the beginning of a longer key.
    var isWaiting: Bool { if case .nothing = waiting { false } else { true } }

    /// Takes a byte.
    ///
    /// - Returns: The keys that it completes: mostly one, none in the midst of a key, two if it ends an unfinished one.
    mutating func take(_ byte: UInt8) -> [Key] {
        switch waiting {
        case .nothing:
            return start(byte)
        case .character(let bytes, let count):
            guard byte & 0xC0 == 0x80 else {
                waiting = .nothing
                return [.other] + start(byte)
            }
            let all = bytes + [byte]
            waiting = all.count < count ? .character(all, count) : .nothing
            return all.count < count ? [] : [Self.character(all)]
        case .escape:
            switch byte {
            case UInt8(ascii: "["): waiting = .sequence
            case UInt8(ascii: "O"): waiting = .function
            case 0x1B: return [.escape]
            default:
                // Alt with a key, which may go on.
                waiting = .nothing
                if !start(byte).isEmpty { return [.other] }
                if case .character(let bytes, let count) = waiting { waiting = .character([0x1B] + bytes, count + 1) }
            }
            return []
        case .sequence:
            if (0x20...0x3F).contains(byte) { return [] }
            waiting = .nothing
            return [Self.arrow(byte)]
        case .function:
            waiting = .nothing
            return [Self.arrow(byte)]
        }
    }

    /// Nothing came for a while: what is unfinished stands alone.
    mutating func endOfPause() -> [Key] {
        defer { waiting = .nothing }
        switch waiting {
        case .nothing: return []
        case .escape: return [.escape]
        case .character, .sequence, .function: return [.other]
        }
    }

    private mutating func start(_ byte: UInt8) -> [Key] {
        switch byte {
        case 0x0D, 0x0A: return [.enter]
        case 0x09: return [.tab]
        case 0x7F, 0x08: return [.backspace]
        case 0x1B: waiting = .escape
        case 0x01...0x1A: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
        case 0x20...0x7E: return [.character(Character(Unicode.Scalar(byte)))]
        case 0xC2...0xDF: waiting = .character([byte], 2)
        case 0xE0...0xEF: waiting = .character([byte], 3)
        case 0xF0...0xF4: waiting = .character([byte], 4)
        default: return [.other]
        }
        return []
    }

    private static func character(_ bytes: [UInt8]) -> Key {
        if bytes.first == 0x1B { return .other }
        return String(validating: bytes, as: UTF8.self)?.first.map(Key.character) ?? .other
    }

    private static func arrow(_ byte: UInt8) -> Key {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: .other
        }
    }
}
