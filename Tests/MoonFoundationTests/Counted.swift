/// An element that counts its comparisons.
struct Counted: Equatable {
    final class Tally {
        var comparisons = 0
    }

    let value: Int
    let tally: Tally

    static func == (left: Self, right: Self) -> Bool {
        left.tally.comparisons += 1
        return left.value == right.value
    }

    static func row(_ values: Range<Int>, _ tally: Tally) -> [Counted] {
        values.map { Counted(value: $0, tally: tally) }
    }
}
