import Moonlight
import Streams

/// The shell around a ``FleetResidency``, which executes its decisions.
///
/// A sender asks for a member, waits until it is awake, uses its store and leaves. A member in use is not asked to fall asleep, so its
/// store takes the event:
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
///     continues with the new store    "7" is awake, 1 user <--   woke "7"
final class FleetCore<State: Equatable & Sendable, Event: Sendable>: @unchecked Sendable {
    // Sound: everything that changes is behind the lock.

    /// A member that is awake.
    struct Resident {
        let store: Store<State, Event>
        /// Nil in a fleet that is not durable. Computed, to save memory.
        var log: (any FleetMember)? { store.log as? any FleetMember }
    }

    /// The answer to a sender that asks for a member.
    enum Answer {
        case use(Resident, FleetPlace)
        case refused(FleetError)
    }

    /// Opens a member that is woken.
    typealias Open = @Sendable (FleetCore, String, FleetPlace) async throws -> Resident

    struct Guarded: @unchecked Sendable {
        // Sound: only used behind the lock.
        var residency: FleetResidency
        var residents: [Resident?] = []
        var waiters: [Int: (id: String, waiter: CheckedContinuation<Answer, Never>)] = [:]
        var tickets = 0
        /// The tasks that wait for the removal of a member.
        var removals: [ExactText: [CheckedContinuation<Result<Void, FleetError>, Never>]] = [:]
        var alarms = AlarmBook()
        var watchers: [ExactText: [FleetWatcher<State>]] = [:]
        var counters = FleetCounters()
        /// The time of the next sweep of the residency.
        var sweepTime: Int64?
        /// The time at which alarms are checked next.
        var alarmTime: Int64?
        /// The number of the timer for it, which is the last one, and its token.
        var alarmTimer: (number: Int, token: AnyCancellable?) = (0, nil)
        var isSounding = false
        /// True if members are ended without waiting for their work in flight.
        var isCancelled = false
        var isOver = false
        var endWaiters: [CheckedContinuation<Void, Never>] = []
        /// The tasks that wait until no member is being woken or put to sleep.
        var stillWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let guarded: Lock<Guarded>
    let open: Open
    /// Removes the log of a member that has no loop.
    let removeLog: @Sendable (String) async throws -> Void
    let time: FleetTime
    let idle: Int64?
    let alarm: FleetAlarm<State, Event>?
    /// The threads that read logs, which may block.
    let readers = LogExecutor(named: "fleet", isConcurrent: true)
    let opening: FleetOpening

    init(
        _ limits: FleetLimits, time: FleetTime, opening: FleetOpening, alarm: FleetAlarm<State, Event>?,
        open: @escaping Open, removeLog: @escaping @Sendable (String) async throws -> Void
    ) {
        // A member that has work in flight is asked again after this time.
        idle = limits.idle.map { max($0.nanoseconds, 1_000_000) }
        self.open = open
        self.removeLog = removeLog
        self.time = time
        self.opening = opening
        self.alarm = alarm
        guarded = Lock(Guarded(residency: FleetResidency(resident: limits.resident, waking: limits.waking, idle: idle)))
    }

    // MARK: Decisions of the residency

    /// Changes the guarded state, and carries out the resulting actions.
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

    /// Returns the time for which a sweep must be scheduled; nil if one is.
    static func sweepTime(_ guarded: inout Guarded) -> Int64? {
        guard let next = guarded.residency.nextSweep else { return nil }
        if let time = guarded.sweepTime, time <= next { return nil }
        guarded.sweepTime = next
        return next
    }

    /// Schedules a sweep of the residency.
    func plan(_ sweep: Int64) { time.at(sweep) { [weak self] in self?.sweep(sweep) } }

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

/// The limits of a fleet.
@usableFromInline
struct FleetLimits: Sendable {
    let resident: Int
    let waking: Int
    /// Nil if members are not put to sleep.
    let idle: Duration?
    let inbox: InboxBound

    @usableFromInline
    init(resident: Int, waking: Int, idle: Duration?, inbox: InboxBound) {
        precondition(resident > 0, "resident must be at least 1, but is \(resident)")
        precondition(waking > 0, "waking must be at least 1, but is \(waking)")
        self.resident = resident
        self.waking = waking
        self.idle = idle
        self.inbox = inbox
    }
}

/// The clocks of a fleet.
struct FleetTime: Sendable {
    /// The time of the scheduler, in nanoseconds.
    let now: @Sendable () -> Int64
    /// Calls a closure at a time of the scheduler, in nanoseconds.
    let at: @Sendable (Int64, @escaping @Sendable () -> Void) -> Void
    /// Calls a closure at a time of the scheduler, in nanoseconds, unless the token is released before. Returns nil if the scheduler
    /// cannot withdraw closures.
    let timer: @Sendable (Int64, @escaping @Sendable () -> Void) -> AnyCancellable?
    /// The wall clock, in nanoseconds since 1970.
    let wall: @Sendable () -> Int64

    init<S: Scheduler & Sendable>(_ scheduler: S, _ wall: @escaping @Sendable () -> WallTime)
    where S.SchedulerTimeType == TimePoint {
        now = { Int64(scheduler.now.offset.nanoseconds) }
        let date = { @Sendable (time: Int64) in
            let now = scheduler.now
            let left = time.minus(Int64(now.offset.nanoseconds))
            return now.advanced(by: .nanoseconds(Int(max(left, 0))))
        }
        at = { scheduler.schedule(after: date($0), $1) }
        timer = { scheduler.schedule(once: date($0), tolerance: nil, options: nil, $1) }
        self.wall = { wall().sinceEpoch.nanoseconds }
    }
}
