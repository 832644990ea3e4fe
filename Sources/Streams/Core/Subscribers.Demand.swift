extension Subscribers {
    /// How many values a subscriber is ready to receive: a count, or no limit.
    ///
    /// Demand adds up: each request and each value returned from ``Subscriber/receive(_:)`` adds to what is still open,
    /// and each delivered value takes one away. Unlimited demand stays unlimited. A sum or product too large for `Int`
    /// becomes unlimited; a difference below zero becomes ``none``.
    @frozen
    public struct Demand: Equatable, Hashable, Sendable {
        /// The count, with one bit pattern above every `Int` for "no limit".
        @usableFromInline let rawValue: UInt

        @inlinable @inline(__always)
        init(rawValue: UInt) { self.rawValue = rawValue }

        @inlinable
        static var unlimitedRawValue: UInt { UInt(Int.max) + 1 }

        /// As many values as there are.
        @inlinable
        public static var unlimited: Demand { Demand(rawValue: unlimitedRawValue) }

        /// No values.
        @inlinable
        public static var none: Demand { Demand(rawValue: 0) }

        /// A demand for a number of values.
        ///
        /// - Parameter value: How many, zero or more; a negative number is a programming error and traps.
        @inlinable
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "Demand.max(\(value)): a demand cannot be negative; use .none for no values")
            return Demand(rawValue: UInt(value))
        }

        /// The number of values asked for; nil if there is no limit.
        @inlinable
        public var max: Int? { self == .unlimited ? nil : Int(rawValue) }

        /// Traps if it is none: nobody may request nothing.
        @inlinable @inline(__always)
        package func requireSome() {
            precondition(
                self != .none, "request(.none) asks for nothing: request at least one value, or do not request")
        }
    }
}

extension Subscribers.Demand {
    /// The sum of two demands.
    @inlinable
    public static func + (lhs: Self, rhs: Self) -> Self {
        // Neither operand exceeds 2^63, so that only twice unlimited overflows the word.
        let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
        return overflow || sum > unlimitedRawValue ? .unlimited : Self(rawValue: sum)
    }

    /// Adds a demand.
    @inlinable
    public static func += (lhs: inout Self, rhs: Self) {
        if lhs != .unlimited { lhs = lhs + rhs }
    }

    /// The sum of a demand and a count; a negative count takes away, down to ``none``.
    @inlinable
    public static func + (lhs: Self, rhs: Int) -> Self {
        rhs < 0 ? lhs - Self(rawValue: rhs.magnitude) : lhs + Self(rawValue: UInt(rhs))
    }

    /// Adds a count.
    @inlinable
    public static func += (lhs: inout Self, rhs: Int) { lhs = lhs + rhs }

    /// A demand multiplied; the factor must not be negative.
    @inlinable
    public static func * (lhs: Self, rhs: Int) -> Self {
        precondition(rhs >= 0, "Demand * \(rhs): a demand cannot be negative; multiply by zero or more")
        guard lhs != .unlimited else { return .unlimited }
        let (product, overflow) = lhs.rawValue.multipliedReportingOverflow(by: UInt(rhs))
        return overflow || product >= unlimitedRawValue ? .unlimited : Self(rawValue: product)
    }

    /// Multiplies by a count.
    @inlinable
    public static func *= (lhs: inout Self, rhs: Int) { lhs = lhs * rhs }

    /// What is left of a demand; never below ``none``. Unlimited less anything but unlimited is unlimited.
    @inlinable
    public static func - (lhs: Self, rhs: Self) -> Self {
        switch (lhs, rhs) {
        case (.unlimited, .unlimited): .none
        case (.unlimited, _): .unlimited
        default: lhs.rawValue > rhs.rawValue ? Self(rawValue: lhs.rawValue - rhs.rawValue) : .none
        }
    }

    /// Takes a demand away.
    @inlinable
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    /// What is left after taking a count away; a negative count adds.
    @inlinable
    public static func - (lhs: Self, rhs: Int) -> Self {
        rhs < 0 ? lhs + Self(rawValue: rhs.magnitude) : lhs - Self(rawValue: UInt(rhs))
    }

    /// Takes a count away.
    @inlinable
    public static func -= (lhs: inout Self, rhs: Int) { lhs = lhs - rhs }
}

extension Subscribers.Demand: Comparable {
    /// Whether less is asked for; unlimited is more than any count.
    @inlinable
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Subscribers.Demand {
    /// Whether a demand is the given count.
    @inlinable
    public static func == (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs.rawValue == UInt(rhs) }

    /// Whether a demand is another than the given count.
    @inlinable
    public static func != (lhs: Self, rhs: Int) -> Bool { !(lhs == rhs) }

    /// Whether more is asked for than the given count.
    @inlinable
    public static func > (lhs: Self, rhs: Int) -> Bool { rhs < 0 || lhs.rawValue > UInt(rhs) }

    /// Whether at least the given count is asked for.
    @inlinable
    public static func >= (lhs: Self, rhs: Int) -> Bool { rhs <= 0 || lhs.rawValue >= UInt(rhs) }

    /// Whether less is asked for than the given count.
    @inlinable
    public static func < (lhs: Self, rhs: Int) -> Bool { !(lhs >= rhs) }

    /// Whether at most the given count is asked for.
    @inlinable
    public static func <= (lhs: Self, rhs: Int) -> Bool { !(lhs > rhs) }
}

extension Subscribers.Demand: CustomStringConvertible {
    /// `unlimited` or `max(n)`.
    public var description: String {
        if let max { "max(\(max))" } else { "unlimited" }
    }
}

extension Subscribers.Demand: Codable {
    /// Writes the count as one number; no limit is the number after `Int.max`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Reads what ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a number that is no demand.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rawValue = try container.decode(UInt.self)
        guard rawValue <= Self.unlimitedRawValue else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(rawValue) is no demand: it exceeds Int.max + 1")
        }
        self.init(rawValue: rawValue)
    }
}
