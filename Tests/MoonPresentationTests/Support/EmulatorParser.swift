extension Emulator {
    /// Cuts bytes into code points, control characters and sequences.
    struct Parser {
        enum Token: Equatable {
            case scalar(Unicode.Scalar)
            case control(UInt8)
            case escape(Unicode.Scalar)
            /// A control sequence: its private prefix, its numbers and its last character.
            case sequence(String, [Int], Unicode.Scalar)
            /// An operating system command.
            case command(String)
        }

        private enum State { case ground, escape, sequence, command, commandEscape }

        private var state = State.ground
        private var text: [UInt8] = []

        mutating func take(_ byte: UInt8) -> [Token] {
            switch state {
            case .ground: return ground(byte)
            case .escape:
                switch byte {
                case UInt8(ascii: "["): (state, text) = (.sequence, [])
                case UInt8(ascii: "]"): (state, text) = (.command, [])
                default:
                    state = .ground
                    return [.escape(Unicode.Scalar(byte))]
                }
                return []
            case .sequence:
                guard byte >= 0x40 else {
                    text.append(byte)
                    return []
                }
                state = .ground
                let body = String(decoding: text, as: UTF8.self)
                let prefix = body.prefix { !$0.isNumber && $0 != ";" }
                let numbers = body.dropFirst(prefix.count).split(separator: ";", omittingEmptySubsequences: false).map {
                    Int($0) ?? 0
                }
                return [.sequence(String(prefix), body.dropFirst(prefix.count).isEmpty ? [] : numbers, Unicode.Scalar(byte))]
            case .command:
                if byte == 0x1B { state = .commandEscape } else { text.append(byte) }
                return []
            case .commandEscape:
                state = .ground
                return [.command(String(decoding: text, as: UTF8.self))]
            }
        }

        private mutating func ground(_ byte: UInt8) -> [Token] {
            if byte == 0x1B {
                state = .escape
                return []
            }
            if byte < 0x20 || byte == 0x7F { return [.control(byte)] }
            if byte < 0x80 { return [.scalar(Unicode.Scalar(byte))] }
            text = byte >= 0xC0 ? [byte] : text + [byte]
            let count = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2
            guard text.count == count else { return [] }
            defer { text = [] }
            return String(decoding: text, as: UTF8.self).unicodeScalars.map { scalar in
                (0x80..<0xA0).contains(scalar.value) ? .control(UInt8(scalar.value)) : .scalar(scalar)
            }
        }
    }
}
