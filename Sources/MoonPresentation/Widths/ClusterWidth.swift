/// The width of a grapheme cluster: the sum of its parts, at most two cells.
///
/// - U+FE0F makes its base wide, if Unicode lists that variation.
/// - A scalar after a zero width joiner takes no cell, unless the joiner follows a virama.
/// - A pair of regional indicators is one flag. An emoji modifier takes no cell.
/// - A spacing mark takes a cell, as does the second consonant of a conjunct, as in terminals that count code points.
struct ClusterWidth {
    /// The cells, from 0 to 2.
    let columns: Int
    /// Indicates whether terminals may count the width differently.
    let isDoubtful: Bool

    /// Computes the width of a cluster's code points.
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var columns = 0
        var doubtful = false
        var base: ScalarWidth?
        var (afterMark, afterJoiner, count) = (false, false, 0)
        for scalar in scalars {
            let width = ScalarWidth(scalar.value)
            count += 1
            doubtful = doubtful || width.isDoubtful
            switch scalar.value {
            case 0x200D:
                (afterJoiner, doubtful) = (!afterMark, true)
                continue
            case 0xFE0E, 0xFE0F:
                if scalar.value == 0xFE0F, base?.isWidened == true { columns = 2 }
                (base, doubtful) = (nil, true)
            case 0x1F3FB...0x1F3FF where count > 1:
                doubtful = true
            case _ where afterJoiner:
                break
            case _ where width.columns > 0:
                doubtful = doubtful || columns > 0
                columns += width.columns
                base = width
            case _ where width.isSpacingMark:
                if base != nil { columns += 1 }
                base = nil
            default: break
            }
            afterMark = width.columns == 0
            afterJoiner = false
        }
        self.columns = min(columns, 2)
        isDoubtful = doubtful
    }
}

/// The width of a code point, and its interaction with neighbors: a digit of ``WidthTable``.
struct ScalarWidth {
    /// Bits 0 and 1: the width, where 3 is "1, and 2 in front of U+FE0F". Bit 2: ``isDoubtful``. Bit 3: ``isSimple``.
    let bits: UInt8

    /// Looks up the width of a code point.
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

    /// The cells of the code point alone.
    var columns: Int { bits & 3 == 3 ? 1 : Int(bits & 3) }
    /// Indicates whether U+FE0F, the emoji presentation selector, makes the code point wide.
    var isWidened: Bool { bits & 3 == 3 }
    /// Indicates whether the code point is a spacing mark, which adds a cell to its base.
    var isSpacingMark: Bool { bits & 7 == 4 }
    /// Indicates whether terminals count the code point differently: it is new in Unicode, or depends on its neighbors.
    var isDoubtful: Bool { bits & 4 != 0 }
    /// Indicates whether the code point is a whole character if the next one is simple, too.
    var isSimple: Bool { bits & 8 != 0 }
}
