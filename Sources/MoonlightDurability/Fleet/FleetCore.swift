import Moonlight
import Streams

/// The shell around a ``FleetResidency``: does what it decides.
///
/// A sender asks for a member, and waits until it is awake; then it uses the member's store as it would any other, and leaves. Because
/// a member that is used is not asked to fall asleep, its store takes the event:
///
///     sender                          residency                  keeper
///     ------                          ---------                  ------
///     enter "7"                       "7" is awake, 1 user
///                                                                "7" has not been used for long?  it has a user: stays
///     send, await the answer
///     leave "7"                       0 users
///                                     "7" is drowsy        <--   rest "7"
///     enter "7": waits                1 waits
///                                                                it is quiet; its loop ends; its log is closed
///                                     "7" is waking        <--   ended "7"
///                                                                its log is read; another loop begins
///     goes on with the new store      "7" is awake, 1 user <--   woke "7"
@usableFromInline
final class FleetCore<State: Equatable & Sendable, Event: Sendable>: @unchecked Sendable {
    // Sound: everything that changes is behind the lock.

    /// A member that is awake.
    struct Resident {
        let store: Store<State, Event>
        /// Nil in a fleet that is not durable. Not a property: each resident would need room for it.
        var log: (any WrittenMember)? { store.log as? any WrittenMember }
    }

    /// What a sender is answered that asks for a member.
    enum Answer {
        case use(Resident, FleetPlace)
        case refused(FleetError)
    }

    /// Makes a member that is to be awake.
    typealias Open = @Sendable (FleetCore, String, FleetPlace) async throws -> Resident

    struct Guarded: @unchecked Sendable {
        // Sound: only used behind the lock.
        var residency: FleetResidency
        var residents: [Resident?] = []
        var waiters: [Int: (id: String, waiter: CheckedContinuation<Answer, Never>)] = [:]
        var tickets = 0
        /// Who waits until a member is removed.
        var removals: [ExactText: [CheckedContinuation<Result<Void, FleetError>, Never>]] = [:]
        var alarms = AlarmBook()
        var watchers: [ExactText: [FleetWatcher<State>]] = [:]
        var counters = FleetCounters()
        /// The time at which the residency is swept next, and the alarms looked at.
        var sweepTime: Int64?
        var alarmTime: Int64?
        var isSounding = false
        var isOver = false
        var endWaiters: [CheckedContinuation<Void, Never>] = []
        /// Who waits until nobody is being woken or put to sleep.
        var stillWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let guarded: Lock<Guarded>
    let open: Open
    /// Removes the log of a member that has no loop.
    let removeLog: @Sendable (String) async throws -> Void
    let time: FleetTime
    let idle: Int64?
    let alarmEvent: @Sendable (Int64) -> Event?
    /// Where logs are read, which may block.
    let readers = FleetReaders()
    let opening: FleetOpening

    init(
        _ limits: FleetLimits, time: FleetTime, opening: FleetOpening, alarmEvent: @escaping @Sendable (Int64) -> Event?,
        open: @escaping Open, removeLog: @escaping @Sendable (String) async throws -> Void
    ) {
        idle = limits.idle?.nanoseconds
        self.open = open
        self.removeLog = removeLog
        self.time = time
        self.opening = opening
        self.alarmEvent = alarmEvent
        guarded = Lock(Guarded(residency: FleetResidency(resident: limits.resident, waking: limits.waking, idle: idle)))
    }

    // MARK: What the residency decides

    /// Changes what is guarded, and does what that leads to.
    @discardableResult
    func change<Result>(
        failure: FleetError? = nil, _ body: (inout Guarded, inout [FleetAction]) -> Result
    ) -> Result {
        var actions: [FleetAction] = []
        var answers: [(CheckedContinuation<Answer, Never>, Answer)] = []
        let (result, sweep, still) = guarded.withLock { guarded in
            let result = body(&guarded, &actions)
            for action in actions {
                switch action {
                case .admit(let ticket, let place):
                    guard let (_, waiter) = guarded.waiters.removeValue(forKey: ticket),
                        let resident = guarded.residents[place.number]
                    else { continue }
                    answers.append((waiter, .use(resident, place)))
                case .refuse(let ticket, let refusal):
                    guard let (id, waiter) = guarded.waiters.removeValue(forKey: ticket) else { continue }
                    answers.append((waiter, .refused(Self.error(refusal, id, failure, resident: guarded.residency.resident))))
                default: break
                }
            }
            var still: [CheckedContinuation<Void, Never>] = []
            if !guarded.stillWaiters.isEmpty, guarded.residency.isStill { swap(&still, &guarded.stillWaiters) }
            return (UncheckedTransfer(result), Self.sweepTime(&guarded), still)
        }
        for (waiter, answer) in answers { waiter.resume(returning: answer) }
        for waiter in still { waiter.resume() }
        if let sweep { plan(sweep) }
        for action in actions { perform(action) }
        return result.value
    }

    /// Returns when a sweep has to be scheduled for; nil if it is.
    static func sweepTime(_ guarded: inout Guarded) -> Int64? {
        guard let next = guarded.residency.nextSweep else { return nil }
        if let time = guarded.sweepTime, time <= next { return nil }
        guarded.sweepTime = next
        return next
    }

    /// Has the residency swept at a time.
    func plan(_ sweep: Int64) { time.after(sweep - time.now()) { [weak self] in self?.sweep(sweep) } }

    func perform(_ action: FleetAction) {
        switch action {
        case .wake(let place, let id): Task.detached(executorPreference: readers) { await self.wake(place, id) }
        case .rest(let place): rest(place)
        case .end(let place): end(place)
        case .cut(let place): cut(place)
        case .remove(let place, let id): Task.detached { await self.remove(place, id) }
        case .admit, .refuse: break
        case .over: Task.detached { await self.finish() }
        }
    }

    private func sweep(_ planned: Int64) {
        let now = time.now()
        change { guarded, actions in
            if guarded.sweepTime == planned { guarded.sweepTime = nil }
            guarded.residency.sweep(at: now, most: 256, &actions)
        }
    }
}
