extension [UInt8] {
    /// Adds ASCII text.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Adds a number in decimal digits.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(0x30 + number % 10))
    }

    /// Adds a control sequence with a number in front of its last character; 1 is left out, as terminals take it for granted.
    mutating func append(control final: Unicode.Scalar, _ number: Int = 1) {
        append("\u{1B}[")
        if number != 1 { append(decimal: number) }
        append(UInt8(ascii: final))
    }

    /// Adds a code point in UTF-8.
    @inline(__always)
    mutating func append(scalar: UInt32) {
        switch scalar {
        case 0..<0x80: append(UInt8(scalar))
        case 0x80..<0x800:
            append(UInt8(0xC0 | scalar >> 6))
            append(UInt8(0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            append(UInt8(0xE0 | scalar >> 12))
            append(UInt8(0x80 | scalar >> 6 & 0x3F))
            append(UInt8(0x80 | scalar & 0x3F))
        default:
            append(UInt8(0xF0 | scalar >> 18))
            append(UInt8(0x80 | scalar >> 12 & 0x3F))
            append(UInt8(0x80 | scalar >> 6 & 0x3F))
            append(UInt8(0x80 | scalar & 0x3F))
        }
    }
}

/// How many decimal digits a number has.
func digits(_ number: Int) -> Int { number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4 }
