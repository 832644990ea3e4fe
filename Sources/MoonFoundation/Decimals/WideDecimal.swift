#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A decimal whose exponent is unbounded, so that no intermediate result overflows unless the final result does.
///
/// The significand is as wide as that of a `Decimal`, 128 bits, so a conversion there and back loses nothing.
struct WideDecimal {
    private(set) var isNegative: Bool
    private(set) var digits: UInt128
    private(set) var exponent: Int

    /// Creates a number. Trailing zeros are moved to the exponent, so that equal numbers have equal representations and products
    /// stay short.
    init(isNegative: Bool, digits: UInt128, exponent: Int) {
        var digits = digits
        var exponent = digits == 0 ? 0 : exponent
        while digits != 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        self.isNegative = isNegative && digits != 0
        self.digits = digits
        self.exponent = exponent
    }

    /// Converts a `Decimal`; nil for NaN.
    init?(_ decimal: Decimal) {
        // The text of the significand is the only exact view of all 128 bits that every Foundation has.
        guard !decimal.isNaN, let digits = UInt128(decimal.significand.magnitude.description) else { return nil }
        self.init(isNegative: decimal.sign == .minus, digits: digits, exponent: digits == 0 ? 0 : decimal.exponent)
    }

    /// The number as a `Decimal`; NaN if it is too large to be held, or would round to zero.
    var decimal: Decimal {
        var digits = digits
        var exponent = exponent
        if digits == 0 { return 0 }
        // Trailing zeros could make it fit (1e128 is 10e127), but Foundation strips them itself and then returns NaN.
        if exponent > 127 { return .nan }
        if exponent < -128 {
            digits = Self.divide(digits, byTenTo: -128 - exponent, isNegative: isNegative, .toNearestOrAwayFromZero)
            exponent = -128
            if digits == 0 { return .nan }
        }
        let high = Decimal(UInt64(truncatingIfNeeded: digits >> 64))
        let low = Decimal(UInt64(truncatingIfNeeded: digits))
        let significand = high * 4_294_967_296 * 4_294_967_296 + low
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// Returns the product, rounded to 128 bits.
    func multiplied(by other: Self) -> Self {
        var (high, low) = digits.multipliedFullWidth(by: other.digits)
        var exponent = exponent + other.exponent
        var lastDropped: UInt128 = 0
        while high > 0 {
            let carried = high % 10
            high /= 10
            (low, lastDropped) = UInt128(10).dividingFullWidth((carried, low))
            exponent += 1
            // If rounding up carries out of all nines, the new digit is dropped in the next pass.
            if high == 0, lastDropped >= 5 {
                let (rounded, overflow) = low.addingReportingOverflow(1)
                low = rounded
                high = overflow ? 1 : 0
            }
        }
        return Self(isNegative: isNegative != other.isNegative, digits: low, exponent: exponent)
    }

    /// Returns the quotient; nil if the divisor is zero.
    func divided(by other: Self) -> Self? {
        guard other.digits != 0 else { return nil }
        var (quotient, rest) = digits.quotientAndRemainder(dividingBy: other.digits)
        var exponent = exponent - other.exponent
        while rest != 0, quotient <= (UInt128.max - 9) / 10 {
            // The remainder is less than the divisor, and so is the upper half of ten times the remainder: this cannot overflow.
            let (digit, next) = other.digits.dividingFullWidth(rest.multipliedFullWidth(by: 10))
            quotient = quotient * 10 + digit
            rest = next
            exponent -= 1
        }
        // If all bits of the quotient are set, it cannot be incremented: it is then truncated, not rounded, in its 39th digit.
        if rest >= other.digits - rest, quotient < .max { quotient += 1 }
        return Self(isNegative: isNegative != other.isNegative, digits: quotient, exponent: exponent)
    }

    /// Returns the power; nil if a `Decimal` cannot hold it.
    func raised(to power: Int) -> Self? {
        var result = Self(isNegative: false, digits: 1, exponent: 0)
        var square = self
        var bits = power.magnitude
        while bits > 0 {
            if bits & 1 == 1 { result = result.multiplied(by: square) }
            bits >>= 1
            if bits > 0 { square = square.multiplied(by: square) }
            // Further multiplications only increase the magnitude of the exponent, so the result stays out of bounds.
            if result.exponent.magnitude > 1000 || square.exponent.magnitude > 1000 { return nil }
        }
        return power < 0 ? Self(isNegative: false, digits: 1, exponent: 0).divided(by: result) : result
    }

    /// Returns the number rounded to a number of decimal places, which may be negative.
    func rounded(toPlaces places: Int, _ rule: FloatingPointRoundingRule) -> Self {
        // More than 1000 places, in either direction, change nothing that a `Decimal` could hold.
        let places = min(max(places, -1000), 1000)
        let dropped = -exponent - places
        guard dropped > 0 else { return self }
        let digits = Self.divide(digits, byTenTo: dropped, isNegative: isNegative, rule)
        return Self(isNegative: isNegative, digits: digits, exponent: -places)
    }

    /// Divides a significand by a power of ten, and rounds by a rule.
    private static func divide(
        _ digits: UInt128, byTenTo power: Int, isNegative: Bool, _ rule: FloatingPointRoundingRule
    ) -> UInt128 {
        // 10^39 does not fit in 128 bits. It is more than twice the largest significand, so the quotient is then less than a
        // half.
        var divisor: UInt128 = 1
        for _ in 0..<min(power, 38) { divisor *= 10 }
        let (quotient, rest) = power > 38 ? (0, digits) : digits.quotientAndRemainder(dividingBy: divisor)
        let isHalfOrMore = power <= 38 && rest >= divisor - rest
        let isHalf = power <= 38 && rest == divisor - rest
        let goesUp: Bool =
            switch rule {
            case .toNearestOrAwayFromZero: isHalfOrMore
            case .toNearestOrEven: isHalfOrMore && (!isHalf || quotient % 2 == 1)
            case .towardZero: false
            case .awayFromZero: rest != 0
            case .up: rest != 0 && !isNegative
            case .down: rest != 0 && isNegative
            @unknown default: isHalfOrMore
            }
        return goesUp ? quotient + 1 : quotient
    }
}
