import Streams
import Synchronization

/// What of a loop does not depend on the types of effects and environment: all that its store uses.
///
/// What a store calls often is a closure formed in ``Loop``, where those types are known, so that it stays specialized: a method
/// of a class that is called through its vtable is not. What it calls rarely, ``Loop`` overrides.
@usableFromInline
class ErasedLoop<State: Equatable, Event>: Cancellable, @unchecked Sendable {
    // Sound: `keepsLast` is set before any other thread has the loop, the rest is immutable or behind a lock. The subclass says
    // what makes it sound.

    @usableFromInline final let sendSpecialised: (ErasedLoop, Event) -> Bool
    /// Handles an event at once, if the loop is idle: see `Loop.handleAwaited`.
    @usableFromInline final let handleAwaitedSpecialised: (ErasedLoop, Event, SendStage, (State) -> Void) -> Sent?
    /// The context through which jobs, reactions and rules reach their loop.
    @usableFromInline final let context: LoopContext
    private final let waiters = Lock(LoopWaiters.running([:]))
    /// Whether the last state is kept when the loop has ended: for a store, which can still be asked for it.
    @exclusivity(unchecked) @usableFromInline final var keepsLast = false

    @usableFromInline
    init(
        _ context: LoopContext, send: @escaping (ErasedLoop, Event) -> Bool,
        handleAwaited: @escaping (ErasedLoop, Event, SendStage, (State) -> Void) -> Sent?
    ) {
        self.context = context
        (sendSpecialised, handleAwaitedSpecialised) = (send, handleAwaited)
    }

    // MARK: What a loop overrides

    /// Cancels the loop. Nothing of it runs after this, except for a call that another thread has begun.
    @usableFromInline
    func cancel() { preconditionFailure("a loop overrides this") }

    /// Sends an event that is awaited. Returns whether it was taken; if not, the inbox is full.
    func send(_ event: Event, awaitedBy asker: Settlement, hasRoom: Bool) -> Bool { preconditionFailure("a loop overrides this") }

    /// Waits for room in the inbox; nil if the inbox does not suspend senders.
    var waitForRoom: (() async -> Bool)? { preconditionFailure("a loop overrides this") }

    /// The log of what the loop does; nil if it has none.
    var log: AnyObject? { preconditionFailure("a loop overrides this") }

    /// Whether this thread is handling an item of the loop, which keeps traces.
    var isHandling: Bool { preconditionFailure("a loop overrides this") }

    /// Whether no item is being handled, and none waits.
    var isIdle: Bool { preconditionFailure("a loop overrides this") }

    /// Whether nothing is in flight.
    var isQuiet: Bool { preconditionFailure("a loop overrides this") }

    /// Calls a closure when nothing is in flight. Returns the number by which the caller leaves the ``QuietWatch``.
    func whenQuiet(_ tell: @escaping @Sendable () -> Void) -> Int { preconditionFailure("a loop overrides this") }

    /// Refuses events from outside from now on, and ends the loop when nothing is in flight.
    func drain() { preconditionFailure("a loop overrides this") }

    /// Notes that an effect awaits an event of this loop.
    func beginAwaiting() { preconditionFailure("a loop overrides this") }

    /// The streams of effects that are live.
    func liveStreams() -> [(stream: EffectOrigin, info: LiveWork)] { preconditionFailure("a loop overrides this") }
}

extension ErasedLoop {
    @inlinable @inline(__always)
    final var cancellation: LoopContext { context }

    /// Whether events from outside are taken. Not inlined, so that callers retain nothing for it.
    @usableFromInline var isRunning: Bool { cancellation.isRunning }

    /// Returns why a loop that is not running refuses an event of the caller; nil if it takes the event, because the event
    /// follows from the item being handled. Also notifies observers of refusals, if the loop is being drained.
    @usableFromInline
    func refusal(of event: Event) -> SendError? {
        if cancellation.isOver { return .ended }
        guard cancellation.isDraining, !isHandling else { return nil }
        context.tellRefused(event, .draining)
        return .draining
    }

    /// Returns the current state; once the loop has ended, the last one, which must be kept.
    ///
    /// - Parameter states: The loop's stream of states, which the loop itself releases when it ends.
    @inlinable
    func state(from states: DrivenSubject<State>) -> State {
        // The last state is stored here before the subject releases it.
        states.last ?? lastState
    }

    @usableFromInline var lastState: State {
        guard let last = waiters.withLock({ $0.last }) as? LastState<State> else {
            preconditionFailure("a store has a state until its loop has ended, and the last one after that")
        }
        return last.state
    }

    /// Sends an event, and waits until it has reached a stage.
    @inlinable
    func send(_ event: Event, until stage: SendStage) async -> Result<Void, SendError> {
        if stage != .taken, isRunning, let sent = handleAwaitedSpecialised(self, event, stage, { _ in }) {
            switch sent {
            case .over(let result): return result
            case .waiting(let outcome): return await result(of: outcome)
            }
        }
        return await sendSlowly(event, until: stage)
    }

    @usableFromInline
    func sendSlowly(_ event: Event, until stage: SendStage) async -> Result<Void, SendError> {
        await send(event, until: stage, from: sender)
    }

