import Streams
import Synchronization

/// A handle on a running loop, for code that calls it rather than being called by it, such as a server's request handlers or
/// a signal handler.
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
/// A store runs the same loop as `Moonlight.start`, with the same guarantees. A store without feedback runs until it is
/// drained or cancelled; it is cancelled, too, when the last reference to it is released. One with feedback also ends by itself, once
/// all streams of events that the feedback returns have finished and no effect is live; those of rules and reactions do not finish. So
/// do not return `Just(.start)` to begin with an event: such a store ends at once, and refuses what is sent later with
/// ``SendError/ended``. Create the store, then `send(.start)`.
///
/// It is safe to use from any thread.
public final class Store<State: Equatable, Event>: Cancellable {
    @usableFromInline let loop: any AnyLoop
    @usableFromInline let context: LoopContext
    /// Passes an event to the loop, with the settlement of a sender that waits, which may have waited for room, too; returns whether
    /// the event was taken. Formed where the loop's types are known, so that it stays specialized.
    @usableFromInline let take: (Event, _ asker: Settlement?, _ hasRoom: Bool) -> Bool
    /// The loop's stream of states, which the loop itself releases when it ends.
    @usableFromInline let shown: DrivenSubject<State>
    /// The stream of states: each subscriber receives the current one first, then each change, once and in order.
    ///
    /// That holds for a subscriber with unlimited demand, such as `sink`. A subscriber that requests states one by one, such
    /// as `for await state in store.states.values`, receives the newest one each time, so that a slow one does not fall
    /// behind. To go through all states, write `store.states.values(bufferingPolicy: .unbounded)`.
    @inlinable public var states: AnyPublisher<State, Never> { shown.publisher }

    @inlinable
    init<Effect, Environment>(
        _ loop: Loop<State, Event, Effect, Environment>,
        _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) {
        guard let states = loop.states else { preconditionFailure("a loop has states until it ends") }
        self.loop = loop
        context = loop.context
        take = { loop.take($0, from: $2 ? .hasRoom : .outside, awaitedBy: $1) }
        shown = states
        loop.keepsLast = true
        loop.bind(states.publisher, staysOpenIfEmpty: true, feedback)
    }

    deinit { loop.cancel() }

    /// Sends an event.
    ///
    /// If the loop is idle and may run on the calling thread, the event is handled before this returns, together with its
    /// ready effects. Otherwise it is queued, and may be handled after this has returned. The loop may be busy even if nobody
    /// else sends events: a body of `run` that sends an effect or ends, for example, enters it for a moment on its own thread.
    ///
    /// - Parameter event: The event.
    /// - Returns: Success if the event was taken; otherwise the reason: the loop has ended or is being drained, or too many
    ///   events wait. To learn whether `transform` accepted the event, use the `async` form.
    @inlinable @discardableResult
    public func send(_ event: Event) -> Result<Void, SendError> {
        if !context.isRunning, let refusal = refusal(of: event) { return .failure(refusal) }
        return take(event, nil, false) ? .success(()) : .failure(.overflow)
    }

    /// Sends an event without waiting for what it causes. This is the synchronous `send`, for asynchronous code, in which
    /// `send` means the form that waits. If the loop is busy, even for a moment, the event is handled after this has returned.
    ///
    /// - Parameter event: The event.
    /// - Returns: Success if the event was taken; otherwise the reason: the loop has ended or is being drained, or too many
    ///   events wait.
    @inlinable @discardableResult
    public func post(_ event: Event) -> Result<Void, SendError> { send(event) }

    /// Sends an event, and returns when it and everything that it caused has settled: its effects have finished, and so have
    /// the events that feedback sent while they were applied, with their own effects.
    ///
    /// Observers have been notified by then. A `sink` that was formed on an actor runs there soon; one of the main actor runs
    /// before an `await` there returns. Events that feedback sends later, of its own accord, do not count. If the inbox is
    /// bounded by ``InboxBound/suspend(_:)``, this first waits for room. Do not await it from what the event itself waits
    /// for: an effect that awaits its own event never settles.
    ///
    /// - Parameter event: The event.
    /// - Returns: Success if the event was taken and has settled; otherwise the reason, for example that `transform` rejected
    ///   it, or that the task was cancelled, which ends the wait but not the event. If the loop is cancelled meanwhile, the
    ///   error is ``SendError/interrupted(_:)`` if the event had been handled, and ``SendError/ended`` if not.
    @inlinable @discardableResult
    public func send(_ event: Event) async -> Result<Void, SendError> {
        await send(event, until: .settled, reading: nil)
    }

