import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// What `await send` tells of an event that did not settle: whether it was taken, and what has cut it off.
@Suite("Outcomes of a sent event")
struct OutcomeTests {
    private enum Event: Sendable {
        case start(PassthroughSubject<Int, Never>, String, JobPolicy)
        case run(PassthroughSubject<Int, Never>)
        case nothing
    }

    private func store(_ options: LoopOptions<Int, Event, Int> = LoopOptions()) -> Store<Int, Event> {
        Store(
            initialState: 0, environment: (), options: options,
            transform: { _, event, _ in
                switch event {
                case .start(let effects, let id, let policy): AnyPublisher(effects.job(id, policy))
                case .run(let effects): AnyPublisher(effects)
                case .nothing: .none
                }
            }, apply: { $0 + $1 })
    }

    @Test("a job that is replaced says so, and by whose id")
    func replaced() async throws {
        let (store, first, second) = (store(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let waiting = try await store.begin(.start(first, "x", .latest))
        store.post(.start(second, "x", .latest))
        #expect(await waiting.value == "interrupted: its job x was replaced by a newer one")
    }

    @Test("a job that is ignored is told at the decision")
    func ignored() async {
        let (store, first, second) = (store(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        store.post(.start(first, "x", .ignoreNew))
        let outcome = await store.send(.start(second, "x", .ignoreNew), until: .decided)
        #expect(outcome.word == "interrupted: its job x was not started, because a job with that id was in flight")
    }

    @Test("a job that is cancelled by its id says so")
    func cancelledByID() async throws {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        let waiting = try await store.begin(.start(effects, "x", .merge))
        store.cancelJob("x")
        #expect(await waiting.value == "interrupted: its job x was cancelled")
    }

    @Test("an event that was handled is cut off by the loop's end; to send it again is not safe")
    func handled() async throws {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        let waiting = try await store.begin(.run(effects))
        store.cancel()
        #expect(await waiting.value == "interrupted: the loop has ended")
        #expect(!SendError.interrupted(.loopEnded).isSafeToSendAgain)
    }

    @Test("an event that waits in the mailbox when the loop ends was never handled; to send it again is safe")
    func neverHandled() async {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        store.post(.run(effects))
        let goOn = await store.hold { effects.send(1) }
        // Taken, and nothing more: what it waits for has not begun.
        #expect(await store.send(.nothing, until: .taken).word == "settled")
        let isSent = Flag()
        let waiting = Task {
            isSent.raise()
            return await store.send(.nothing).word
        }
        await isSent.wait()
        store.cancel()
        goOn()
        #expect(await waiting.value == "ended")
        #expect(SendError.ended.isSafeToSendAgain)
    }

    @Test("of a cancelled task the outcome tells whether the event was taken")
    func cancelledTask() async throws {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        let waiting = try await store.begin(.run(effects))
        waiting.cancel()
        #expect(await waiting.value == "cancelled")
    }

    @Test("what is safe to send again: what was not taken, and what transform has refused")
    func safety() {
        struct Broken: Error {}
        let conflict = JobError.policyConflict(id: JobID("x"), running: .merge, requested: .queue)
        let safe: [SendError] = [
            .ended, .draining, .overflow, .rejected(Broken()), .cancelled(isTaken: false), .timedOut(isTaken: false),
            .notDurable(Broken(), isTaken: false),
        ]
        let unsafe: [SendError] = [
            .rejected(conflict), .cancelled(isTaken: true), .timedOut(isTaken: true),
            .notDurable(Broken(), isTaken: true), .interrupted(.jobReplaced(JobID("x"))),
        ]
        #expect(safe.map(\.isSafeToSendAgain) == [Bool](repeating: true, count: 7))
        #expect(unsafe.map(\.isSafeToSendAgain) == [Bool](repeating: false, count: 5))
    }

    // MARK: Deadlines

    @Test("within a time: what settles before that is settled")
    func inTime() async {
        let (store, clock) = (store(), ManualClock())
        #expect(await store.send(.nothing, within: .seconds(1), on: clock).word == "settled")
    }

    @Test("at the deadline the waiting ends, and the event goes on")
    func deadline() async throws {
        let (store, clock, effects) = (store(), ManualClock(), PassthroughSubject<Int, Never>())
        let waiting = Task { await store.send(.run(effects), within: .seconds(1), on: clock).word }
        await clock.sleepers(1)
        try await until { !store.inFlight.isEmpty }
        clock.advance(by: .seconds(1))
        #expect(await waiting.value == "timed out")
        effects.send(7)
        #expect(store.state == 7)
    }

    @Test("an event that waits for room at the deadline was not taken")
    func deadlineBeforeRoom() async {
        let (store, effects) = (store(LoopOptions(inbox: .suspend(1))), PassthroughSubject<Int, Never>())
        store.post(.run(effects))
        let goOn = await store.hold { effects.send(1) }
        store.post(.nothing)
        let clock = ManualClock()
        let waiting = Task { await store.send(.nothing, within: .seconds(1), on: clock).word }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(await waiting.value == "timed out before it was taken")
        goOn()
    }
}
