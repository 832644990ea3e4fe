import Streams
import Synchronization

/// A loop as its store sees it: without the types of effects and environment.
///
/// What is called often goes through closures that were formed where those types are known, which keeps it specialised.
@usableFromInline
final class ErasedLoop<State: Equatable, Event>: @unchecked Sendable {
    // Sound: the loop guards itself; what this adds is behind its lock.

    @usableFromInline let sendPlainly: (Event) -> Bool
    /// Handles an event at once, if the loop is idle: see `Loop.handleAwaited`.
    @usableFromInline let handleAwaited: (Event, SendStage, (State) -> Void) -> Sent?
    private let sendAwaited: (Event, Settlement, _ hasRoom: Bool) -> Bool
    private let waitForRoom: (() async -> Bool)?
    private let cancelLoop: () -> Void
    let countLiveEffects: () -> Int
    /// What the loop tells of itself, and what it is told: seldom called.
    private let inside: Inside
    private let states: CurrentValueSubject<State, Never>?
    private let cancellation: LoopCancellation
    @usableFromInline let context: LoopContext
    private let guarded = Lock(Guarded())

    private struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        /// The last state, once the loop has ended.
        var last: State?
        /// Who waits for an event to settle, or for the end.
        var waiters: [Int: Settlement.Outcome] = [:]
        var waitersSoFar = 0
    }

    @inlinable
    convenience init<Effect, Environment>(_ loop: Loop<State, Event, Effect, Environment>) {
        self.init(
            loop, sendPlainly: { loop.send($0) }, handleAwaited: { loop.handleAwaited($0, until: $1, reading: $2) },
            sendAwaited: { loop.send($0, awaitedBy: $1, hasRoom: $2) })
        loop.tellsOfEnd = { [weak self] in self?.end($0) }
    }

    @usableFromInline
    init<Effect, Environment>(
        _ loop: Loop<State, Event, Effect, Environment>, sendPlainly: @escaping (Event) -> Bool,
        handleAwaited: @escaping (Event, SendStage, (State) -> Void) -> Sent?,
        sendAwaited: @escaping (Event, Settlement, Bool) -> Bool
    ) {
        self.sendPlainly = sendPlainly
        self.handleAwaited = handleAwaited
        self.sendAwaited = sendAwaited
        if let inbox = loop.instruments?.inbox, inbox.suspends {
            waitForRoom = inbox.room
        } else {
            waitForRoom = nil
        }
        cancelLoop = loop.cancel
        countLiveEffects = { loop.liveEffects }
        inside = Inside(
            isHandledHere: { loop.isHandledHere }, isQuiet: { loop.isQuiet }, whenQuiet: { loop.whenQuiet($0) },
            drain: { loop.take(.drain) }, beginAwaiting: { loop.beginAwaiting() }, liveStreams: { loop.liveStreams() })
        states = loop.states
        cancellation = loop.cancellation
        context = loop.context
    }

    private struct Inside {
        let isHandledHere: () -> Bool
        let isQuiet: () -> Bool
        let whenQuiet: (@escaping @Sendable () -> Void) -> Void
        let drain: () -> Void
        let beginAwaiting: () -> Void
        let liveStreams: () -> [(stream: EffectOrigin, info: LiveWork)]
    }

    /// Whether events from outside are taken. Not inlined, so that nothing is retained for it.
    @usableFromInline var isRunning: Bool { cancellation.isRunning }

    /// Why an event that is sent here and now is not taken by a loop that is not running; nil if it is, as it follows from what is
    /// being handled.
    @usableFromInline
    func refusal(of event: Event) -> SendError? {
        if cancellation.isOver { return .ended }
        guard cancellation.isDraining, !inside.isHandledHere() else { return nil }
        context.tellRefused(event, .draining)
        return .draining
    }

    @usableFromInline var state: State {
        // The last state is set before the subject lets go of it.
        if let state = states?.lastValue { return state }
        guard let last = guarded.withLock({ UncheckedTransfer($0.last) }).value else {
            preconditionFailure("a store has a state until its loop has ended, and the last one after that")
        }
        return last
    }

    func cancel() { cancelLoop() }

    /// Sends an event, and waits until a stage.
    @inlinable
    func send(_ event: Event, until stage: SendStage) async -> Result<Void, SendError> {
        if stage != .taken, isRunning, let sent = handleAwaited(event, stage, { _ in }) {
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

    /// The stream or job of this loop whose body sends just now; nil if it is somebody else who does.
    private var sender: EffectOrigin? {
        guard let origin = RunningBody.currentOrigin as? EffectOrigin, origin.context === context else { return nil }
        return origin
    }

    /// Sends an event, and reads the state when it has been decided about: in the loop.
    @usableFromInline
    func sendSlowly(_ event: Event, reading read: @escaping @Sendable () -> Void) async -> Result<Void, SendError> {
        await send(event, until: .decided, from: sender, reading: read)
    }

    /// Sends an event, and waits until a stage, or a deadline.
    func send(
        _ event: Event, until stage: SendStage, within limit: Duration, on clock: some Clock<Duration>
    ) async -> Result<Void, SendError> {
        // Sound: awaited before this returns, so that nobody has the event at the same time.
        let send = UncheckedTransfer { [sender] in await self.send(event, until: stage, from: sender) }
        return await withTaskGroup(of: Result<Void, SendError>?.self) { group in
            group.addTask { await send.value() }
            group.addTask {
                try? await clock.wait(until: clock.now.advanced(by: limit), tolerance: nil)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            if case .some(.some(let result)) = first { return result }
            // To cancel the waiting makes it tell how far the event has got.
            guard case .some(.some(let result)) = await group.next() else { return .failure(.timedOut(isTaken: true)) }
            if case .failure(.cancelled(let isTaken)) = result, !Task.isCancelled { return .failure(.timedOut(isTaken: isTaken)) }
            return result
        }
    }

    private func send(
        _ event: Event, until stage: SendStage, from sender: EffectOrigin?, reading read: (@Sendable () -> Void)? = nil
    ) async -> Result<Void, SendError> {
        if sender != nil { inside.beginAwaiting() }
        defer { if sender != nil { context.endAwaiting() } }
        var hasRoom = false
        while true {
            if !isRunning, let refusal = refusal(of: event) { return .failure(refusal) }
            // Who waits for the decision only is not held by what the event leads to.
            let awaiter = stage == .settled ? sender : nil
            // For each attempt its own: of an event that is not taken it is over.
            let outcome = stage == .decided ? Settlement.Decision(read: read) : Settlement.Outcome()
            if sendAndTell(event, hasRoom: hasRoom, outcome, awaiter) {
                return stage == .taken ? .success(()) : await result(of: outcome)
            }
            guard let waitForRoom else { return .failure(.overflow) }
            hasRoom = await waitForRoom()
            guard hasRoom else { return .failure(.cancelled(isTaken: false)) }
        }
    }

    /// Sends an event to be told of.
    ///
    /// - Returns: Whether the event was taken. Nothing here holds the settlement on.
    private func sendAndTell(
        _ event: Event, hasRoom: Bool, _ outcome: Settlement.Outcome, _ awaiter: EffectOrigin?
    ) -> Bool { sendAwaited(event, Settlement(of: cancellation, outcome, awaiter: awaiter), hasRoom) }

    /// Returns what came of an event, when that is known: often it already is.
    @usableFromInline
    func result(of outcome: Settlement.Outcome) async -> Result<Void, SendError> {
        if let result = outcome.result { result } else { await wait(for: outcome) }
    }

    /// Waits for an outcome, or for the loop's end: some effect may ignore that it is cancelled, and hold on to what it has.
    private func wait(for outcome: Settlement.Outcome) async -> Result<Void, SendError> {
        let id = guarded.withLock { guarded -> Int? in
            if guarded.last != nil { return nil }
            guarded.waitersSoFar += 1
            guarded.waiters[guarded.waitersSoFar] = outcome
            return guarded.waitersSoFar
        }
        guard let id else {
            finish(outcome)
            return await outcome.value
        }
        let result = await outcome.value
        discard(guarded.withLock { $0.waiters.removeValue(forKey: id) })
        return result
    }

    /// The loop has ended with this state.
    @usableFromInline
    func end(_ state: State) {
        let state = UncheckedTransfer<State?>(state)
        let waiters = guarded.withLock { guarded in
            guarded.last = state.value
            defer { guarded.waiters = [:] }
            return guarded.waiters.values.map { $0 }
        }
        for outcome in waiters { finish(outcome) }
    }

    private func finish(_ outcome: Settlement.Outcome) {
        if cancellation.isCancelled { outcome.cutOff() }
        outcome.end()
    }

    /// Returns when the loop has ended, or the task is cancelled.
    func finished() async { _ = await wait(for: Settlement.Outcome()) }

    // MARK: What is in flight

    var isQuiet: Bool { inside.isQuiet() }

    /// Returns when nothing is in flight, or the task is cancelled.
    func quiet() async {
        let outcome = Settlement.Outcome()
        inside.whenQuiet { outcome.end() }
        _ = await outcome.value
    }

    /// Everything that is in flight, oldest first.
    var inFlight: [LiveWork] {
        let jobs = context.jobs.live
        // A stream with jobs in it is told of by those.
        let named = Set(jobs.map { ObjectIdentifier($0.stream) })
        let streams = inside.liveStreams().filter { !named.contains(ObjectIdentifier($0.stream)) }.map(\.info)
        return
            (streams + jobs.map { LiveWork($0.info) } + context.reactions.list.map { LiveWork($0) })
            .sorted { $0.since < $1.since }
    }

    func drain(within limit: Duration?, on clock: some Clock<Duration>) async -> [LiveWork] {
        inside.drain()
        let outcome = Settlement.Outcome()
        let timer = limit.map { limit in
            Task {
                try? await clock.wait(until: clock.now.advanced(by: limit), tolerance: nil)
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

/// What was read in a loop, for who waits outside.
@usableFromInline
final class ReadingBox<Reading: Sendable>: @unchecked Sendable {
    // Sound: filled in the loop before who waits is told, by way of a lock, that there is something to take.
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
