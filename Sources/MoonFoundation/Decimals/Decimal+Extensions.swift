#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// On Linux, Foundation's `*` traps if the product is too small, its `/` loses up to 37 of 38 digits if the divisor is long, and
// its `pow` traps on `Int.min`. The functions here, based on `WideDecimal`, do not.
extension Decimal {
    /// Returns this number times another. It never traps.
    ///
    /// - Parameter other: The other factor.
    /// - Returns: The product, rounded to the precision of a `Decimal` (38 digits). NaN if either factor is NaN, or if the
    ///   product is too large or too small to be held.
    public func multiplied(by other: Decimal) -> Decimal {
        guard let left = WideDecimal(self), let right = WideDecimal(other) else { return .nan }
        return left.multiplied(by: right).decimal
    }

    /// Returns this number divided by another, correct to the last digit. It never traps.
    ///
    /// ```swift
    /// Decimal(1).divided(by: 8)  // 0.125
    /// Decimal(1).divided(by: 0)  // NaN
    /// ```
    ///
    /// - Parameter other: The divisor.
    /// - Returns: The quotient, rounded to the precision of a `Decimal` (38 digits). NaN if either number is NaN, if `other` is
    ///   zero, or if the quotient is too large or too small to be held.
    public func divided(by other: Decimal) -> Decimal {
        guard let left = WideDecimal(self), let right = WideDecimal(other) else { return .nan }
        return left.divided(by: right)?.decimal ?? .nan
    }

    /// Returns this number to the power of an integer. It never traps.
    ///
    /// ```swift
    /// Decimal(10).raised(to: -2)  // 0.01
    /// ```
    ///
    /// The result is exact if it and all intermediate products have at most 38 digits; otherwise each of them is rounded.
    ///
    /// - Parameter exponent: Any integer. A negative one gives the reciprocal of the power.
    /// - Returns: The power; 1 if the exponent is 0. NaN if this number is NaN, if it is zero and the exponent negative, or if
    ///   the result is too large or too small to be held.
    /// - Complexity: O(log `exponent`) multiplications.
    public func raised(to exponent: Int) -> Decimal {
        WideDecimal(self)?.raised(to: exponent)?.decimal ?? .nan
    }

    /// Returns this number rounded to a number of decimal places.
    ///
    /// ```swift
    /// Decimal(string: "2.345")?.rounded(toPlaces: 2)                     // 2.35
    /// Decimal(string: "2.345")?.rounded(toPlaces: 2, .toNearestOrEven)   // 2.34
    /// Decimal(1250).rounded(toPlaces: -2)                                // 1300
    /// ```
    ///
    /// - Parameters:
    ///   - places: The number of digits to keep after the decimal point; a negative number rounds digits before it.
    ///   - rule: The rounding rule; `.toNearestOrEven` is banker's rounding.
    /// - Returns: The rounded number. NaN if this number is NaN, or if the result is too large to be held.
    public func rounded(toPlaces places: Int, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> Decimal {
        WideDecimal(self)?.rounded(toPlaces: places, rule).decimal ?? .nan
    }
}
