public import Foundation
import MoonFoundation

// A module of its own because NSDecimalNumber is part of the whole of Foundation: on Linux, a static program that only imports
// MoonFoundation has 20 MB; with the whole of Foundation it has 70 MB.
extension NSDecimalNumber {
    /// Returns the sum; not a number if either operand is, or if the sum is too large to be held.
    public static func + (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue + right.decimalValue)
    }

    /// Returns the difference; not a number if either operand is, or if the difference is too large to be held.
    public static func - (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue - right.decimalValue)
    }

    /// Returns the product, as `Decimal.multiplied(by:)` does. Unlike `multiplying(by:)`, it never raises an exception.
    public static func * (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue.multiplied(by: right.decimalValue))
    }

    /// Returns the quotient, as `Decimal.divided(by:)` does; not a number if the divisor is zero.
    public static func / (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue.divided(by: right.decimalValue))
    }

    /// Returns a number to the power of an integer, as `Decimal.raised(to:)` does. Binds tighter than multiplication.
    public static func ** (base: NSDecimalNumber, exponent: Int) -> NSDecimalNumber {
        NSDecimalNumber(decimal: base.decimalValue ** exponent)
    }

    /// Returns the negated number.
    public static prefix func - (number: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: -number.decimalValue)
    }
}

#if canImport(Darwin)
    // Foundation on Linux already has this conformance.
    // swift-format-ignore: AvoidRetroactiveConformances
    extension NSDecimalNumber: @retroactive Comparable {
        /// Returns whether one number is less than another.
        public static func < (left: NSDecimalNumber, right: NSDecimalNumber) -> Bool {
            left.compare(right) == .orderedAscending
        }
    }
#endif
