import MoonlightTestSupport

extension Dice {
    /// Returns up to eight numbers of few kinds, so that empty lists, single elements and duplicates are frequent.
    mutating func numbers() -> [Int] {
        let count = Int.random(in: 0...8, using: &self)
        return (0..<count).map { _ in Int.random(in: 0...4, using: &self) }
    }

    /// Returns an index that is out of range as often as in range.
    mutating func index() -> Int { Int.random(in: -6...14, using: &self) }
}
