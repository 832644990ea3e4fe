/// A span of time in whole nanoseconds: what the schedulers of this module count in. Sums, products and conversions that leave
/// the range of `Int` (292 years) stop at its ends, as a point in time that far off is never reached anyway.
public struct TimeStride: SchedulerTimeIntervalConvertible, SignedNumeric, ExpressibleByFloatLiteral, Comparable,
    Hashable, Codable, Sendable, CustomStringConvertible
{
    private enum CodingKeys: String, CodingKey { case nanoseconds = "_nanoseconds" }

    /// The span in nanoseconds.
    public var nanoseconds: Int

    /// The span in nanoseconds, with its sign as in Combine.
    public var magnitude: Int { nanoseconds }

    /// The span as a `Duration`.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// A span of nanoseconds.
    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    /// A span given as a `Duration`, rounded down to nanoseconds.
    @_disfavoredOverload public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(Int(clamping: seconds)) + Self(nanoseconds: Int(attoseconds / 1_000_000_000))
    }

    /// A span of whole seconds, as a literal.
    public init(integerLiteral value: Int) { self = .seconds(value) }

    /// A span of seconds, as a literal.
    public init(floatLiteral value: Double) { self = .seconds(value) }

    /// A span of whole seconds; nil if the number does not fit.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let seconds = Int(exactly: source) else { return nil }
        self = .seconds(seconds)
    }

    /// A span of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }

    /// Whether one span is shorter than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// The sum of two spans.
    public static func + (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.nanoseconds.plus(rhs.nanoseconds))
    }

    /// The difference of two spans.
    public static func - (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.nanoseconds.minus(rhs.nanoseconds))
    }

    /// A span multiplied by the number of seconds of another, as `Numeric` wants it: `2 * .milliseconds(5)` is 10 ms.
    public static func * (lhs: Self, rhs: Self) -> Self {
        let product = lhs.nanoseconds.magnitude.multipliedFullWidth(by: rhs.nanoseconds.magnitude)
        let isNegative = (lhs.nanoseconds < 0) != (rhs.nanoseconds < 0)
        guard product.high < 1_000_000_000 else { return Self(nanoseconds: isNegative ? .min : .max) }
        let quotient = Int(clamping: UInt(1_000_000_000).dividingFullWidth(product).quotient)
        return Self(nanoseconds: isNegative ? -quotient : quotient)
    }

    /// Multiplies by the number of seconds of another span.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

    /// The span as `Duration` prints it.
    public var description: String { duration.description }
}

extension TimeStride {
    /// The shortest span that can be told from none.
    static var shortest: Self { .nanoseconds(1) }
}

/// A point in the time of a scheduler that counts from its own beginning. The last that can be counted stands for never.
public struct TimePoint: Strideable, Hashable, Sendable, CustomStringConvertible {
    /// The time since the scheduler's beginning.
    public var offset: TimeStride

    /// A point in time.
    public init(offset: TimeStride) { self.offset = offset }

    /// The span to another point.
    public func distance(to other: Self) -> TimeStride { other.offset - offset }

    /// The point after a span.
    public func advanced(by n: TimeStride) -> Self { Self(offset: offset + n) }

    /// The time since the scheduler's beginning, as `Duration` prints it.
    public var description: String { offset.description }
}

extension Int {
    private static func saturated(_ result: (partialValue: Int, overflow: Bool), isNegative: Bool) -> Int {
        result.overflow ? (isNegative ? .min : .max) : result.partialValue
    }

    /// The sum, or the end of what can be counted.
    func plus(_ other: Int) -> Int { .saturated(addingReportingOverflow(other), isNegative: other < 0) }

    /// The difference, or the end of what can be counted.
    func minus(_ other: Int) -> Int { .saturated(subtractingReportingOverflow(other), isNegative: other >= 0) }

    /// The product, or the end of what can be counted.
    func times(_ factor: Int) -> Int {
        .saturated(multipliedReportingOverflow(by: factor), isNegative: (self < 0) != (factor < 0))
    }

    /// The whole part of a number, or the end of what can be counted; zero for what is no number.
    init(saturating value: Double) {
        self = value.isNaN ? 0 : Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}

extension TimePoint {
    /// The last point that time comes to: the one after it is never.
    static var last: Self { Self(offset: .nanoseconds(.max - 1)) }

    /// The point, or nil if it is so far off that it cannot be counted.
    var unlessNever: Self? { offset.nanoseconds == .max ? nil : self }
}
