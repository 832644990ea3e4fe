import Dispatch

/// A point in calendar time, in UTC, with the precision of a nanosecond.
public struct WallTime: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The time since the beginning of 1970, without leap seconds.
    public let sinceEpoch: Duration

    /// Creates a point in time.
    ///
    /// - Parameter sinceEpoch: The time since the beginning of 1970, without leap seconds; negative before 1970.
    public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    /// The present, by the wall clock as it is set.
    public static var now: WallTime {
        // Dispatch stores the nanoseconds since 1970 negated, to distinguish wall times from the times of its other clocks.
        WallTime(sinceEpoch: .nanoseconds(-Int64(bitPattern: DispatchWallTime.now().rawValue)))
    }

    /// Returns whether one point is before another.
    public static func < (one: WallTime, other: WallTime) -> Bool { one.sinceEpoch < other.sinceEpoch }

    /// The point in ISO 8601, to the millisecond: `2026-11-23T12:46:21.123Z`. One that is more than some hundred million years
    /// away is shown as the farthest that is not.
    public var description: String {
        // A 64-bit number counts the milliseconds of 292 million years.
        let farthest = Duration.milliseconds(Int64.max / 1000 * 1000)
        let (seconds, attoseconds) = min(max(sinceEpoch, .zero - farthest), farthest).components
        // Before 1970 the fraction is negative, too: round down.
        let milliseconds = seconds * 1000 + Int64((Double(attoseconds) / 1e15).rounded(.down))
        let (days, ofDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let day = ofDay < 0 ? days - 1 : days
        let rest = ofDay < 0 ? ofDay + 86_400_000 : ofDay
        let (year, month, dayOfMonth) = Self.date(day)
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { Self.digits($0, 2) }.joined(separator: ":")
        return
            "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(dayOfMonth, 2))T\(time).\(Self.digits(rest % 1000, 3))Z"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// Returns the Gregorian date of a day, counted from 1970-01-01. Years are taken to begin in March, so that a leap day is the
    /// last day of its year, and to repeat in cycles of 400.
    private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = day + 719_468  // since the first of March of the year 0
        let cycle = (days < 0 ? days - 146_096 : days) / 146_097
        let ofCycle = days - cycle * 146_097
        let yearOfCycle = (ofCycle - ofCycle / 1_460 + ofCycle / 36_524 - ofCycle / 146_096) / 365
        let ofYear = ofCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * ofYear + 2) / 153
        let isNextYear: Int64 = month >= 10 ? 1 : 0
        return (cycle * 400 + yearOfCycle + isNextYear, month + 3 - 12 * isNextYear, ofYear - (153 * month + 2) / 5 + 1)
    }
}
