/// How many cells a code point takes, and whether its neighbors matter; a digit of ``WidthTable``.
struct ScalarWidth {
    /// Bits 0 and 1: the width, where 3 is "1, and 2 in front of U+FE0F". Bit 2: ``isDoubtful``. Bit 3: ``isSimple``.
    let bits: UInt8

    /// The width of a code point, by two lookups.
    @inline(__always)
    init(_ scalar: UInt32) {
        if scalar < 0x20000 {
            let block = Int(scalar >> 7) * 2
            let index = WidthTable.index.utf8Start
            let start = Int(Self.digit(index[block])) << 4 | Int(Self.digit(index[block + 1]))
            bits = Self.digit(WidthTable.blocks.utf8Start[start << 7 | Int(scalar & 127)])
        } else if scalar < 0x3FFFE {
            bits = scalar & 0xFFFF < 0xFFFE ? 10 : 1
        } else {
            bits = (0xE0000...0xE0FFF).contains(scalar) ? 0 : 1
        }
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8 { byte < 0x3A ? byte & 15 : byte - 0x57 }

    /// The cells that it takes when it stands alone.
    var columns: Int { bits & 3 == 3 ? 1 : Int(bits & 3) }
    /// Indicates whether U+FE0F, which asks for the presentation of an emoji, makes it wide.
    var isWidened: Bool { bits & 3 == 3 }
    /// Indicates whether it takes no cell, but gives one more to what it is attached to.
    var isSpacingMark: Bool { bits & 7 == 4 }
    /// Indicates whether terminals count it differently: it was assigned lately, or they look at it together with its neighbors.
    var isDoubtful: Bool { bits & 4 != 0 }
    /// Indicates whether it is a character by itself if what follows is simple, too.
    var isSimple: Bool { bits & 8 != 0 }
}
