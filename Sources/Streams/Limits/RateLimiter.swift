import Synchronization

/// A rate that many streams share: of the subscriptions that it limits, at most so many begin within any one interval.
///
/// One object stands for one limit, such as that of a service that allows ten requests a second. It belongs in the environment of all who
/// use the service:
/// ```swift
/// let limiter = RateLimiter(count: 10, per: .seconds(1), on: DispatchQueue.global())
/// let answer = request.limited(by: limiter)
/// ```
/// The window slides: a subscription begins as soon as fewer than ``count`` others have begun within the ``interval`` before it. One that
/// has begun at 0 s leaves room at exactly 1 s. The others wait, and begin on the scheduler, first come, first served. How long a
/// subscription goes on does not matter.
///
/// An interval of no time, or less, limits nothing. With one too long to be counted, `count` subscriptions begin, and no more ever (see
/// ``Scheduler``). On an ``ImmediateScheduler``, whose time stands still, every interval is over at once.
///
/// A limiter may be used from any thread. Arriving, leaving and beginning take constant time on average. It remembers when the
/// subscriptions of the last interval began, and holds a timer only while somebody waits.
public final class RateLimiter<Context: Scheduler>: @unchecked Sendable
where Context.SchedulerTimeType: Sendable, Context.SchedulerTimeType.Stride: Sendable {
    // Sound: a scheduler is made to be used from any thread; the line is behind its lock.
    typealias Time = Context.SchedulerTimeType

    /// How many subscriptions may begin within an interval.
    public let count: Int
    /// The interval.
    public let interval: Context.SchedulerTimeType.Stride
    /// Whose time it is, and where those begin that have waited.
    public let scheduler: Context
    private let line: Lock<RateLine<Time>>

    /// A limit of so many subscriptions, one at least, per interval of a scheduler's time.
    public init(count: Int, per interval: Context.SchedulerTimeType.Stride, on scheduler: Context) {
        precondition(count >= 1, "RateLimiter(count: \(count)): nothing would ever begin; pass one or more")
        (self.count, self.interval, self.scheduler) = (count, interval, scheduler)
        line = Lock(RateLine(count: count))
    }

    /// How many subscriptions wait for their turn at this moment.
    public var waiting: Int { line.withLock { $0.waiting } }

    /// What becomes of a new subscription.
    @usableFromInline enum Arrival { case begins, waits, isRefused }

    /// Lets a subscription begin, for the caller to see to, or puts it in line.
    /// - Parameter limit: How many may wait; nil if that does not matter.
    @usableFromInline func arrive(_ waiter: any RateWaiter, limit: Int?) -> Arrival {
        let arrival = decide { $0.arrive(waiter, at: $1, isFirstOver: $2, limit: limit) }
        switch arrival {
        case .begins: return .begins
        case .isRefused: return .isRefused
        case .waits(let timer):
            if let timer { set(timer) }
            return .waits
        }
    }

    /// Takes a subscription out of the line, if it is in it.
    @usableFromInline func leave(_ waiter: any RateWaiter) {
        discard(line.withLock { UncheckedTransfer($0.leave(waiter)) })
    }

    /// Decides with the present in view: looks, reads the clock without the lock, and decides if nobody has begun meanwhile.
    ///
    /// - Parameter date: A point in time that has come, whatever the clock says.
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
        // Before this one begins, which may take long: the others need not wait for that on a scheduler that runs several at once.
        if let next = turn.next { set(next) }
        turn.waiter?.begin()
    }
}
