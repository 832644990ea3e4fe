/// A span of time in whole nanoseconds: what the schedulers of this module count in.
///
/// Sums, products and conversions that leave the range of `Int` (292 years) stop at its ends, as a point in time that far
/// off is never reached anyway.
public struct TimeStride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable, Codable, Sendable {
    /// The span in nanoseconds.
    public var nanoseconds: Int

    /// A span of nanoseconds.
    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    /// A span given as a `Duration`, rounded down to nanoseconds.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(Int(clamping: seconds)) + Self(nanoseconds: Int(attoseconds / 1_000_000_000))
    }

    /// A span of whole seconds, as a literal.
    public init(integerLiteral value: Int) { self = .seconds(value) }

    /// A span of whole seconds; nil if the number does not fit.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let seconds = Int(exactly: source) else { return nil }
        self = .seconds(seconds)
    }

    /// The span as a `Duration`.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// The span without its sign.
    public var magnitude: TimeStride { TimeStride(nanoseconds: Int(clamping: nanoseconds.magnitude)) }

    /// A span of whole seconds.
    public static func seconds(_ s: Int) -> TimeStride { TimeStride(nanoseconds: scaled(s, by: 1_000_000_000)) }
    /// A span of seconds, rounded to nanoseconds.
    public static func seconds(_ s: Double) -> TimeStride {
        let nanoseconds = (s * 1_000_000_000).rounded()
        if nanoseconds.isNaN { return TimeStride(nanoseconds: 0) }
        return TimeStride(nanoseconds: Int(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }
    /// A span of milliseconds.
    public static func milliseconds(_ ms: Int) -> TimeStride { TimeStride(nanoseconds: scaled(ms, by: 1_000_000)) }
    /// A span of microseconds.
    public static func microseconds(_ us: Int) -> TimeStride { TimeStride(nanoseconds: scaled(us, by: 1000)) }
    /// A span of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> TimeStride { TimeStride(nanoseconds: ns) }

    /// Whether one span is shorter than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// The sum of two spans.
    public static func + (lhs: Self, rhs: Self) -> Self {
        let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
        return Self(nanoseconds: overflow ? (rhs.nanoseconds < 0 ? .min : .max) : sum)
    }

    /// The difference of two spans.
    public static func - (lhs: Self, rhs: Self) -> Self {
        let (difference, overflow) = lhs.nanoseconds.subtractingReportingOverflow(rhs.nanoseconds)
        return Self(nanoseconds: overflow ? (rhs.nanoseconds < 0 ? .max : .min) : difference)
    }

    /// A span multiplied by the number of seconds of another, as `Numeric` wants it: `2 * .milliseconds(5)` is 10 ms.
    public static func * (lhs: Self, rhs: Self) -> Self {
        let (high, low) = lhs.nanoseconds.magnitude.multipliedFullWidth(by: rhs.nanoseconds.magnitude)
        let isNegative = (lhs.nanoseconds < 0) != (rhs.nanoseconds < 0)
        guard high < 1_000_000_000 else { return Self(nanoseconds: isNegative ? .min : .max) }
        let quotient = UInt(1_000_000_000).dividingFullWidth((high, low)).quotient
        let clamped = Int(clamping: quotient)
        return Self(nanoseconds: isNegative ? -clamped : clamped)
    }

    /// Adds a span.
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

    /// Takes a span away.
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    /// Multiplies by the number of seconds of another span.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

    private static func scaled(_ count: Int, by factor: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? (count < 0 ? .min : .max) : product
    }
}

extension TimeStride: CustomStringConvertible {
    /// The span as `Duration` prints it.
    public var description: String { duration.description }
}
