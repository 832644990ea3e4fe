/// A budget of parts that may still be visited while a value is described or compared.
///
/// A limit on depth alone is not enough: where parts are shared, forty levels of two parts each are a million million parts.
struct Effort {
    /// The initial budget: the parts visited in one value, or in two values that are compared.
    static var most: Int { 100_000 }

    private var left = most
    /// Whether something was left out because the budget did not suffice.
    private(set) var isSpent = false
    /// Whether something was too deep to be described, by ``share(_:_:)`` the last time.
    var isTooDeep = false
    /// Whether an object was described by the name of its class alone, by ``share(_:_:)`` the last time.
    var hidesFields = false

    /// Takes parts from the budget.
    ///
    /// - Parameter count: The number of parts to visit.
    /// - Returns: Whether the budget sufficed. Once it has not, every further call returns false.
    mutating func spend(_ count: Int = 1) -> Bool {
        if isSpent || count > left {
            isSpent = true
        } else {
            left -= count
        }
        return !isSpent
    }

    /// Takes the cost of including a text from the budget: one part for each 64 bytes of UTF-8. Returns whether the budget
    /// sufficed.
    mutating func spend(on text: String) -> Bool { spend(text.utf8.count / 64) }

    /// Visits two values, each with half of what is left, so that equal values are cut at the same place.
    mutating func share<Result>(_ first: (inout Effort) -> Result, _ second: (inout Effort) -> Result) -> (Result, Result) {
        var (one, other) = (self, self)
        (one.left, one.isTooDeep, one.hidesFields) = (left / 2, false, false)
        (other.left, other.isTooDeep, other.hidesFields) = (left / 2, false, false)
        let results = (first(&one), second(&other))
        left = one.left + other.left
        isSpent = one.isSpent || other.isSpent
        isTooDeep = one.isTooDeep || other.isTooDeep
        hidesFields = one.hidesFields || other.hidesFields
        return results
    }
}
