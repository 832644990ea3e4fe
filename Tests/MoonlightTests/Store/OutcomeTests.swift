import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Results of `await send` for an event that did not settle: whether it was accepted, and the cause.
@Suite("Outcomes of a sent event")
struct OutcomeTests {
    private enum Event: Sendable {
        case start(PassthroughSubject<Int, Never>, String, JobPolicy)
        case run(PassthroughSubject<Int, Never>)
        case nothing
    }

    private func store(_ options: LoopOptions<Int, Event, Int> = LoopOptions()) -> Store<Int, Event> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    switch event {
                    case .start(let effects, let id, let policy): AnyPublisher(effects.job(id, policy))
                    case .run(let effects): AnyPublisher(effects)
                    case .nothing: .none
                    }
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: options)
    }

    @Test("An event whose job is replaced is interrupted, and its outcome contains the job's id")
    func replaced() async throws {
        let (store, first, second) = (store(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let waiting = try await store.begin(.start(first, "x", .latest))
        store.post(.start(second, "x", .latest))
        await expectEqual(waiting.value, "interrupted: its job x was replaced by a newer one")
    }

    @Test("An event whose job is ignored has that outcome when it is decided")
    func ignored() async {
        let (store, first, second) = (store(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        store.post(.start(first, "x", .ignoreNew))
        let outcome = await store.send(.start(second, "x", .ignoreNew), until: .decided)
        expectEqual(outcome.word, "interrupted: its job x was not started, because a job with that id was in flight")
    }

    @Test("An event whose job is cancelled by its id is interrupted")
    func cancelledByID() async throws {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        let waiting = try await store.begin(.start(effects, "x", .merge))
        store.cancelJob("x")
        await expectEqual(waiting.value, "interrupted: its job x was cancelled")
    }

    @Test("An event that was handled before the loop ended is interrupted, and is not retryable")
    func handled() async throws {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        let waiting = try await store.begin(.run(effects))
        store.cancel()
        await expectEqual(waiting.value, "interrupted: the loop has ended")
        expect(!SendError.interrupted(.loopEnded).isRetryable)
    }

    @Test("An event that is queued when the loop ends was never handled, and is retryable")
    func neverHandled() async {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        store.post(.run(effects))
        let goOn = await store.hold { effects.send(1) }
        // Accepted only: the work for which it waits has not begun.
        await expectEqual(store.send(.nothing, until: .taken).word, "settled")
        let isSent = Flag()
        let waiting = Task {
            isSent.raise()
            return await store.send(.nothing).word
        }
        await isSent.wait()
        store.cancel()
        goOn()
        await expectEqual(waiting.value, "ended")
        expect(SendError.ended.isRetryable)
    }

    @Test("Events that were not accepted, or rejected by `transform`, are retryable, and others are not")
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
        expectEqual(safe.map(\.isRetryable), [Bool](repeating: true, count: 7))
        expectEqual(unsafe.map(\.isRetryable), [Bool](repeating: false, count: 5))
    }

    // MARK: Deadlines

    @Test("An event that settles before its deadline is settled")
    func inTime() async {
        let (store, clock) = (store(), ManualClock())
        await expectEqual(store.send(.nothing, within: .seconds(1), on: clock).word, "settled")
    }

    @Test("A sender stops waiting at the deadline, and the event continues")
    func deadline() async throws {
        let (store, clock, effects) = (store(), ManualClock(), PassthroughSubject<Int, Never>())
        let waiting = Task { await store.send(.run(effects), within: .seconds(1), on: clock).word }
        await clock.sleepers(1)
        try await until { !store.inFlight.isEmpty }
        clock.advance(by: .seconds(1))
        await expectEqual(waiting.value, "timed out")
        effects.send(7)
        expectEqual(store.state, 7)
    }

    @Test("An event that waits for room at its deadline was not accepted")
    func deadlineBeforeRoom() async {
        let (store, effects) = (store(LoopOptions(inbox: .suspend(1))), PassthroughSubject<Int, Never>())
        store.post(.run(effects))
        let goOn = await store.hold { effects.send(1) }
        store.post(.nothing)
        let clock = ManualClock()
        let waiting = Task { await store.send(.nothing, within: .seconds(1), on: clock).word }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await expectEqual(waiting.value, "timed out before it was taken")
        goOn()
    }
}
