#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation's own `*` traps on Linux when the product is too small, its `/` loses up to 37 of 38 digits when the
// divisor is long, and its `pow` traps on `Int.min`. What is here does none of it: see `WideDecimal`.
extension Decimal {
    /// This number times another: never traps.
    ///
    /// - Returns: The product, rounded to what a `Decimal` holds (38 digits); NaN if either is, or if the product is
    ///   too large or too small to be held.
    public func multiplied(by other: Decimal) -> Decimal {
        guard let left = WideDecimal(self), let right = WideDecimal(other) else { return .nan }
        return left.multiplied(by: right).decimal
    }

    /// This number divided by another, right to the last digit: never traps.
    ///
    /// ```swift
    /// Decimal(1).divided(by: 8)  // 0.125
    /// Decimal(1).divided(by: 0)  // NaN
    /// ```
    /// - Returns: The quotient, rounded to what a `Decimal` holds (38 digits); NaN if either is, if `other` is zero, or
    ///   if the quotient is too large or too small to be held.
    public func divided(by other: Decimal) -> Decimal {
        guard let left = WideDecimal(self), let right = WideDecimal(other) else { return .nan }
        return left.divided(by: right)?.decimal ?? .nan
    }

    /// This number to the power of an integer: never traps.
    ///
    /// ```swift
    /// Decimal(10).raised(to: -2)  // 0.01
    /// ```
    /// The result is exact if it has at most 38 digits, and so has each product on the way; otherwise each is rounded.
    /// - Parameter exponent: Any integer. A negative one gives the reciprocal of the power.
    /// - Returns: The power; 1 if the exponent is 0. NaN if this is, if it is zero and the exponent negative, or if the
    ///   result is too large or too small to be held.
    /// - Complexity: O(log `exponent`) multiplications.
    public func raised(to exponent: Int) -> Decimal {
        WideDecimal(self)?.raised(to: exponent)?.decimal ?? .nan
    }

    /// A number to the power of an integer, as ``raised(to:)`` has it; binds tighter than multiplication.
    ///
    /// ```swift
    /// 3 + 2 ** 2  // 7
    /// ```
    public static func ** (base: Decimal, exponent: Int) -> Decimal {
        base.raised(to: exponent)
    }

    /// Raises a number to the power of an integer in place.
    public static func **= (base: inout Decimal, exponent: Int) {
        base = base ** exponent
    }

    /// This number rounded to some places behind the point, or before it if the number of places is negative.
    ///
    /// ```swift
    /// Decimal(string: "2.345")?.rounded(toPlaces: 2)                     // 2.35
    /// Decimal(string: "2.345")?.rounded(toPlaces: 2, .toNearestOrEven)   // 2.34
    /// Decimal(1250).rounded(toPlaces: -2)                                // 1300
    /// ```
    /// - Parameters:
    ///   - places: How many digits to keep behind the point.
    ///   - rule: What to do with the rest; `.toNearestOrEven` is the bankers' rule.
    /// - Returns: The rounded number; NaN if this is, or if the result is too large to be held.
    public func rounded(toPlaces places: Int, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> Decimal {
        WideDecimal(self)?.rounded(toPlaces: places, rule).decimal ?? .nan
    }
}
