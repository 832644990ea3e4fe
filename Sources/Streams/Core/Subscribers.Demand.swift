extension Subscribers {
    /// The number of values that a subscriber requests: a count or unlimited.
    ///
    /// Demand is additive: each request and each result of ``Subscriber/receive(_:)`` adds to the outstanding demand, and each
    /// delivered value removes one. Unlimited demand remains unlimited. A sum or product that is too large for `Int` becomes
    /// unlimited; a difference below zero becomes ``none``.
    @frozen public struct Demand: Equatable, Hashable, Sendable {
        /// The count; `Int.max + 1` stands for unlimited.
        @usableFromInline let rawValue: UInt

        @inlinable @inline(__always) init(rawValue: UInt) { self.rawValue = rawValue }
        @inlinable static var unlimitedRawValue: UInt { UInt(Int.max) + 1 }

        /// The demand for all values.
        @inlinable public static var unlimited: Demand { Demand(rawValue: unlimitedRawValue) }

        /// The demand for no values.
        @inlinable public static var none: Demand { Demand(rawValue: 0) }

        /// Returns the demand for a number of values.
        ///
        /// - Parameter value: The number; traps if it is negative.
        @inlinable public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "Demand.max(\(value)): a demand cannot be negative; use .none for no values")
            return Demand(rawValue: UInt(value))
        }

        /// The number of values; nil if it is unlimited.
        @inlinable public var max: Int? { self == .unlimited ? nil : Int(rawValue) }

        /// Traps if the demand is ``none``, which must not be requested.
        @inlinable @inline(__always) package func requireSome() {
            precondition(
                self != .none, "request(.none): a request must be for at least one value")
        }
    }
}

extension Subscribers.Demand: Comparable {
    /// Returns the sum of two demands.
    @inlinable public static func + (lhs: Self, rhs: Self) -> Self {
        // Neither operand exceeds 2^63, so only the sum of two unlimited demands overflows the word.
        let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
        return overflow || sum > unlimitedRawValue ? .unlimited : Self(rawValue: sum)
    }

    /// Adds a demand.
    @inlinable public static func += (lhs: inout Self, rhs: Self) { if lhs != .unlimited { lhs = lhs + rhs } }

    /// Returns the product of a demand and a count. Traps if the count is negative.
    @_disfavoredOverload @inlinable public static func * (lhs: Self, rhs: Int) -> Self {
        precondition(rhs >= 0, "Demand * \(rhs): a demand cannot be negative; multiply by zero or more")
        guard lhs != .unlimited else { return .unlimited }
        let (product, overflow) = lhs.rawValue.multipliedReportingOverflow(by: UInt(rhs))
        return overflow || product >= unlimitedRawValue ? .unlimited : Self(rawValue: product)
    }

    /// Returns the difference of two demands, which is at least ``none``. Unlimited minus anything is unlimited.
    @inlinable public static func - (lhs: Self, rhs: Self) -> Self {
        if lhs == .unlimited { return .unlimited }
        return lhs.rawValue > rhs.rawValue ? Self(rawValue: lhs.rawValue - rhs.rawValue) : .none
    }

    /// Subtracts a demand.
    @inlinable public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    /// Returns whether one demand is less than another. Unlimited is greater than any count.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

// As a literal, a count is a demand: `demand > 0`, `demand += 1`.
extension Subscribers.Demand: ExpressibleByIntegerLiteral, CustomStringConvertible, Codable {
    /// Creates the demand for a number of values.
    @inlinable public init(integerLiteral value: Int) { self = .max(value) }

    /// `unlimited` or `max(n)`.
    public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

    /// Encodes the demand as one number, which is `Int.max + 1` if it is unlimited.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Decodes what ``encode(to:)`` encodes. Any number above `Int.max` is unlimited.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: min(try decoder.singleValueContainer().decode(UInt.self), Self.unlimitedRawValue))
    }
}
