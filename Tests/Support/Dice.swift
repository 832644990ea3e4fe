/// A reproducible pseudo-random number generator: SplitMix64, by Steele, Lea and Flood.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    /// The seed is mixed first: otherwise, the states of neighboring seeds would be one increment apart, and each sequence would
    /// be its neighbor's without the first number.
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

    /// Returns a number from 0 up to, but not including, a bound.
    package mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }
}
