import Streams

/// The reason why ``Publisher/limited(by:waiting:customError:)`` has rejected a subscription: too many are already waiting for
/// the limiter.
public struct RateLimitError<Interval: Equatable & Sendable>: Error, Equatable, CustomStringConvertible {
    /// The number of subscriptions that the limiter lets begin within an interval.
    public let count: Int
    /// The limiter's interval.
    public let interval: Interval
    /// The number of subscriptions that may wait.
    public let waiting: Int

    /// Creates an error with the numbers of a limiter.
    ///
    /// - Parameters:
    ///   - count: The number of subscriptions that the limiter lets begin within an interval.
    ///   - interval: The limiter's interval.
    ///   - waiting: The number of subscriptions that may wait.
    public init(count: Int, interval: Interval, waiting: Int) {
        self.count = count
        self.interval = interval
        self.waiting = waiting
    }

    /// The limiter's rate, and the number of subscriptions that may wait.
    public var description: String {
        "the rate limit is \(count) per \(interval), and \(waiting) subscriptions, the maximum, are already waiting"
    }
}
