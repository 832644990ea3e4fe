import Streams
import Synchronization

/// A loop as its store sees it: without the types of effects and environment.
///
/// What is called often goes through closures that were formed where those types are known, which keeps it specialised.
@usableFromInline
final class ErasedLoop<State: Equatable, Event>: @unchecked Sendable {
    // Sound: the loop guards itself; what this adds is behind its lock.

    @usableFromInline let sendPlainly: (Event) -> Bool
    private let sendAwaited: (Event, Settlement, _ hasRoom: Bool) -> Bool
    private let waitForRoom: (() async -> Bool)?
    private let cancelLoop: () -> Void
    let countLiveEffects: () -> Int
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
        self.init(loop, sendPlainly: { loop.send($0) }, sendAwaited: { loop.send($0, awaitedBy: $1, hasRoom: $2) })
        loop.tellsOfEnd = { [weak self] in self?.end($0) }
    }

    @usableFromInline
    init<Effect, Environment>(
        _ loop: Loop<State, Event, Effect, Environment>, sendPlainly: @escaping (Event) -> Bool,
        sendAwaited: @escaping (Event, Settlement, Bool) -> Bool
    ) {
        self.sendPlainly = sendPlainly
        self.sendAwaited = sendAwaited
        if let inbox = loop.instruments?.inbox, inbox.suspends {
            waitForRoom = inbox.room
        } else {
            waitForRoom = nil
        }
        cancelLoop = loop.cancel
        countLiveEffects = { loop.liveEffects }
        states = loop.states
        cancellation = loop.cancellation
        context = loop.context
    }

    @usableFromInline var isOver: Bool { cancellation.isOver }

    var state: State {
        // The last state is set before the subject lets go of it.
        if let state = states?.lastValue { return state }
        guard let last = guarded.withLock({ UncheckedTransfer($0.last) }).value else {
            preconditionFailure("a store has a state until its loop has ended, and the last one after that")
        }
        return last
    }

    func cancel() { cancelLoop() }

    /// Sends an event, and waits until a stage.
    func send(_ event: Event, until stage: SendStage) async -> Result<Void, SendError> {
        await send(event, until: stage, decision: stage == .decided ? Settlement.Decision() : nil)
    }

    /// Sends an event, and reads the state when it has been decided about.
    func send<Reading: Sendable>(
        _ event: Event, reading read: @escaping @Sendable (State) -> Reading
    ) async -> Result<Reading, SendError> {
        let box = ReadingBox<Reading>()
        // Sound: called in an item of the loop; until that is over, nobody else can change the state.
        let make = UncheckedTransfer { box.fill(read(self.state)) }
        let decision = Settlement.Decision { make.value() }
        return await send(event, until: .decided, decision: decision).flatMap {
            box.reading.map { .success($0) } ?? .failure(.ended)
        }
    }

    private func send(
        _ event: Event, until stage: SendStage, decision: Settlement.Decision?
    ) async -> Result<Void, SendError> {
        var hasRoom = false
        while !cancellation.isOver {
            if let outcome = sendAndTell(event, hasRoom: hasRoom, decision) {
                if stage == .taken { return .success(()) }
                return await wait(for: decision?.outcome ?? outcome)
            }
            guard let waitForRoom else { return .failure(.overflow) }
            hasRoom = await waitForRoom()
            guard hasRoom else { return .failure(.cancelled) }
        }
        return .failure(.ended)
    }

    /// Sends an event to be told of.
    ///
    /// - Returns: What tells; nil if the event was not taken. Nothing here holds the settlement on.
    private func sendAndTell(_ event: Event, hasRoom: Bool, _ decision: Settlement.Decision?) -> Settlement.Outcome? {
        let settlement = Settlement(of: cancellation, decision: decision)
        let outcome = settlement.outcome
        return sendAwaited(event, settlement, hasRoom) ? outcome : nil
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
        if cancellation.isCancelled { outcome.fail(.ended) }
        outcome.end()
    }

    /// Returns when the loop has ended, or the task is cancelled.
    func finished() async { _ = await wait(for: Settlement.Outcome()) }
}

/// What was read in a loop, for who waits outside.
private final class ReadingBox<Reading: Sendable>: Sendable {
    private let guarded = Lock<Reading?>(nil)

    var reading: Reading? { guarded.withLock { $0 } }

    func fill(_ reading: Reading) { guarded.withLock { $0 = reading } }
}
