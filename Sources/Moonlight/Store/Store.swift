import Streams
import Synchronization

/// A handle on a running loop, for code that calls it rather than being called by it, such as a server's request handlers or
/// a signal handler.
///
/// ```swift
/// let counter = Reducer<Counter, Int, Int, Void>(
///     transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
///     apply: { state, effect in state.count += effect })
///
/// let store = Store(reducer: counter, initialState: Counter(), environment: ())
/// store.send(1)
/// print(store.state.count)     // 1
/// await store.send(2)          // returns when everything that it caused has settled
/// ```
/// A store runs the same loop as `Moonlight.start`, with the same guarantees. A store without feedback runs until it is drained
/// or cancelled; it is cancelled, too, when the last reference to it is released. One with feedback also ends by itself, once all
/// streams of events that the feedback returns have finished and no effect is live; those of rules and reactions do not finish.
/// So do not return `Just(.start)` to begin with an event: such a store ends at once, and refuses later events with
/// ``/LoopValues/SendError/ended``. Create the store, then `send(.start)`.
///
/// It is safe to use from any thread.
public final class Store<State: Equatable, Event>: Cancellable {
    @usableFromInline let loop: any AnyLoop
    @usableFromInline let context: LoopContext
    /// Passes an event to the loop, with the settlement of a sender that waits, which may have waited for room, too; returns
    /// whether the event was taken. Formed where the loop's types are known, so that it stays specialized.
    @usableFromInline let take: (Event, _ asker: Settlement?, _ hasRoom: Bool) -> Bool
    /// Handles an event at once, if the loop is idle: see `Loop.handle(_:awaitedUntil:reading:)`.
    @usableFromInline let handleAwaited: (Event, SendStage, (State) -> Void) -> Result<Settlement.Outcome?, SendError>?
    /// The loop's stream of states, which the loop itself releases when it ends.
    @usableFromInline let shown: DrivenSubject<State>
    /// The stream of states: each subscriber receives the current one first, then each change, once and in order.
    ///
    /// That holds for a subscriber with unlimited demand, such as `sink`. A subscriber that requests states one by one, such as
    /// `for await state in store.states.values`, receives the newest one each time, so that a slow one does not fall behind. To
    /// iterate over all states, write `store.states.values(bufferingPolicy: .unbounded)`.
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
        handleAwaited = { loop.handle($0, awaitedUntil: $1, reading: $2) }
        shown = states
        loop.keepsLast = true
        loop.bind(states.publisher, staysOpenIfEmpty: true, feedback)
    }

    deinit { loop.cancel() }

    /// The current state; after the end, the last one.
    ///
    /// It includes every effect that has been applied, also in the middle of an event that has more of them. While other threads
    /// send events, it may be outdated when it is used: for the state after an event of your own, use ``send(_:reading:)``; for
    /// every state, ``states``. Safe from any thread.
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
        AnyPublisher(storing: .hiding(states.map(keyPath).removeDuplicates()))
    }

    // MARK: Work in flight, and the end

    /// True if nothing is in flight. Inside the loop, in an observer for example, it is false.
    package var isQuiet: Bool { loop.isQuiet }

    /// True if all earlier events have been handled, and ``state`` includes them. Streams of effects may be live.
    package var isIdle: Bool { loop.isIdle }

    /// Returns when nothing is in flight: no event waits or is being handled, no stream of effects is live, no reaction runs.
    /// Other threads may change that at any time.
    ///
    /// Returns at once if the loop has ended, and early if the calling task is cancelled. A reaction that never ends, such as a
    /// ticker, keeps the loop from becoming quiet, and so does an effect that awaits this method itself.
    public func quiet() async {
        context.watchQuiet(of: loop)
        _ = await context.wait(for: Settlement.Outcome(endsWhenQuiet: true)) { loop.look() }
    }

    /// Everything in flight, oldest first: jobs, streams of effects without jobs, reactions. Each ``/LoopValues/LiveWork`` contains
    /// the event that started it, and the time when it was started or queued.
    ///
    /// - Complexity: O(*n* log *n*), and a description of each event.
    public var inFlight: [LiveWork] {
        let jobs = context.jobs.live
        // A stream that contains jobs is represented by them.
        let named = Set(jobs.map { ObjectIdentifier($0.stream) })
        let streams = loop.liveStreams.filter { !named.contains(ObjectIdentifier($0.stream)) }.map(\.work)
        return (streams + jobs.map(\.work) + reactions).ordered(by: \.since)
    }

    /// The counters of the store's past and current work; nil if it has no name, see ``LoopOptions/name-swift.property``. Safe
    /// from any thread. The numbers are read one after another, and so may be of slightly different times.
    public var counters: StoreCounters? { context.counters?.values }

    /// A stream of the events that are refused from now on, each with the reason: `transform` rejected it, there was no room, the
    /// loop is being drained or is ending, or a job of it did not start. It finishes with the loop.
    ///
    /// A waiting sender of such an event receives the same error from `send`; this stream is for counting and logging.
    public var refusals: AnyPublisher<RefusedEvent<Event>, Never> { context.refusals(of: Event.self) }

    /// Ends the loop when nothing is in flight any more, so that no work that it has begun is lost.
    ///
    /// ```swift
    /// let left = await store.drain(within: .seconds(20))
    /// for work in left { log.warning("cut off: \(work)") }
    /// ```
    /// From now on, events from outside are refused with ``/LoopValues/SendError/draining``, and reactions start nothing new. Work
    /// in flight continues, with all its consequences: effects, events that feedback sends at once in answer to a state, and events
    /// that running reactions send. Events that other feedback streams send of their own accord, such as those of a timer, are
    /// refused.
    ///
    /// A stream of effects or a reaction that never ends by itself should use ``Streams/Publisher/untilDraining()``, which
    /// ends it now. Operators that move values to other threads or keep them, such as `receive(on:)` and `delay`, belong
    /// inside a reaction and not after it: the loop does not wait for values that a reaction has passed on to them.
    ///
    /// The loop ends when all work has ended, or at the deadline. An effect that awaits this call itself keeps the loop running
    /// until the deadline. Cancelling the calling task moves the deadline to now. This can be called more than once: each call
    /// has its deadline, and the earliest applies.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait for work in flight; nil for no limit.
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

    /// Cancels the loop. No code of it runs afterwards, except a call that another thread has already begun.
    ///
    /// Folding one effect is one call, which a cancellation does not interrupt: if a part of it cancels, the combined
    /// reducers, the results and the parents that fold the same effect are still called. The resulting state is not published.
    public func cancel() { loop.cancel() }

    /// The jobs in flight, oldest first, including those that wait for others.
    package var jobs: [LiveWork] { context.jobs.live.map(\.work) }

    /// The jobs in flight, oldest first, each with the executor in whose place it was created.
    package var placedJobs: [PlacedJob] { context.jobs.placed }

    /// The reactions in flight, in the order in which they were started.
    package var reactions: [LiveWork] { context.reactions.list }

    /// The hook of the loop; nil if it has none.
    package var hook: AnyObject? { loop.hookOfLoop }

    /// The number of live streams of effects.
    package var liveEffects: Int { loop.liveStreams.count }

    /// Cancels all jobs with an id that are in flight, at once, also while another thread is in the loop: a body of theirs that
    /// has not begun never does, and none of their effects is applied any more.
    ///
    /// A job of an event that still waits to be handled is not in flight yet, and starts later, even if this thread has sent the
    /// event before; see ``post(_:)``. To cancel in the order of the events, send an event for which `transform` returns
    /// ``Streams/AnyPublisher/cancelJob(_:)``, or first wait for the other event: `await store.send(event, until: .decided)`.
    ///
    /// If the loop stays on an actor, because its environment is not Sendable, and another thread calls this, the streams of the
    /// jobs are cancelled on that actor, soon.
    ///
    /// - Parameters:
    ///   - id: The id, as it was passed to `job(_:_:)`, or a ``/LoopValues/JobID`` from ``inFlight``.
    ///   - path: The child that the jobs belong to.
    public func cancelJob(_ id: some Hashable & Sendable, of path: ScopePath = .root) {
        context.jobs.cancel(id as? JobID ?? JobID(id, path: path))
    }
}

// Sound: the loop is thread-safe. States and events cross threads, so a store is Sendable only if they are.
extension Store: @unchecked Sendable where State: Sendable, Event: Sendable {}
