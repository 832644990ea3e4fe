/// Why ``Publisher/limited(by:waiting:customError:)`` has refused a subscription: too many wait for the limiter already.
public struct RateLimitError<Interval: Equatable & Sendable>: Error, Equatable, CustomStringConvertible {
    /// How many subscriptions the limiter lets begin within an interval.
    public let count: Int
    /// The interval.
    public let interval: Interval
    /// How many may wait, for this one to wait, too.
    public let waiting: Int

    /// A refusal by a limiter of so many subscriptions per interval, for which so many may wait.
    public init(count: Int, interval: Interval, waiting: Int) {
        (self.count, self.interval, self.waiting) = (count, interval, waiting)
    }

    /// The limiter's numbers, and the number that may wait.
    public var description: String { "the rate limit is \(count) per \(interval), and the \(waiting) that may wait for it do" }
}