    /// Sends an event, and returns when it has reached a stage.
    ///
    /// ```swift
    /// switch await store.send(.bid(amount), until: .decided) {
    /// case .success: return 202                          // accepted; what it costs is being found out
    /// case .failure(.rejected(let reason)): return 409
    /// …
    /// ```
    /// Whatever the stage, this first waits for room if the inbox is bounded by ``InboxBound/suspend(_:)``.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: The stage to wait for.
    /// - Returns: Success if the event has reached the stage; otherwise the reason. Cancelling the task ends the wait, but
    ///   not the event.
    @inlinable @discardableResult
    public func send(_ event: Event, until stage: SendStage) async -> Result<Void, SendError> {
        await send(event, until: stage, reading: nil)
    }

    /// Sends an event, and returns when it has reached a stage, or the time is up.
    ///
    /// At the deadline, the error is ``SendError/timedOut(isTaken:)``: an event that was taken goes on; one that still waited
    /// for room was not taken.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: The stage to wait for.
    ///   - limit: The longest time to wait.
    ///   - clock: The clock that measures the time.
    /// - Returns: Success if the event has reached the stage; otherwise the reason.
    @discardableResult
    public func send(
        _ event: Event, until stage: SendStage = .settled, within limit: Duration,
        on clock: some Clock<Duration> = ContinuousClock()
    ) async -> Result<Void, SendError> {
        // Sound: awaited before this returns, so that nobody else has the event at the same time.
        let send = UncheckedTransfer { [body = context.runningBody] in
            await self.send(event, until: stage, from: body, reading: nil)
        }
        return await withTaskGroup(of: Result<Void, SendError>?.self) { group in
            group.addTask { await send.value() }
            group.addTask {
                try? await clock.wait(until: clock.instant(after: limit), tolerance: nil)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            if case .some(.some(let result)) = first { return result }
            // Cancelling the wait makes it report how far the event has got.
            guard case .some(.some(let result)) = await group.next() else { return .failure(.timedOut(isTaken: true)) }
            if case .failure(.cancelled(let isTaken)) = result, !Task.isCancelled { return .failure(.timedOut(isTaken: isTaken)) }
            return result
        }
    }

    /// Sends an event, and reads the state as it is when the event has been decided.
    ///
    /// ```swift
    /// let ticket = try await store.send(.take, until: .decided) { $0.nextTicket }
    /// ```
    /// Nothing else happens between the event and the reading: the state that is read is the one that this event, with its
    /// ready effects, has led to. (``state`` after `await send` may also include later events.)
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: Always `.decided`.
    ///   - reading: Reads the state. Called inside the loop, at most once; if it blocks, the whole loop waits.
    /// - Returns: What was read.
    /// - Throws: A ``SendError`` if there is no reading: the event was rejected or lost, the loop has ended, or the task was
    ///   cancelled.
    @inlinable
    public func send<Reading: Sendable>(
        _ event: Event, until stage: SendStage.Decision, reading: @escaping @Sendable (State) -> Reading
    ) async throws(SendError) -> Reading {
        // Not the store itself: the event would keep it from ending.
        let (shown, context, box) = (shown, context, ReadingBox<Reading>())
        // Sound: called inside an item of the loop; until that is done, nobody else can change the state.
        let read = UncheckedTransfer { box.reading = reading(Self.state(from: shown, context)) }
        try await send(event, until: .decided, reading: { read.value() }).get()
        guard let reading = box.reading else { throw .ended }
        return reading
    }

    /// The current state; after the end, the last one.
    ///
    /// It includes every effect that has been applied, also in the middle of an event that has more of them. While other
    /// threads send events, it may be outdated by the time you look at it: for the state that your own event leads to, use
    /// ``send(_:until:reading:)``; for every state, ``states``. Safe from any thread.
    @inlinable public var state: State { Self.state(from: shown, context) }

    /// Returns the current state; once the loop has ended, the last one.
    @inlinable
    static func state(from shown: DrivenSubject<State>, _ context: LoopContext) -> State {
        // The last state is stored in the context before the subject releases it.
        shown.last ?? context.lastState(State.self)
    }

    /// Returns a stream of a part of the state: the current value first, then each change.
    ///
    /// A subscriber with unlimited demand receives every change, in order. One that requests values one by one, as
    /// `for await` over its `values` does, receives the newest value at each step; see ``states``.
    ///
    /// - Parameter keyPath: The part of the state.
    /// - Returns: A stream of that part, in which no value equals the one before.
    @inlinable
    public func values<Value: Equatable>(of keyPath: KeyPath<State, Value>) -> AnyPublisher<Value, Never> {
        states.map(keyPath).removeDuplicates().eraseToAnyPublisher()
    }

    // MARK: What is in flight, and the end

    /// Whether nothing is in flight: no event waits or is being handled, no stream of effects is live, no reaction runs.
    /// Other threads may change that at any moment. Inside the loop, in an observer for example, it is false.
    public var isQuiet: Bool { loop.isQuiet }

    /// Whether all that was sent before has been handled, and ``state`` includes it. Streams of effects may be live.
    package var isIdle: Bool { loop.isIdle }

    /// Returns when nothing is in flight, if only for a moment; see ``isQuiet``.
    ///
    /// Returns at once if the loop has ended, and early if the calling task is cancelled. A reaction that never ends, such as
    /// a ticker, keeps the loop from being quiet, and so does an effect that awaits this method itself.
    public func quiet() async {
        let outcome = Settlement.Outcome()
        context.watchesQuiet.store(true, ordering: .releasing)
        let watch = context.service(QuietWatch.self)
        let number = watch.wait(for: loop) { outcome.end() }
        _ = await outcome.value
        watch.leave(number)
    }

    /// Everything in flight, oldest first: jobs, streams of effects without jobs, reactions. Each ``LiveWork`` says which
    /// event it is for, and when it was started or queued.
    ///
    /// - Complexity: O(*n* log *n*), and a description of each event.
    public var inFlight: [LiveWork] {
        let jobs = context.jobs.live
        // A stream that contains jobs is represented by them.
        let named = Set(jobs.map { ObjectIdentifier($0.stream) })
        let streams = loop.liveStreams.filter { !named.contains(ObjectIdentifier($0.stream)) }.map(\.info)
        let all = streams + jobs.map { LiveWork($0.info) } + context.reactions.list.map { LiveWork($0) }
        return all.sorted { $0.since < $1.since }
    }

    /// What the store has done so far, and what it is doing; nil if it has no name, see ``LoopOptions/name-swift.property``.
    /// Safe from any thread. The numbers are read one after another, and so may be of slightly different moments.
    public var counters: StoreCounters? { context.counters?.values }

    /// A stream of the events that are refused from now on, each with the reason: `transform` rejected it, there was no room,
    /// the loop is being drained, or a job that it asked for did not start. It finishes with the loop.
    ///
    /// The sender of such an event, if it waits, gets the same error from `send`; this stream is for counting and logging.
    public var refusals: AnyPublisher<RefusedEvent<Event>, Never> { context.refusals(of: Event.self) }

    /// Ends the loop when nothing is in flight any more, so that no work that it has begun is lost.
    ///
    /// ```swift
    /// let left = await store.drain(within: .seconds(20))
    /// for work in left { log.warning("cut off: \(work)") }
    /// ```
    /// From now on, events from outside are refused with ``SendError/draining``, and reactions start nothing new. Work in
    /// flight goes on, with everything that follows from it: effects, events that feedback sends at once in answer to a
    /// state, and events that running reactions send. Events that other feedback streams send of their own accord, such as
    /// those of a timer, are refused.
    ///
    /// A stream of effects or a reaction that never ends by itself should use ``Streams/Publisher/untilDraining()``, which
    /// ends it now. Operators that move values to other threads or keep them, such as `receive(on:)` and `delay`, belong
    /// inside a reaction and not after it: the loop does not wait for values that a reaction has passed on to them.
    ///
    /// The loop ends when all work has ended, or at the deadline. An effect that awaits this call itself keeps the loop
    /// running until the deadline. Cancelling the calling task moves the deadline to now. This can be called more than once:
    /// each call has its deadline, and the earliest counts.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for work in flight; nil for as long as it takes.
    ///   - clock: The clock that measures the time.
    /// - Returns: The work that was in flight at the deadline, and has been cancelled; empty if all work had ended.
    @discardableResult
    public func drain(within limit: Duration?, on clock: some Clock<Duration> = ContinuousClock()) async -> [LiveWork] {
        loop.drain()
        let outcome = Settlement.Outcome()
        let timer = limit.map { limit in
            Task {
                try? await clock.wait(until: clock.instant(after: limit), tolerance: nil)
                outcome.end()
            }
        }
        _ = await context.wait(for: outcome)
        timer?.cancel()
        if context.isOver { return [] }
        let left = inFlight
        loop.cancel()
        return left
    }

    /// Begins to drain the loop, as ``drain(within:on:)`` does, and returns at once. If nothing is in flight and no other thread is
    /// in the loop, it has ended by then.
    package func beginDraining() { loop.drain() }

    /// Returns when the loop has ended, or the calling task is cancelled.
    public func finished() async { _ = await context.wait(for: Settlement.Outcome()) }

    /// Cancels the loop. Nothing of it runs afterwards, except a call that another thread has already begun.
    ///
    /// Folding one effect is one call, which ends as it would without the cancellation: if a part of it cancels, the combined
    /// reducers, the results and the parents that fold the same effect are still called. The state that this makes reaches nobody.
    public func cancel() { loop.cancel() }

    /// The jobs that are in flight at this moment, oldest first, including those that wait for others. While other threads
    /// send events, the list may be outdated by the time you look at it. Safe from any thread.
    public var jobs: [JobInfo] { context.jobs.list }

    /// The reactions that are in flight at this moment, oldest first. As with ``jobs``, the list may soon be outdated.
    public var reactions: [ReactionInfo] { context.reactions.list }

    /// The hook of the loop; nil if it has none.
    package var hook: AnyObject? { loop.hookOfLoop }

    /// The number of live streams of effects at this moment.
    package var liveEffects: Int { loop.liveStreams.count }

    /// Cancels all jobs with an id that are in flight, at once, also while another thread is in the loop: a body of theirs that
    /// has not begun never does, and none of their effects is applied any more.
    ///
    /// A job of an event that still waits to be handled is not in flight yet, and starts later, even if this thread has sent the
    /// event before; see ``post(_:)``. To cancel in the order of the events, send an event for which `transform` returns
    /// ``Streams/AnyPublisher/cancelJob(_:)``, or first wait for the other event: `await store.send(event, until: .decided)`.
    ///
    /// If the loop stays on an actor, because its environment is not Sendable, and another thread calls this, the streams of the jobs
    /// are cancelled on that actor, soon.
    ///
    /// - Parameters:
    ///   - id: The id, as it was passed to `job(_:_:)`.
    ///   - path: The child that the jobs belong to.
    public func cancelJob(_ id: some Hashable & Sendable, of path: ScopePath = .root) {
        context.jobs.cancel(JobID(id, path: path))
    }
}

// Sound: the loop guards itself. States and events cross threads, so a store is Sendable only where they are.
extension Store: @unchecked Sendable where State: Sendable, Event: Sendable {}

// Sending an event and waiting for what becomes of it.
extension Store {
    /// Returns why a loop that is not running refuses an event of the caller; nil if it takes the event, because the event
    /// follows from the item being handled. Also notifies observers of refusals, if the loop is being drained.
    @usableFromInline
    func refusal(of event: Event) -> SendError? {
        if context.isOver { return .ended }
        guard context.isDraining, !loop.isHandledHere else { return nil }
        context.tellRefused(event, .draining)
        return .draining
    }

