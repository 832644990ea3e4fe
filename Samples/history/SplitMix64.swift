/// Numbers that look random and are the same for the same seed: Sebastiano Vigna's SplitMix64, in the public domain.
///
/// Ours, because the system's generator takes no seed, and because what `Int.random(in:using:)` makes of a generator may
/// change from one Swift to the next.
struct SplitMix64: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The next number, any of all 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The next number from 0 up to, not including, a limit.
    mutating func next(below limit: Int) -> Int {
        // The high half of the product: a fair share for each, but for a bias of less than limit / 2^64.
        Int(next().multipliedFullWidth(by: UInt64(limit)).high)
    }
}
