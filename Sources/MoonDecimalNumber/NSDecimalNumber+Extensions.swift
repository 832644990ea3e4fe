public import Foundation
import MoonFoundation

// A module of its own, because NSDecimalNumber is in the whole of Foundation: on Linux a static program that only
// imports MoonFoundation has 20 MB, with the whole of Foundation 70.
extension NSDecimalNumber {
    /// The sum; not a number if either is, or if it is too large to be held.
    public static func + (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue + right.decimalValue)
    }

    /// The difference; not a number if either is, or if it is too large to be held.
    public static func - (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue - right.decimalValue)
    }

    /// The product, as `Decimal.multiplied(by:)` has it; unlike `multiplying(by:)` it never raises an exception.
    public static func * (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue.multiplied(by: right.decimalValue))
    }

    /// The quotient, as `Decimal.divided(by:)` has it: not a number if the divisor is zero.
    public static func / (left: NSDecimalNumber, right: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: left.decimalValue.divided(by: right.decimalValue))
    }

    /// A number to the power of an integer, as `Decimal.raised(to:)` has it; binds tighter than multiplication.
    public static func ** (base: NSDecimalNumber, exponent: Int) -> NSDecimalNumber {
        NSDecimalNumber(decimal: base.decimalValue ** exponent)
    }

    /// The number with its sign turned.
    public static prefix func - (number: NSDecimalNumber) -> NSDecimalNumber {
        NSDecimalNumber(decimal: -number.decimalValue)
    }
}

#if canImport(Darwin)
    // Foundation on Linux has this already.
    extension NSDecimalNumber: @retroactive Comparable {
        /// Whether one number is less than another.
        public static func < (left: NSDecimalNumber, right: NSDecimalNumber) -> Bool {
            left.compare(right) == .orderedAscending
        }
    }
#endif
