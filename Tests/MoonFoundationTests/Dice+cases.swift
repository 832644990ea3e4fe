import MoonlightTestSupport

extension Dice {
    /// Up to eight numbers of few kinds, so that empty, single and repeated elements come often.
    mutating func numbers() -> [Int] {
        let count = Int.random(in: 0...8, using: &self)
        return (0..<count).map { _ in Int.random(in: 0...4, using: &self) }
    }

    /// An index that is as often outside as inside.
    mutating func index() -> Int { Int.random(in: -6...14, using: &self) }
}
