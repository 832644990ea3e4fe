/// Numbers that look random and are the same at each run: Dice64, by Steele, Lea and Flood.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    /// The seed is mixed first: the states of neighbouring seeds would otherwise be one increment apart, and each sequence that of
    /// its neighbour without the first number.
    package init(seed: some BinaryInteger) { state = Self.mixed(UInt64(truncatingIfNeeded: seed) &+ 0x1234_5678) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not, this one.
    package mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }
}
