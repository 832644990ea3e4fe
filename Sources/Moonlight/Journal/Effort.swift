/// How much of a value may still be looked at. A depth alone does not bound that: where parts are shared, forty levels of two
/// parts each are a million million parts.
struct Effort {
    /// How many parts of a value, or of two that are compared, are looked at.
    static var most: Int { 100_000 }

    private var left = most
    /// Whether there was more to look at than might be.
    private(set) var isSpent = false

    /// Whether so many more parts may be looked at.
    mutating func spend(_ count: Int = 1) -> Bool {
        if isSpent || count > left {
            isSpent = true
        } else {
            left -= count
        }
        return !isSpent
    }

    /// Whether a text may be told: 64 bytes of it count as one part.
    mutating func spend(on text: String) -> Bool { spend(text.utf8.count / 64) }

    /// Looks at two values, with as much effort for the one as for the other: alike, they are cut at the same place.
    mutating func share<Result>(_ first: (inout Effort) -> Result, _ second: (inout Effort) -> Result) -> (Result, Result) {
        var (one, other) = (self, self)
        one.left = left / 2
        other.left = left / 2
        let results = (first(&one), second(&other))
        left = one.left + other.left
        isSpent = one.isSpent || other.isSpent
        return results
    }
}
