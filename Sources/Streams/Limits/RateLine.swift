/// A subscription that waits for its turn.
@usableFromInline protocol RateWaiter: AnyObject, Sendable {
    /// Its number in the line. The limiter's, behind its lock.
    var place: Int? { get set }

    /// Begins: its turn has come.
    func begin()
}

/// Which subscriptions begin and which wait: plain decisions, without a clock and without calls.
///
/// Points in time may be the user's code, and so may be their comparison. So whoever asks for a decision says whether the interval
/// of the ``first`` is over; if ``revision`` has changed since it looked, it looks again. What is taken out is returned, to be let go of
/// outside the lock.
struct RateLine<Time: Sendable>: @unchecked Sendable {
    // Sound: only used behind a lock.

    /// The timer for the turn of the first in line: due an interval after another has begun.
    typealias Timer = (number: Int, after: Time)

    let count: Int
    /// Changes whenever a subscription begins.
    private(set) var revision = 0
    /// When subscriptions began: those of the last interval, and perhaps some before.
    private var begun = Queue<Time>()
    private var waiters: [Int: any RateWaiter] = [:]
    /// The numbers of those in line, in order, and of some that have left it.
    private var order = Queue<Int>()
    private var placesSoFar = 0
    private var timersSoFar = 0
    /// There is one as long as somebody waits; its token comes a little later.
    private var timer: (number: Int, token: AnyCancellable?)?

    init(count: Int) { self.count = count }

    /// Of those that began and count, when the first did.
    var first: Time? { begun[0] }
    var waiting: Int { waiters.count }

    // MARK: Decisions

    /// What becomes of a new subscription.
    enum Arrival {
        case begins(dropping: Time?)
        /// It waits; if it is the first that does, a timer is to be set.
        case waits(Timer?)
        case isRefused
    }

    /// - Parameter limit: How many may wait; nil if that does not matter.
    mutating func arrive(_ waiter: any RateWaiter, at now: Time, isFirstOver: Bool, limit: Int?) -> Arrival {
        if waiters.isEmpty, begun.count < count || isFirstOver { return .begins(dropping: begin(now, isFirstOver)) }
        if let limit, waiters.count >= limit { return .isRefused }
        placesSoFar += 1
        waiter.place = placesSoFar
        waiters[placesSoFar] = waiter
        order.append(placesSoFar)
        return .waits(timer == nil ? nextTimer() : nil)
    }

    typealias Turn = (waiter: (any RateWaiter)?, next: Timer?, dropping: (Time?, AnyCancellable?))

    /// A timer is due: one begins, and the next has a timer of its own.
    /// - Returns: Nil if the timer does not count any more.
    mutating func tick(_ number: Int, at now: Time, isFirstOver: Bool) -> Turn? {
        guard timer?.number == number else { return nil }
        let token = timer.take()?.token
        guard begun.count < count || isFirstOver else { return (nil, nextTimer(), (nil, token)) }
        let waiter = popFirst()
        let spent = begin(now, isFirstOver)
        return (waiter, waiters.isEmpty ? nil : nextTimer(), (spent, token))
    }

    /// Takes a waiter out that was cancelled.
    /// - Returns: It, and the timer's token if nobody waits now.
    mutating func leave(_ waiter: any RateWaiter) -> (waiter: any RateWaiter, token: AnyCancellable?)? {
        guard let place = waiter.place, let member = waiters.removeValue(forKey: place) else { return nil }
        if order.count > 2 * waiters.count + 16 { closeUp() }
        return (member, waiters.isEmpty ? timer.take()?.token : nil)
    }

    /// Keeps what takes a timer back, if that is still waited for.
    mutating func keep(_ token: AnyCancellable?, of number: Int) { if timer?.number == number { timer?.token = token } }

    // MARK: Parts

    private mutating func begin(_ now: Time, _ isFirstOver: Bool) -> Time? {
        revision += 1
        // One goes whenever one comes: so there are never more than began within one interval.
        let spent = isFirstOver ? begun.popFirst() : nil
        begun.append(now)
        return spent
    }

    private mutating func nextTimer() -> Timer? {
        guard let first else { return nil }
        timersSoFar += 1
        timer = (timersSoFar, nil)
        return (timersSoFar, first)
    }

    private mutating func popFirst() -> (any RateWaiter)? {
        while let number = order.popFirst() {
            if let waiter = waiters.removeValue(forKey: number) { return waiter }
        }
        return nil
    }

    /// Forgets the numbers of those that have left the line.
    private mutating func closeUp() {
        var kept = Queue<Int>()
        while let number = order.popFirst() { if waiters[number] != nil { kept.append(number) } }
        order = kept
    }
}
