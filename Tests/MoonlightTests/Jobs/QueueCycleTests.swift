import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// A job of a queue whose body awaits an event that waits for the same queue.
@Suite("Queued jobs that would wait for themselves")
struct QueueCycleTests {
    /// Runs events one after the other, each in the queue that it names.
    private indirect enum Event: Sendable {
        /// In a queue, awaits another event until a stage, and records the outcome.
        case work(String, Event, until: SendStage)
        /// In a queue, starts a task that awaits an event, and waits only until that event is handled.
        case forget(String, Event, Recorder<String>, isHandled: Flag, isDone: Flag)
        /// In a queue, waits for a flag, and then awaits an event.
        case workAfter(String, Flag, Event)
        /// In a queue, awaits an event until a deadline, and goes on until a flag is raised.
        case workWithin(String, Event, on: ManualClock, goOn: Flag)
        /// A ready effect.
        case say(String)
        /// A stream without a job.
        case live(PassthroughSubject<String, Never>)
        case end(String)
        /// The same, with a flag that is raised when it is handled.
        case endTelling(String, Flag)
    }

    private final class Shop: Sendable {
        let lines = Recorder<String>()
        let store = Lock<Store<[String], Event>?>(nil)

        func make(
            hasJournal: Bool = false, feedback: (AnyPublisher<[String], Never>) -> [AnyPublisher<Event, Never>] = { _ in [] }
        ) -> Store<[String], Event> {
            let made = Store<[String], Event>(
                reducer: Reducer(transform: { [self] _, event, _ in answer(event) }, apply: { $0.append($1) }),
                initialState: [], environment: (), options: hasJournal ? LoopOptions(journal: { _ in }) : LoopOptions(),
                feedback: feedback)
            store.withLock { $0 = made }
            return made
        }

        func close() { discard(store.withLock { $0.take() }) }

        private var current: Store<[String], Event>? { store.withLock { $0 } }

        private func answer(_ event: Event) -> AnyPublisher<String, Never> {
            switch event {
            case .work(let id, let next, let stage):
                return .run { [self] send in
                    let word = await current?.send(next, until: stage).word
                    send("\(id): \(word ?? "gone")")
                }.job(id, .queue).eraseToAnyPublisher()
            case .forget(let id, let next, let words, let isHandled, let isDone):
                return .run { [self] send in
                    let store = current
                    Task {
                        words.append(await store?.send(next).word ?? "gone")
                        isDone.raise()
                    }
                    await isHandled.wait()
                    send("\(id): went on")
                }.job(id, .queue).eraseToAnyPublisher()
            case .workAfter(let id, let flag, let next):
                return .run { [self] send in
                    await flag.wait()
                    send("\(id): \(await current?.send(next).word ?? "gone")")
                }.job(id, .queue).eraseToAnyPublisher()
            case .workWithin(let id, let next, let clock, let goOn):
                return .run { [self] send in
                    send("\(id): \(await current?.send(next, within: .seconds(1), on: clock).word ?? "gone")")
                    await goOn.wait()
                    send("\(id): went on")
                }.job(id, .queue).eraseToAnyPublisher()
            case .say(let word): return .just(word)
            case .live(let stream): return stream.eraseToAnyPublisher()
            case .endTelling(let id, let flag):
                flag.raise()
                return answer(.end(id))
            case .end(let id): return Just("\(id) ends").job(id, .queue).eraseToAnyPublisher()
            }
        }
    }

    @Test("A job behind one that awaits another job, with an id that several jobs have, is not rejected as a cycle")
    func behindOneOfMany() async throws {
        let store = scriptStore()
        let live = PassthroughSubject<String, Never>()
        // The queued job awaits the first of two concurrent jobs, the second of which awaits an event in the queue.
        let first = ScriptEvent.stream("first") { live.job("many", .merge).eraseToAnyPublisher() }
        let waiting = ScriptEvent.stream("waiting") { Just("waiting").job("queue", .queue).eraseToAnyPublisher() }
        store.post(
            .stream("queue") {
                .run { send in send("first \(await store.send(first).word)") }.job("queue", .queue).eraseToAnyPublisher()
            })
        try await until { store.jobs.count == 2 }
        store.post(
            .stream("second") {
                .run { send in send("second \(await store.send(waiting).word)") }.job("many", .merge).eraseToAnyPublisher()
            })
        try await until { store.jobs.count == 4 || !store.state.isEmpty }
        live.send(completion: .finished)
        await store.quiet()
        expectEqual(store.state.sorted(), ["first settled", "second settled", "waiting"])
        store.cancel()
    }

    @Test("A job that awaits an event of its own queue is rejected with both names, and continues")
    func direct() async {
        let shop = Shop()
        let store = shop.make()
        let refused = Recorder<String>()
        let watch = store.refusals.sink { refused.append("\($0.error)") }
        await expectEqual(store.send(.work("save", .end("save"), until: .settled)).word, "settled")
        let reason =
            "job save would wait for job save, which awaits its event: post the event, or await it only until it is decided"
        expectEqual(store.state, ["save: rejected \(reason)"])
        expectEqual(refused.all, ["the event was rejected: \(reason)"])
        watch.cancel()
        shop.close()
    }

