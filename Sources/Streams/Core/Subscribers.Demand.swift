extension Subscribers {
    /// How many values a subscriber is ready to receive: a count, or no limit.
    ///
    /// Demand adds up: each request and each value returned from ``Subscriber/receive(_:)`` adds to what is still open,
    /// and each delivered value takes one away. Unlimited demand stays unlimited. A sum or product too large for `Int`
    /// becomes unlimited; a difference below zero becomes ``none``.
    @frozen public struct Demand: Equatable, Hashable, Sendable {
        /// The count, with one bit pattern above every `Int` for "no limit".
        @usableFromInline let rawValue: UInt

        @inlinable @inline(__always) init(rawValue: UInt) { self.rawValue = rawValue }
        @inlinable static var unlimitedRawValue: UInt { UInt(Int.max) + 1 }

        /// As many values as there are.
        @inlinable public static var unlimited: Demand { Demand(rawValue: unlimitedRawValue) }

        /// No values.
        @inlinable public static var none: Demand { Demand(rawValue: 0) }

        /// A demand for a number of values; a negative one is a programming error and traps.
        @inlinable public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "Demand.max(\(value)): a demand cannot be negative; use .none for no values")
            return Demand(rawValue: UInt(value))
        }

        /// The number of values asked for; nil if there is no limit.
        @inlinable public var max: Int? { self == .unlimited ? nil : Int(rawValue) }

        /// Traps if it is none: nobody may request nothing.
        @inlinable @inline(__always) package func requireSome() {
            precondition(
                self != .none, "request(.none) asks for nothing: request at least one value, or do not request")
        }
    }
}

extension Subscribers.Demand: Comparable {
    /// The sum of two demands.
    @inlinable public static func + (lhs: Self, rhs: Self) -> Self {
        // Neither operand exceeds 2^63, so that only twice unlimited overflows the word.
        let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
        return overflow || sum > unlimitedRawValue ? .unlimited : Self(rawValue: sum)
    }

    /// Adds a demand.
    @inlinable public static func += (lhs: inout Self, rhs: Self) { if lhs != .unlimited { lhs = lhs + rhs } }

    /// The sum of a demand and a count; a negative count takes away, down to ``none``.
    @inlinable public static func + (lhs: Self, rhs: Int) -> Self {
        rhs < 0 ? lhs - Self(rawValue: rhs.magnitude) : lhs + Self(rawValue: UInt(rhs))
    }

    /// Adds a count.
    @inlinable public static func += (lhs: inout Self, rhs: Int) { lhs = lhs + rhs }

    /// A demand multiplied; the factor must not be negative.
    @inlinable public static func * (lhs: Self, rhs: Int) -> Self {
        precondition(rhs >= 0, "Demand * \(rhs): a demand cannot be negative; multiply by zero or more")
        guard lhs != .unlimited else { return .unlimited }
        let (product, overflow) = lhs.rawValue.multipliedReportingOverflow(by: UInt(rhs))
        return overflow || product >= unlimitedRawValue ? .unlimited : Self(rawValue: product)
    }

    /// Multiplies by a count.
    @inlinable public static func *= (lhs: inout Self, rhs: Int) { lhs = lhs * rhs }

    /// What is left of a demand; never below ``none``. Unlimited less anything is unlimited.
    @inlinable public static func - (lhs: Self, rhs: Self) -> Self {
        if lhs == .unlimited { return .unlimited }
        return lhs.rawValue > rhs.rawValue ? Self(rawValue: lhs.rawValue - rhs.rawValue) : .none
    }

    /// Takes a demand away.
    @inlinable public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    /// What is left after taking a count away. A negative count adds; what is too large then becomes ``none``, as in Combine.
    @inlinable public static func - (lhs: Self, rhs: Int) -> Self {
        if rhs >= 0 || lhs == .unlimited { return lhs - Self(rawValue: rhs.magnitude) }
        let sum = lhs.rawValue + rhs.magnitude
        return sum < unlimitedRawValue ? Self(rawValue: sum) : .none
    }

    /// Takes a count away.
    @inlinable public static func -= (lhs: inout Self, rhs: Int) { lhs = lhs - rhs }

    /// Whether less is asked for; unlimited is more than any count.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

// Comparisons with counts. No demand is less than a negative count.
extension Subscribers.Demand: CustomStringConvertible, Codable {
    /// Whether a demand is the given count.
    @inlinable public static func == (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs.rawValue == UInt(rhs) }

    /// Whether a demand is another than the given count.
    @inlinable public static func != (lhs: Self, rhs: Int) -> Bool { !(lhs == rhs) }

    /// Whether more is asked for than the given count.
    @inlinable public static func > (lhs: Self, rhs: Int) -> Bool { rhs < 0 || lhs.rawValue > UInt(rhs) }

    /// Whether at least the given count is asked for.
    @inlinable public static func >= (lhs: Self, rhs: Int) -> Bool { rhs <= 0 || lhs.rawValue >= UInt(rhs) }

    /// Whether less is asked for than the given count.
    @inlinable public static func < (lhs: Self, rhs: Int) -> Bool { !(lhs >= rhs) }

    /// Whether at most the given count is asked for.
    @inlinable public static func <= (lhs: Self, rhs: Int) -> Bool { !(lhs > rhs) }

    /// Whether a count is a demand.
    @inlinable public static func == (lhs: Int, rhs: Self) -> Bool { rhs == lhs }

    /// Whether a count is another than a demand.
    @inlinable public static func != (lhs: Int, rhs: Self) -> Bool { rhs != lhs }

    /// Whether a count is more than a demand.
    @inlinable public static func > (lhs: Int, rhs: Self) -> Bool { rhs < lhs }

    /// Whether a count is at least a demand.
    @inlinable public static func >= (lhs: Int, rhs: Self) -> Bool { rhs <= lhs }

    /// Whether a count is less than a demand.
    @inlinable public static func < (lhs: Int, rhs: Self) -> Bool { rhs > lhs }

    /// Whether a count is at most a demand.
    @inlinable public static func <= (lhs: Int, rhs: Self) -> Bool { rhs >= lhs }

    /// `unlimited` or `max(n)`.
    public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

    /// Writes the count as one number; no limit is the number after `Int.max`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Reads what ``encode(to:)`` wrote; any larger number is no limit.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: min(try decoder.singleValueContainer().decode(UInt.self), Self.unlimitedRawValue))
    }
}
