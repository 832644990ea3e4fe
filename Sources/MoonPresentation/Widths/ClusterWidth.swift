/// How many cells a grapheme cluster takes: the sum of its parts, two at most.
///
/// - U+FE0F makes its base wide, if Unicode lists that variation.
/// - What follows a zero width joiner takes nothing, unless the joiner stands behind a virama.
/// - A pair of regional indicators is one flag, and a modifier of an emoji takes nothing.
/// - A spacing mark takes a cell, as does the second consonant of a conjunct: so do terminals that count code points.
struct ClusterWidth {
    /// The cells, from 0 to 2.
    let columns: Int
    /// Indicates whether terminals may count it differently.
    let isDoubtful: Bool

    /// The width of a cluster's code points.
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
