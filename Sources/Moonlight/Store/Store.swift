import Streams
import Synchronization

/// A handle on a running loop, for code that calls rather than is called: a server's request handlers, a signal handler.
///
/// ```swift
/// let store = Store(
///     initialState: Counter(), environment: (),
///     transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
///     apply: { state, effect in state.count += effect })
/// store.send(1)
/// print(store.state.count)     // 1
/// await store.send(2)          // back when everything it caused has settled
/// ```
/// It is the same loop as `Moonlight.start` runs, with the same guarantees. A store without feedback goes on until it is
/// cancelled, which it also is when nobody holds it any more; one with feedback also comes to the loop's natural end.
///
/// Everything is safe from any thread.
public final class Store<State: Equatable, Event>: Cancellable {
    @usableFromInline let machine: ErasedLoop<State, Event>
    /// The stream of states: each subscriber gets the current one first, then each change, once and in order.
    ///
    /// That holds for a subscriber that takes them as they come, as `sink` does. One that asks for them one by one gets the newest
    /// each time, so that a slow one does not fall behind: `for await state in store.states.values` is such a one. To go
    /// through all of them, write `store.states.values(bufferingPolicy: .unbounded)`.
    public let states: AnyPublisher<State, Never>

    @inlinable
    init<Effect, Environment>(
        _ loop: Loop<State, Event, Effect, Environment>,
        _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) {
        states = loop.makeStatePublisher()
        machine = ErasedLoop(loop)
        loop.bind(states, staysOpenIfEmpty: true, feedback)
    }

    deinit { machine.cancel() }

    /// Sends an event.
    ///
    /// It runs before this returns if the loop is idle, and its ready effects with it; else it queues.
    ///
    /// - Returns: Whether it was taken; if not, why: the loop has ended, or too many events wait. What `transform` makes of it
    ///   the form with `await` tells.
    @inlinable @discardableResult
    public func send(_ event: Event) -> Result<Void, SendError> {
        if !machine.isRunning, let refusal = machine.refusal(of: event) { return .failure(refusal) }
        return machine.sendPlainly(event) ? .success(()) : .failure(.overflow)
    }

    /// Sends an event without waiting for what it causes: what `send` does, for asynchronous code, in which `send` means the
    /// one that waits.
    ///
    /// - Returns: Whether it was taken; if not, why: the loop has ended, or too many events wait.
    @inlinable @discardableResult
    public func post(_ event: Event) -> Result<Void, SendError> { send(event) }

    /// Sends an event, and returns when it and everything that it caused has settled: its effects have finished, and the
    /// events that feedback sent while they were applied have, too, with theirs.
    ///
    /// Observers have been told by then; a `sink` that was formed on an actor is told there soon, and one of the main actor before
    /// an `await` there returns. What feedback sends later, of its own accord, does not count. Waits for room if the inbox is
    /// bounded by ``InboxBound/suspend(_:)``. Do not await it from what the event itself waits for: an effect that awaits its own
    /// event never settles.
    ///
    /// - Returns: Whether it was taken and has settled; if not, why: refused by `transform`, say, or the task was cancelled,
    ///   which stops the waiting but not the event. If the loop is cancelled meanwhile, it is ``SendError/ended``.
    @inlinable @discardableResult
    public func send(_ event: Event) async -> Result<Void, SendError> {
        await machine.send(event, until: .settled)
    }

    /// Sends an event, and returns when it has come to a stage.
    ///
    /// ```swift
    /// switch await store.send(.bid(amount), until: .decided) {
    /// case .success: return 202                          // accepted; what it costs is being found out
    /// case .failure(.rejected(let reason)): return 409
    /// …
    /// ```
    /// Whatever it waits for, it first waits for room if the inbox is bounded by ``InboxBound/suspend(_:)``.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: How long to wait.
    /// - Returns: Whether it has come there; if not, why. To cancel the task ends the waiting, but not the event.
    @inlinable @discardableResult
    public func send(_ event: Event, until stage: SendStage) async -> Result<Void, SendError> {
        await machine.send(event, until: stage)
    }

    /// Sends an event, and returns when it has come to a stage, or the time is up.
    ///
    /// What is told at the deadline is ``SendError/timedOut(isTaken:)``: an event that was taken goes on, one that still waited for room
    /// was not taken.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: How long to wait, if there is time.
    ///   - limit: For how long.
    ///   - clock: Whose time it is.
    /// - Returns: Whether it has come there; if not, why.
    @discardableResult
    public func send(
        _ event: Event, until stage: SendStage = .settled, within limit: Duration,
        on clock: some Clock<Duration> = ContinuousClock()
    ) async -> Result<Void, SendError> {
        await machine.send(event, until: stage, within: limit, on: clock)
    }

    /// Sends an event, and reads the state as it is when the event has been decided about.
    ///
    /// ```swift
    /// let ticket = try await store.send(.take, until: .decided) { $0.nextTicket }
    /// ```
    /// Between the event and the reading nothing else happens: what is read is what this event, with the effects that lay ready,
    /// has made of the state. (``state`` after `await send` may be what later events have made of it.)
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: Always `.decided`.
    ///   - reading: Reads the state. Called in the loop, at most once: whatever it waits for, all of the loop waits for.
    /// - Returns: What was read.
    /// - Throws: Why there is no reading: the event was refused or lost, the loop has ended, or the task was cancelled.
    @inlinable
    public func send<Reading: Sendable>(
        _ event: Event, until stage: SendStage.Decision, reading: @escaping @Sendable (State) -> Reading
    ) async throws(SendError) -> Reading {
        if machine.isRunning {
            var result: Reading?
            if let sent = machine.handleAwaited(event, .decided, { result = reading($0) }) {
                if case .over(.failure(let error)) = sent { throw error }
                guard let result else { throw .ended }
                return result
            }
        }
        let (machine, box) = (machine, ReadingBox<Reading>())
        // Sound: called in an item of the loop; until that is over, nobody else can change the state.
        let read = UncheckedTransfer { box.reading = reading(machine.state) }
        try await machine.sendSlowly(event, reading: { read.value() }).get()
        guard let reading = box.reading else { throw .ended }
        return reading
    }

