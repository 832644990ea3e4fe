/// A generator that repeats itself: the same seed gives the same case, so a failure's argument replays it (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Up to eight numbers of few kinds, so that empty, single and repeated elements come often.
    mutating func numbers() -> [Int] {
        let count = Int.random(in: 0...8, using: &self)
        return (0..<count).map { _ in Int.random(in: 0...4, using: &self) }
    }

    /// An index that is as often outside as inside.
    mutating func index() -> Int { Int.random(in: -6...14, using: &self) }
}