    /// Sends an event, and waits until it has reached a stage.
    ///
    /// - Parameter read: Called inside the loop when the event has been accepted and its ready effects applied.
    @inlinable
    func send(
        _ event: Event, until stage: SendStage, reading read: (@Sendable () -> Void)?
    ) async -> Result<Void, SendError> {
        await send(event, until: stage, from: context.runningBody, reading: read)
    }

    /// - Parameter body: The stream or job of this loop whose body is calling; nil if the caller is something else.
    @inlinable
    func send(
        _ event: Event, until stage: SendStage, from body: EffectOrigin?, reading read: (@Sendable () -> Void)?
    ) async -> Result<Void, SendError> {
        if body != nil { loop.beginAwaiting() }
        defer { if body != nil { context.endAwaiting() } }
        var hasRoom = false
        while true {
            if !context.isRunning, let refusal = refusal(of: event) { return .failure(refusal) }
            // A new outcome for each attempt: if the event is not taken, the outcome of that attempt is over.
            let outcome = stage == .decided ? Settlement.Decision(read: read) : Settlement.Outcome()
            // A sender that waits only for the decision does not wait for what the event leads to, and so is no awaiter.
            if offer(event, hasRoom: hasRoom, outcome, stage == .settled ? body : nil) {
                if stage == .taken { return .success(()) }
                if let result = outcome.result { return result }
                return await context.wait(for: outcome)
            }
            guard let waitForRoom = loop.waitForRoom else { return .failure(.overflow) }
            hasRoom = await waitForRoom()
            guard hasRoom else { return .failure(.cancelled(isTaken: false)) }
        }
    }

    /// Sends an event whose settlement reports to `outcome`. Nothing here keeps the settlement alive.
    ///
    /// - Returns: Whether the event was taken.
    @inlinable
    func offer(_ event: Event, hasRoom: Bool, _ outcome: Settlement.Outcome, _ awaiter: EffectOrigin?) -> Bool {
        take(event, Settlement(of: context, outcome, awaiter: awaiter), hasRoom)
    }
}

/// A reading inside the loop, for the sender that waits outside.
@usableFromInline
final class ReadingBox<Reading: Sendable>: @unchecked Sendable {
    // Sound: filled inside the loop, before the sender is resumed by way of a lock.
    @usableFromInline var reading: Reading?

    @inlinable
    init() {}
}

extension LiveWork {
    init(_ job: JobInfo) {
        self.init(
            kind: .job(job.id, isWaiting: job.isWaiting), path: job.id.path, event: job.event, cause: job.cause, since: job.since)
    }

    init(_ reaction: ReactionInfo) {
        self.init(kind: .reaction(reaction.key), path: reaction.path, event: nil, cause: nil, since: reaction.since)
    }
}