    /// The state at this moment; after the end, the last one.
    ///
    /// It is what the last effect has made of it, also in the midst of an event that has more of them. Beside a burst from other threads it may be
    /// another by the time you look: what your own event has made of it you get from ``send(_:until:reading:)``, and every state from
    /// ``states``. Safe from any thread.
    public var state: State { machine.state }

    /// A part of the state, whenever it changes, the current one first: every change, in order, for a subscriber that takes values as they
    /// come; the newest at each step for one that asks for them one by one, as `for await` over its `values` does (see ``states``).
    public func values<Value: Equatable>(of keyPath: KeyPath<State, Value>) -> AnyPublisher<Value, Never> {
        states.map(keyPath).removeDuplicates().eraseToAnyPublisher()
    }

    // MARK: What is in flight, and the end

    /// Whether nothing is in flight: no event waits or is handled, no stream of effects is live, no reaction runs. What other threads do
    /// may change it at any moment; asked from inside the loop, by an observer say, it is false.
    public var isQuiet: Bool { machine.isQuiet }

    /// Returns when nothing is in flight, if only for a moment: see ``isQuiet``. At once if the loop has ended; also if the calling
    /// task is cancelled. A reaction that never ends, a ticker say, keeps the loop from being quiet, and so does an effect that awaits
    /// this itself.
    public func quiet() async { await machine.quiet() }

    /// Everything that is in flight, oldest first: jobs, streams of effects without any, reactions. Ask ``LiveWork`` what for and
    /// since when.
    ///
    /// - Complexity: O(*n* log *n*), and a description of each event.
    public var inFlight: [LiveWork] { machine.inFlight }

    /// What the store has done so far, and what it is doing; nil if it has no name: see ``LoopOptions/name-swift.property``. Safe from
    /// any thread; the numbers are read one after the other.
    public var counters: StoreCounters? { machine.context.counters?.values }

    /// The events that are refused from now on, each with the reason: by `transform`, for want of room, because the loop is being
    /// drained, or as a job that they asked for did not start. It finishes with the loop.
    ///
    /// `send` has told the same to whoever sent the event, if anybody waits; this is for those who count or log.
    public var refusals: AnyPublisher<RefusedEvent<Event>, Never> { machine.context.refusals(of: Event.self) }

    /// Ends the loop when nothing is in flight any more, so that nothing is lost of what it has begun.
    ///
    /// ```swift
    /// let left = await store.drain(within: .seconds(20))
    /// for work in left { log.warning("cut off: \(work)") }
    /// ```
    /// From now on events from outside are refused with ``SendError/draining``, and reactions start nothing new. What is in flight
    /// goes on, with all that follows from it: effects, the events that feedback answers to a state at once, those that running
    /// reactions send. Events that other streams of feedback send of their own accord, as timers do, are not taken. A stream of effects
    /// or a reaction that never ends by itself says so by ``Streams/Publisher/untilDraining()``, and is ended now. Operators that move values
    /// to other threads or keep them, such as `receive(on:)` and `delay`, belong inside a reaction and not behind it: what is
    /// behind it is not waited for.
    ///
    /// When all has ended, or at the deadline, the loop ends; an effect that awaits that itself keeps it until the deadline. To cancel the task that waits shortens the deadline to now. It can be
    /// called more than once: each call has its deadline, and the first counts.
    ///
    /// - Parameters:
    ///   - limit: How long to wait; nil for as long as it takes.
    ///   - clock: Whose time it is.
    /// - Returns: What was in flight at the deadline, and has been cancelled; nothing if all has ended.
    @discardableResult
    public func drain(within limit: Duration?, on clock: some Clock<Duration> = ContinuousClock()) async -> [LiveWork] {
        await machine.drain(within: limit, on: clock)
    }

    /// Returns when the loop has ended, or the calling task is cancelled.
    public func finished() async { await machine.finished() }

    /// Ends the loop: nothing of it runs after this, but for a call that another thread had begun.
    public func cancel() { machine.cancel() }

    /// The jobs that are in flight or wait for others, oldest first, at this moment: beside a burst, others may have come and gone by the time
    /// you look. Safe from any thread.
    public var jobs: [JobInfo] { machine.context.jobs.list }

    /// The reactions in flight, oldest first, at this moment; as for ``jobs``.
    public var reactions: [ReactionInfo] { machine.context.reactions.list }

    /// How many streams of effects are live. Only for who runs the loop on a single thread, as a test does.
    package var liveEffects: Int { machine.countLiveEffects() }

    /// Cancels all jobs of an id.
    ///
    /// - Parameters:
    ///   - id: The id, as it was given.
    ///   - path: The child whose jobs they are.
    public func cancelJob(_ id: some Hashable & Sendable, of path: ScopePath = .root) {
        machine.context.jobs.cancel(JobID(id, path: path))
    }
}

// Sound: the machine guards itself. States and events cross threads, hence Sendable only where they are.
extension Store: @unchecked Sendable where State: Sendable, Event: Sendable {}
