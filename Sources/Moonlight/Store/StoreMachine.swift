import Streams
import Synchronization

/// A loop as its store sees it: without the types of effects and environment.
///
/// What is called often goes through closures that were formed where those types are known, which keeps it specialised.
@usableFromInline
final class StoreMachine<State: Equatable, Event>: @unchecked Sendable {
    // Sound: the loop guards itself; what this adds is behind its lock.

    @usableFromInline let sendPlainly: (Event) -> Bool
    private let sendWith: (Event, Settlement) -> Bool
    private let inboxSuspends: Bool
    private let waitForRoom: () async -> Bool
    private let cancelLoop: () -> Void
    let countLiveEffects: () -> Int
    private let states: CurrentValueSubject<State, Never>?
    private let flag: CancellationFlag
    @usableFromInline let context: LoopContext
    private let last = Lock(UncheckedTransfer<State?>(nil))
    private let ending = Ending()

    @inlinable
    convenience init<Effect, Environment>(_ loop: Loop<State, Event, Effect, Environment>) {
        self.init(loop) { loop.send($0) }
        loop.tellsOfEnd = { [weak self] in self?.end($0) }
    }

    @usableFromInline
    init<Effect, Environment>(
        _ loop: Loop<State, Event, Effect, Environment>, sendPlainly: @escaping (Event) -> Bool
    ) {
        self.sendPlainly = sendPlainly
        sendWith = { loop.takeTraced($0, $1) }
        let inbox = loop.instruments?.inbox
        inboxSuspends = inbox?.suspends ?? false
        waitForRoom = { await inbox?.room() ?? true }
        cancelLoop = loop.cancel
        countLiveEffects = { loop.liveEffects }
        states = loop.states
        flag = loop.isCancelled
        context = loop.context
    }

    @usableFromInline var isOver: Bool { flag.isOver }
    var isCancelled: Bool { flag.isSet }
    var canWait: Bool { inboxSuspends }

    var state: State {
        // The last state is set before the subject lets go of it.
        if let state = states?.lastValue { return state }
        guard let last = self.last.withLock({ $0 }).value else {
            preconditionFailure("a store has a state until its loop has ended, and the last one after that")
        }
        return last
    }

    func cancel() { cancelLoop() }

    /// - Returns: Whether there may be room; false if the task was cancelled.
    func room() async -> Bool { await waitForRoom() }

    /// Sends an event to be told of.
    ///
    /// - Returns: What tells; nil if the event was not taken. Nothing here holds the settlement on.
    func sendAndTell(_ event: Event) -> Settlement.Outcome? {
        let settlement = Settlement()
        let outcome = settlement.outcome
        return sendWith(event, settlement) ? outcome : nil
    }

    /// The loop has ended with this state.
    @usableFromInline
    func end(_ state: State) {
        let state = UncheckedTransfer<State?>(state)
        last.withLock { $0 = state }
        ending.come()
    }

    func finished() async { await ending.wait() }
}

/// The end of something, and who waits for it.
private final class Ending: Sendable {
    private struct State: Sendable {
        var hasCome = false
        var waiters: [(id: Int, CheckedContinuation<Void, Never>)] = []
        var waitersSoFar = 0
    }

    private let guarded = Lock(State())

    func come() {
        let waiters = guarded.withLock { state in
            state.hasCome = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for (_, waiter) in waiters { waiter.resume() }
    }

    /// Returns when it has come, or the task is cancelled.
    func wait() async {
        let id = guarded.withLock { state in
            state.waitersSoFar += 1
            return state.waitersSoFar
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                let waits = guarded.withLock { state in
                    guard !state.hasCome, !Task.isCancelled else { return false }
                    state.waiters.append((id, waiter))
                    return true
                }
                if !waits { waiter.resume() }
            }
        } onCancel: {
            let waiter = guarded.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).1 }
            }
            waiter?.resume()
        }
    }
}