    @Test(
        "A job that awaits only the decision about an event of its own queue is not rejected, nor are its effects",
        arguments: [false, true])
    func decided(hasJournal: Bool) async {
        let shop = Shop()
        let store = shop.make(hasJournal: hasJournal)
        await store.send(.work("save", .end("save"), until: .decided))
        await store.quiet()
        expectEqual(store.state, ["save: settled", "save ends"])
        shop.close()
    }

    @Test("A job can await an event whose job is in another queue")
    func other() async {
        let shop = Shop()
        let store = shop.make()
        await store.send(.work("save", .end("send"), until: .settled))
        expectEqual(store.state, ["send ends", "save: settled"])
        shop.close()
    }

    @Test("A task that a job has started and does not await can await an event of the job's queue", arguments: [false, true])
    func forgotten(hasJournal: Bool) async {
        let (shop, words, isHandled, isDone) = (Shop(), Recorder<String>(), Flag(), Flag())
        let store = shop.make(hasJournal: hasJournal)
        await store.send(.forget("save", .endTelling("save", isHandled), words, isHandled: isHandled, isDone: isDone))
        await isDone.wait()
        expectEqual(words.all, ["settled"])
        expectEqual(store.state, ["save: went on", "save ends"])
        shop.close()
    }

    @Test(
        "A job that awaits an event of its own queue is rejected if a body in a reaction sends that event",
        arguments: [false, true])
    func throughReaction(hasJournal: Bool) async throws {
        let (shop, flag, refused) = (Shop(), Flag(), Recorder<String>())
        let store = shop.make(hasJournal: hasJournal) { states in
            [states.react(when: { $0.contains("note") }) { AnyPublisher<Event, Never>.run { $0(.end("save")) } }]
        }
        let watch = store.refusals.sink { refused.append("\($0.error)") }
        store.post(.workAfter("save", flag, .say("note")))
        flag.raise()
        try await until { store.state.count == 2 || !refused.all.isEmpty }
        expectEqual(refused.count, 1)
        await store.quiet()
        expectEqual(store.state, ["note", "save: settled"])
        watch.cancel()
        shop.close()
    }

    @Test(
        "A job behind one that no longer awaits its event is not rejected, and runs when that has ended",
        arguments: [false, true])
    func timedOut(hasJournal: Bool) async throws {
        let (shop, clock, goOn, live) = (Shop(), ManualClock(), Flag(), PassthroughSubject<String, Never>())
        let store = shop.make(hasJournal: hasJournal) { states in
            [states.react(when: { $0.contains("seen") }) { Just(Event.end("save")) }]
        }
        store.post(.workWithin("save", .live(live), on: clock, goOn: goOn))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await until { !store.state.isEmpty }
        try await store.idle()
        live.send("seen")
        expectEqual(store.jobs.count, 2)
        live.send(completion: .finished)
        goOn.raise()
        await store.quiet()
        expectEqual(store.state, ["save: timed out", "seen", "save: went on", "save ends"])
        shop.close()
    }

    @Test("Of jobs of two queues that await each other's events, the second is rejected, as it would wait for the first")
    func chain() async {
        let (shop, flag) = (Shop(), Flag())
        let store = shop.make()
        // `a` awaits a job that waits for `b`, which then awaits one that would wait for `a`.
        store.post(.workAfter("b", flag, .end("a")))
        await store.send(.work("a", .endTelling("b", flag), until: .settled))
        let reason =
            "job a would wait for job b, which awaits its event: post the event, or await it only until it is decided"
        expectEqual(store.state, ["b: rejected \(reason)", "b ends", "a: settled"])
        shop.close()
    }

    @Test("A job whose event the first job of another queue awaits can wait in its own queue")
    func othersWait() async {
        let (shop, first, second, isQueued) = (Shop(), Flag(), Flag(), Flag())
        let store = shop.make()
        store.post(.workAfter("a", first, .end("c")))
        store.post(.workAfter("b", second, .endTelling("a", isQueued)))
        store.post(.end("b"))
        second.raise()
        await isQueued.wait()
        first.raise()
        await store.quiet()
        expectEqual(store.state, ["c ends", "a: settled", "a ends", "b: settled", "b ends"])
        shop.close()
    }

    #if compiler(>=6.3)
        @Test("A warning about a job that would wait for itself is written to standard error once for each loop")
        func warning() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                for _ in 0..<2 {
                    let shop = Shop()
                    let store = shop.make()
                    for _ in 0..<4 { _ = await store.send(.work("a", .end("a"), until: .settled)) }
                    store.cancel()
                    shop.close()
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expectEqual(text.split(separator: "\n").count { $0.contains("Moonlight: ") }, 2)
        }
    #endif
}
