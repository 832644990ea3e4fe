/// A span of time in whole nanoseconds, as used by the schedulers of this module.
///
/// Sums, products and conversions are clamped to the range of `Int` (292 years), as a point in time that is further away is never
/// reached.
public struct TimeStride: SchedulerTimeIntervalConvertible, SignedNumeric, ExpressibleByFloatLiteral, Comparable,
    Hashable, Codable, Sendable, CustomStringConvertible
{
    private enum CodingKeys: String, CodingKey { case nanoseconds = "_nanoseconds" }

    /// The span in nanoseconds.
    public var nanoseconds: Int

    /// The span in nanoseconds, with its sign, as in Combine.
    public var magnitude: Int { nanoseconds }

    /// The span as a `Duration`.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// Creates a span of nanoseconds.
    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    private init(clamping nanoseconds: Int128) { self.init(nanoseconds: Int(clamping: nanoseconds)) }

    /// Creates a span from a `Duration`, whose fractions of a nanosecond are dropped. One of more than 292 years becomes the
    /// longest span of its sign.
    @_disfavoredOverload public init(_ duration: Duration) {
        // Clamped before it is taken apart: `components` traps if the seconds exceed an `Int64`.
        let (seconds, attoseconds) = min(max(duration, .nanoseconds(Int.min)), .nanoseconds(Int.max)).components
        self = .seconds(Int(seconds)) + Self(nanoseconds: Int(attoseconds / 1_000_000_000))
    }

    /// Creates a span of whole seconds from a literal.
    public init(integerLiteral value: Int) { self = .seconds(value) }

    /// Creates a span of seconds from a literal.
    public init(floatLiteral value: Double) { self = .seconds(value) }

    /// Creates a span of whole seconds; nil if the number is outside the range of `Int`.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let seconds = Int(exactly: source) else { return nil }
        self = .seconds(seconds)
    }

    /// Returns a span of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }

    /// Returns whether one span is shorter than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Returns the sum of two spans.
    public static func + (lhs: Self, rhs: Self) -> Self {
        Self(clamping: Int128(lhs.nanoseconds) + Int128(rhs.nanoseconds))
    }

    /// Returns the difference of two spans.
    public static func - (lhs: Self, rhs: Self) -> Self {
        Self(clamping: Int128(lhs.nanoseconds) - Int128(rhs.nanoseconds))
    }

    /// Returns a span multiplied by the number of seconds of another, as `Numeric` requires: `2 * .milliseconds(5)` is 10 ms.
    public static func * (lhs: Self, rhs: Self) -> Self {
        Self(clamping: Int128(lhs.nanoseconds) * Int128(rhs.nanoseconds) / 1_000_000_000)
    }

    /// Multiplies by the number of seconds of another span.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

    /// The span as `Duration` prints it.
    public var description: String { duration.description }
}

extension TimeStride {
    /// The shortest span that is not zero.
    static var shortest: Self { .nanoseconds(1) }
}

/// A point in the time of a scheduler, as an offset from the scheduler's beginning. The largest offset stands for never.
public struct TimePoint: Strideable, Hashable, Sendable, CustomStringConvertible {
    /// The time since the scheduler's beginning.
    public var offset: TimeStride

    /// Creates a point in time.
    public init(offset: TimeStride) { self.offset = offset }

    /// Returns the span to another point.
    public func distance(to other: Self) -> TimeStride { other.offset - offset }

    /// Returns the point that is a span away.
    public func advanced(by n: TimeStride) -> Self { Self(offset: offset + n) }

    /// The time since the scheduler's beginning, as `Duration` prints it.
    public var description: String { offset.description }
}

extension Int {
    /// Returns the product, clamped to the range of `Int`.
    func times(_ factor: Int128) -> Int { Int(clamping: Int128(self) * factor) }

    /// Creates the whole part of a number, clamped to the range of `Int`; zero for NaN.
    init(saturating value: Double) {
        self = value.isNaN ? 0 : Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}

extension TimePoint {
    /// The last point that time reaches. The next one stands for never.
    static var last: Self { Self(offset: .nanoseconds(.max - 1)) }

    /// This point; nil if it stands for never.
    var unlessNever: Self? { offset.nanoseconds == .max ? nil : self }
}
