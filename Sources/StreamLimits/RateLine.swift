import Streams

/// A subscription that can wait in a limiter's line.
protocol RateWaiter: AnyObject, Sendable {
    /// Its number in the line. Accessed only by the limiter, with its lock held.
    var place: Int? { get set }

    /// Begins the subscription. Called when its turn has come.
    func begin()
}

/// The logic of a rate limiter, which decides whether a subscription begins, waits or is rejected: a plain value that reads
/// no clock and calls no user code.
///
/// `Time` may be a user's type, and comparing it may run user code. So the caller determines whether the interval of ``first`` is
/// over. If ``revision`` has changed since the caller read it, the caller starts over. Values that are removed are returned, for
/// the caller to release them outside the lock.
struct RateLine<Time: Sendable>: @unchecked Sendable {
    // Sound: accessed only with a lock held.

    /// A timer for the first in line. It is due one interval after the time `after`, when an earlier subscription began.
    typealias Timer = (number: Int, after: Time)

    let count: Int
    /// A number that changes whenever a subscription begins.
    private(set) var revision = 0
    /// The times at which subscriptions began: those of the last interval, and perhaps earlier ones; at most `count`.
    private var begun = Queue<Time>()
    /// The subscriptions in line.
    private var waiters = Numbered<any RateWaiter>()
    private var timersSoFar = 0
    /// The timer, which exists while a subscription waits. Its token is stored later, when the scheduler has returned it.
    private var timer: (number: Int, token: AnyCancellable?)?

    init(count: Int) { self.count = count }

    /// The time at which the earliest subscription in `begun` began.
    var first: Time? { begun[0] }
    var waiting: Int { waiters.count }

    // MARK: Decisions

    /// The decision about a new subscription.
    enum Arrival {
        /// It begins. The time has been removed, and is to be released outside the lock.
        case begins(dropping: Time?)
        /// It waits. If there is a timer, the caller sets it.
        case waits(Timer?)
        /// It is rejected, as too many are waiting.
        case isRefused
    }

    /// Lets a new subscription begin, puts it in line, or rejects it.
    ///
    /// - Parameters:
    ///   - waiter: The subscription.
    ///   - now: The current time.
    ///   - isFirstOver: Whether the interval of ``first`` is over.
    ///   - limit: The number of subscriptions that may wait; nil for any number.
    mutating func arrive(_ waiter: any RateWaiter, at now: Time, isFirstOver: Bool, limit: Int?) -> Arrival {
        if waiters.isEmpty, begun.count < count || isFirstOver { return .begins(dropping: begin(now, isFirstOver)) }
        if let limit, waiters.count >= limit { return .isRefused }
        waiter.place = waiters.add(waiter)
        return .waits(timer == nil ? nextTimer() : nil)
    }

    /// The result of a timer: the subscription that begins, the next timer to set, and removed values to release outside the
    /// lock.
    typealias Turn = (waiter: (any RateWaiter)?, next: Timer?, dropping: (Time?, AnyCancellable?))

    /// Handles a timer that has fired: lets the first in line begin if its time has come, and makes a timer for the next.
    ///
    /// - Returns: Nil if the timer is no longer the current one.
    mutating func tick(_ number: Int, at now: Time, isFirstOver: Bool) -> Turn? {
        guard timer?.number == number else { return nil }
        let token = timer.take()?.token
        guard begun.count < count || isFirstOver else { return (nil, nextTimer(), (nil, token)) }
        let waiter = waiters.popFirst()
        let spent = begin(now, isFirstOver)
        return (waiter, waiters.isEmpty ? nil : nextTimer(), (spent, token))
    }

    /// Removes a waiter that was cancelled.
    ///
    /// - Returns: The waiter, and the timer's token if none waits any more; nil if the waiter is not in line.
    mutating func leave(_ waiter: any RateWaiter) -> (waiter: any RateWaiter, token: AnyCancellable?)? {
        guard let place = waiter.place, let member = waiters.remove(place) else { return nil }
        return (member, waiters.isEmpty ? timer.take()?.token : nil)
    }

    /// Stores the token that cancels a timer, if that timer is still the current one.
    mutating func keep(_ token: AnyCancellable?, of number: Int) { if timer?.number == number { timer?.token = token } }

    // MARK: Parts

    /// Records that a subscription begins. Returns the time that it has removed.
    private mutating func begin(_ now: Time, _ isFirstOver: Bool) -> Time? {
        revision += 1
        // If `count` times are stored, the first is over, and is removed: so there are never more than `count`.
        let spent = isFirstOver ? begun.popFirst() : nil
        begun.append(now)
        return spent
    }

    /// Makes a new timer the current one.
    private mutating func nextTimer() -> Timer? {
        guard let first else { return nil }
        timersSoFar += 1
        timer = (timersSoFar, nil)
        return (timersSoFar, first)
    }
}
