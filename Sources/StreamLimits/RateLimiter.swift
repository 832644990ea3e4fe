import Streams

/// A rate limit that many streams share: at most ``count`` of their subscriptions begin within any one interval.
///
/// Use one object per limit, such as that of a service that allows ten requests a second, and share it among all users of the
/// service, for example in the environment:
/// ```swift
/// let limiter = RateLimiter(count: 10, per: .seconds(1), on: DispatchQueue.global())
/// let answer = request.limited(by: limiter)
/// ```
/// The window slides: a subscription begins as soon as fewer than ``count`` others have begun within the ``interval`` before it.
/// Here, one that begins at 0 s makes room for another at exactly 1 s. The others wait, and begin on the scheduler, first come,
/// first served. The duration of a subscription does not matter.
///
/// An interval of zero or less limits nothing. With an interval that is too long to be represented, `count` subscriptions begin
/// and all later ones wait forever (see `Scheduler`). On an `ImmediateScheduler`, whose time stands still,
/// every interval is over at once.
///
/// A limiter may be used from any thread. Arriving, leaving and beginning take amortized constant time. The limiter stores when
/// the subscriptions of the last interval began, and has a timer only while a subscription waits.
public final class RateLimiter<Context: Scheduler>: @unchecked Sendable
where Context.SchedulerTimeType: Sendable, Context.SchedulerTimeType.Stride: Sendable {
    // Sound: a scheduler may be used from any thread; the lock protects the line.
    typealias Time = Context.SchedulerTimeType

    /// The number of subscriptions that may begin within an interval.
    public let count: Int
    /// The interval.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler whose time is used, and on which subscriptions begin that have waited.
    public let scheduler: Context
    private let line: Lock<RateLine<Time>>

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - count: The number of subscriptions that may begin within an interval; at least one.
    ///   - interval: The interval.
    ///   - scheduler: The scheduler whose time is used, and on which subscriptions begin that have waited.
    public init(count: Int, per interval: Context.SchedulerTimeType.Stride, on scheduler: Context) {
        precondition(count >= 1, "RateLimiter(count: \(count)): no subscription could ever begin; pass one or more")
        self.count = count
        self.interval = interval
        self.scheduler = scheduler
        line = Lock(RateLine(count: count))
    }

    /// The number of subscriptions that are waiting now.
    public var waiting: Int { line.withLock { $0.waiting } }

    /// The decision about a new subscription.
    enum Arrival {
        case begins
        case waits
        case isRefused
    }

    /// Decides whether a subscription begins now, waits in line, or is rejected. If it begins, the caller starts it.
    ///
    /// - Parameters:
    ///   - waiter: The subscription.
    ///   - limit: The number of subscriptions that may wait; nil for any number.
    func arrive(_ waiter: any RateWaiter, limit: Int?) -> Arrival {
        let arrival = decide { $0.arrive(waiter, at: $1, isFirstOver: $2, limit: limit) }
        switch arrival {
        case .begins: return .begins
        case .isRefused: return .isRefused
        case .waits(let timer):
            if let timer { set(timer) }
            return .waits
        }
    }

    /// Removes a subscription from the line, if it is waiting.
    func leave(_ waiter: any RateWaiter) {
        discard(line.withLock { UncheckedTransfer($0.leave(waiter)) })
    }

    /// Makes a decision that depends on the current time.
    ///
    /// Reads the line, then the clock with the lock released, and decides if no subscription has begun in between; otherwise
    /// starts over.
    ///
    /// - Parameters:
    ///   - date: A point in time that has been reached, even if the clock shows an earlier one.
    ///   - decision: Makes the decision. Receives the line, the current time, and whether the interval of ``RateLine/first`` is
    ///     over.
    private func decide<Answer>(notBefore date: Time? = nil, _ decision: (inout RateLine<Time>, Time, Bool) -> Answer) -> Answer {
        while true {
            let (revision, first) = line.withLock { ($0.revision, $0.first) }
            let present = scheduler.now
            let now = date.map { max($0, present) } ?? present
            let isFirstOver = first.map { $0.advanced(by: interval) <= now } ?? false
            let answer = line.withLock { line in
                line.revision == revision ? UncheckedTransfer(decision(&line, now, isFirstOver)) : nil
            }
            if let answer { return answer.value }
        }
    }

    private func set(_ timer: RateLine<Time>.Timer) {
        let (number, date) = (timer.number, timer.after.advanced(by: interval))
        let turn = UncheckedTransfer { [weak self] in self?.tick(number, date) }
        let token = scheduler.schedule(once: date, tolerance: nil, options: nil) { turn.value() }
        line.withLock { $0.keep(token, of: number) }
        discard(token)
    }

    private func tick(_ number: Int, _ date: Time) {
        guard let turn = decide(notBefore: date, { $0.tick(number, at: $1, isFirstOver: $2) }) else { return }
        // Set before this subscription begins, which may take long: on a concurrent scheduler, the others need not wait for it.
        if let next = turn.next { set(next) }
        turn.waiter?.begin()
    }
}

/// The reason why ``Streams/Publisher/limited(by:waiting:customError:)`` has rejected a subscription: too many are already
/// waiting for the limiter.
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