    /// The stream or job of this loop whose body is calling; nil if the caller is something else.
    private var sender: EffectOrigin? {
        guard let origin = RunningBody.currentOrigin as? EffectOrigin, origin.context === context else { return nil }
        return origin
    }

    /// Sends an event, and calls `read` inside the loop when the event has been accepted and its ready effects applied.
    @usableFromInline
    func sendSlowly(_ event: Event, reading read: @escaping @Sendable () -> Void) async -> Result<Void, SendError> {
        await send(event, until: .decided, from: sender, reading: read)
    }

    /// Sends an event, and waits until it has reached a stage, or until the time is up.
    func send(
        _ event: Event, until stage: SendStage, within limit: Duration, on clock: some Clock<Duration>
    ) async -> Result<Void, SendError> {
        // Sound: awaited before this returns, so that nobody else has the event at the same time.
        let send = UncheckedTransfer { [sender] in await self.send(event, until: stage, from: sender) }
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

    private func send(
        _ event: Event, until stage: SendStage, from sender: EffectOrigin?, reading read: (@Sendable () -> Void)? = nil
    ) async -> Result<Void, SendError> {
        if sender != nil { beginAwaiting() }
        defer { if sender != nil { context.endAwaiting() } }
        var hasRoom = false
        while true {
            if !isRunning, let refusal = refusal(of: event) { return .failure(refusal) }
            // A sender that waits only for the decision does not wait for what the event leads to, and so is no awaiter.
            let awaiter = stage == .settled ? sender : nil
            // A new outcome for each attempt: if the event is not taken, the outcome of that attempt is over.
            let outcome = stage == .decided ? Settlement.Decision(read: read) : Settlement.Outcome()
            if sendAndTell(event, hasRoom: hasRoom, outcome, awaiter) {
                return stage == .taken ? .success(()) : await result(of: outcome)
            }
            guard let waitForRoom else { return .failure(.overflow) }
            hasRoom = await waitForRoom()
            guard hasRoom else { return .failure(.cancelled(isTaken: false)) }
        }
    }

    /// Sends an event whose settlement reports to `outcome`.
    ///
    /// - Returns: Whether the event was taken. Nothing here keeps the settlement alive.
    private func sendAndTell(
        _ event: Event, hasRoom: Bool, _ outcome: Settlement.Outcome, _ awaiter: EffectOrigin?
    ) -> Bool { send(event, awaitedBy: Settlement(of: cancellation, outcome, awaiter: awaiter), hasRoom: hasRoom) }

    /// Returns the result of an awaited event: at once if there is nothing to wait for.
    @usableFromInline
    func result(of outcome: Settlement.Outcome) async -> Result<Void, SendError> {
        if let result = outcome.result { result } else { await wait(for: outcome) }
    }

    /// Waits for an outcome, or for the loop's end: an effect may ignore that it is cancelled, and keep the settlement alive.
    private func wait(for outcome: Settlement.Outcome) async -> Result<Void, SendError> {
        guard waiters.withLock({ $0.add(outcome) }) else {
            finish(outcome)
            return await outcome.value
        }
        let result = await outcome.value
        discard(waiters.withLock { $0.remove(outcome) })
        return result
    }

    /// Stores the last state, and ends all waits: the loop has ended.
    @inlinable
    func end(_ state: State) { end(keeping: LastState(state)) }

    @usableFromInline
    func end(keeping last: AnyObject & Sendable) {
        for outcome in waiters.withLock({ $0.end(keeping: last) }) { finish(outcome) }
    }

    private func finish(_ outcome: Settlement.Outcome) {
        if cancellation.isCancelled { outcome.cutOff() }
        outcome.end()
    }

    /// Returns when the loop has ended, or the task is cancelled.
    func finished() async { _ = await wait(for: Settlement.Outcome()) }

    // MARK: What is in flight

    /// Returns when nothing is in flight, or the task is cancelled.
    func quiet() async {
        let outcome = Settlement.Outcome()
        let number = whenQuiet { outcome.end() }
        _ = await outcome.value
        context.service(QuietWatch.self).leave(number)
    }

    /// Everything in flight, oldest first.
    var inFlight: [LiveWork] {
        let jobs = context.jobs.live
        // A stream that contains jobs is represented by them.
        let named = Set(jobs.map { ObjectIdentifier($0.stream) })
        let streams = liveStreams().filter { !named.contains(ObjectIdentifier($0.stream)) }.map(\.info)
        return
            (streams + jobs.map { LiveWork($0.info) } + context.reactions.list.map { LiveWork($0) })
            .sorted { $0.since < $1.since }
    }

    func drain(within limit: Duration?, on clock: some Clock<Duration>) async -> [LiveWork] {
        drain()
        let outcome = Settlement.Outcome()
        let timer = limit.map { limit in
            Task {
                try? await clock.wait(until: clock.instant(after: limit), tolerance: nil)
                outcome.end()
            }
        }
        _ = await wait(for: outcome)
        timer?.cancel()
        if cancellation.isOver { return [] }
        let left = inFlight
        cancel()
        return left
    }
}

/// What was read inside the loop, for the sender that waits outside.
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
