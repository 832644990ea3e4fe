import Moonlight
import Streams

extension Fleet {
    /// Creates a durable fleet. It begins to open its storage, for which senders wait: see ``opened()``.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that each member runs.
    ///   - environment: Called once for each loop; returns the dependencies of the member's reducer.
    ///   - durable: The description of the members' durability.
    ///   - resident: The number of members awake beyond which the least recently used ones are put to sleep. Members with work in flight
    ///     stay awake, so there may be more.
    ///   - idle: The time without use after which a member falls asleep; at least a millisecond is used. It stays awake while it has work
    ///     in flight, while an observer keeps it awake, and if it has an alarm within that time.
    ///   - inbox: The number of events of one member that may wait.
    ///   - waking: The number of members that may be woken at once.
    ///   - alarm: A time in the state at which an event is sent, which wakes a sleeping member.
    ///   - scheduler: The scheduler that measures `idle` and the time until an alarm.
    ///   - now: The wall clock, for alarms and keys.
    ///   - options: Called once for each loop; returns its options, such as a journal. `inbox` replaces their bound of the inbox.
    ///   - feedback: Called once for each loop with the stream of states; returns the streams of events. A running reaction keeps the
    ///     member awake.
    ///   - interrupted: Called once for each interrupted piece of work, oldest first, when the member is woken; decides about it. By
    ///     default, its event is sent again. Never called if ``DurableFleet`` has no schema of events.
    ///   - initialState: The state of a member before any effect.
    @inlinable
    public convenience init<Effect: Sendable, Environment: Sendable, S: Scheduler & Sendable>(
        reducer: Reducer<State, Event, Effect, Environment>, environment: @escaping @Sendable (ID) -> Environment,
        durable: DurableFleet<State, Event, Effect>, resident: Int = 100_000, idle: Duration = .seconds(120),
        inbox: InboxBound = .unbounded, waking: Int = 64, alarm: FleetAlarm<State, Event>? = nil,
        scheduler: S = ClockScheduler(ContinuousClock()), now: @escaping @Sendable () -> WallTime = { .now },
        options: (@Sendable (ID) -> LoopOptions<State, Event, Effect>)? = nil,
        feedback: (@Sendable (ID, AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>])? = nil,
        interrupted: @escaping @Sendable (ID, InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect> = {
            .send($1.event)
        },
        initialState: @escaping @Sendable (ID) -> State
    ) where S.SchedulerTimeType == TimePoint {
        self.init(
            reducer, durable, FleetLimits(resident: resident, waking: waking, idle: idle, inbox: inbox), alarm, scheduler, now,
            options, feedback, interrupted, initialState
        ) { id, state, options, bind in
            Store(reducer: reducer, initialState: state, environment: environment(id), options: options, feedback: bind)
        }
    }

    /// - Parameter make: Creates a store. Formed where the types are known, so that the loop is specialized.
    @usableFromInline
    convenience init<Effect: Sendable, Environment: Sendable, S: Scheduler & Sendable>(
        _ reducer: Reducer<State, Event, Effect, Environment>, _ durable: DurableFleet<State, Event, Effect>,
        _ limits: FleetLimits, _ alarm: FleetAlarm<State, Event>?, _ scheduler: S, _ now: @escaping @Sendable () -> WallTime,
        _ chosen: (@Sendable (ID) -> LoopOptions<State, Event, Effect>)?,
        _ feedback: (@Sendable (ID, AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>])?,
        _ interrupted: @escaping @Sendable (ID, InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>,
        _ initialState: @escaping @Sendable (ID) -> State,
        _ make:
            @escaping @Sendable (
                ID, State, LoopOptions<State, Event, Effect>, (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
            ) -> Store<State, Event>
    ) where S.SchedulerTimeType == TimePoint {
        let time = FleetTime(scheduler, now)
        let home = DurableHome(durable, time)
        let open: FleetCore<State, Event>.Open = { core, text, place in
            guard let id = ID(text) else { throw FleetError.invalidID(text) }
            let (state, turns) = try await home.wake(text, place, core, reducer, initialState(id)) { interrupted(id, $0) }
            var options = chosen?(id) ?? LoopOptions()
            options.inbox = limits.inbox
            options.hook = OutputGate(turns)
            return FleetCore<State, Event>.Resident(store: make(id, state, options, feedback.streams(of: id)))
        }
        let opening = FleetOpening { await home.close() }
        let core = FleetCore<State, Event>(
            limits, time: time, opening: opening, alarm: alarm, open: open, removeLog: { try await home.remove($0) })
        core.opening.begin { [weak core] in if let core { try await home.open(core) } }
        self.init(core, storage: durable.storage)
    }

    /// Creates a fleet whose members are only in memory, so that none can be put to sleep. At most `resident` members are
    /// created; a further one is refused with ``FleetError/full(id:resident:)``.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that each member runs.
    ///   - environment: Called once for each member; returns the dependencies of its reducer.
    ///   - resident: The maximum number of members.
    ///   - inbox: The number of events of one member that may wait.
    ///   - options: Called once for each member; returns the options of its loop, such as a journal. `inbox` replaces their bound of the
    ///     inbox.
    ///   - feedback: Called once for each member with the stream of states; returns the streams of events.
    ///   - initialState: The state of a member before any effect.
    @inlinable
    public convenience init<Effect, Environment: Sendable>(
        reducer: Reducer<State, Event, Effect, Environment>, environment: @escaping @Sendable (ID) -> Environment,
        resident: Int = 100_000,
        inbox: InboxBound = .unbounded,
        options: (@Sendable (ID) -> LoopOptions<State, Event, Effect>)? = nil,
        feedback: (@Sendable (ID, AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>])? = nil,
        initialState: @escaping @Sendable (ID) -> State
    ) {
        self.init(FleetLimits(resident: resident, waking: .max, idle: nil, inbox: inbox), feedback) { id, bind in
            var chosen = options?(id) ?? LoopOptions()
            chosen.inbox = inbox
            return Store(
                reducer: reducer, initialState: initialState(id), environment: environment(id), options: chosen, feedback: bind)
        }
    }

    @usableFromInline
    convenience init(
        _ limits: FleetLimits, _ feedback: (@Sendable (ID, AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>])?,
        _ make: @escaping @Sendable (ID, (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]) -> Store<State, Event>
    ) {
        let time = FleetTime(ClockScheduler(ContinuousClock())) { .now }
        let open: FleetCore<State, Event>.Open = { _, text, _ in
            guard let id = ID(text) else { throw FleetError.invalidID(text) }
            return FleetCore<State, Event>.Resident(store: make(id, feedback.streams(of: id)))
        }
        let core = FleetCore<State, Event>(
            limits, time: time, opening: FleetOpening(), alarm: nil, open: open, removeLog: { _ in })
        self.init(core, storage: nil)
    }
}

extension Optional {
    /// Returns the streams of events of a member, and one that never ends, since only the fleet ends a member.
    fileprivate func streams<ID, State, Event>(
        of id: ID
    ) -> (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    where Wrapped == @Sendable (ID, AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] {
        guard let feedback = self else { return { _ in [] } }
        return { states in feedback(id, states) + [Empty(completeImmediately: false).eraseToAnyPublisher()] }
    }
}
