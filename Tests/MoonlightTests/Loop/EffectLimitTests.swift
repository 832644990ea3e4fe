import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The bound of an inbox bounds what waits; this bounds what runs.
@Suite("A limit of live effects")
struct EffectLimitTests {
    private typealias Work = PassthroughSubject<String, Never>

    private func stream(_ name: String, _ work: Work) -> ScriptEvent { .stream(name) { work.eraseToAnyPublisher() } }

    @Test("while as many effects are live as may be, events wait; when one ends, the next is handled")
    func waits() {
        let works = (0..<4).map { _ in Work() }
        let store = scriptStore(ScriptOptions(effectLimit: 2))
        for (number, work) in works.enumerated() { store.post(stream("\(number)", work)) }
        #expect(store.inFlight.map(\.event) == ["stream(0)", "stream(1)"])
        works[1].send(completion: .finished)
        #expect(store.inFlight.map(\.event) == ["stream(0)", "stream(2)"])
        works[0].send("late")
        #expect(store.state == ["late"])
        works[0].send(completion: .finished)
        #expect(store.inFlight.map(\.event) == ["stream(2)", "stream(3)"])
    }

    @Test("events whose effects lie ready wait, too, so that the order stays; all are handled when there is room")
    func order() {
        let work = Work()
        let store = scriptStore(ScriptOptions(effectLimit: 1))
        store.post(stream("a", work))
        for word in ["b", "c", "d"] { store.post(.words([word])) }
        #expect(store.state == [])
        work.send("a")
        work.send(completion: .finished)
        #expect(store.state == ["a", "b", "c", "d"])
        #expect(store.isQuiet)
    }

    @Test("an inbox that rejects refuses what waits too long a line for the work")
    func rejects() {
        let work = Work()
        let store = scriptStore(ScriptOptions(inbox: .reject(1), effectLimit: 1))
        store.post(stream("a", work))
        #expect(store.post(.words(["b"])).word == "settled")
        #expect(store.post(.words(["c"])).word == "overflow")
        work.send(completion: .finished)
        #expect(store.state == ["b"])
    }

    @Test(
        "who finds no room is told of as refused, but not who waits for room",
        arguments: [InboxBound.reject(1), .suspend(1)])
    func refusals(bound: InboxBound) {
        let (work, executor, refused) = (Work(), ToldExecutor(), Recorder<String>())
        let store = scriptStore(ScriptOptions(inbox: bound, effectLimit: 1))
        let sink = store.refusals.sink { refused.append("\($0.event)") }
        store.post(stream("a", work))
        for word in ["b", "c"] { store.post(.words([word])) }
        #expect(refused.all == ["words(c)"])
        Task(executorPreference: executor) { await store.send(.words(["d"])) }
        executor.run()
        #expect(refused.all.dropFirst() == (bound == .reject(1) ? ["words(d)"] : []))
        work.send(completion: .finished)
        executor.run()
        #expect(store.state == (bound == .reject(1) ? ["b"] : ["b", "d"]))
        sink.cancel()
    }

    @Test("an inbox that suspends slows its sender down to the pace of the work")
    func suspends() async {
        let (first, second) = (Work(), Work())
        let store = scriptStore(ScriptOptions(inbox: .suspend(1), effectLimit: 1))
        store.post(stream("a", first))
        store.post(stream("b", second))
        let isTaken = Recorder<String>()
        let sending = Task {
            isTaken.append(await store.send(.words(["c"]), until: .taken).word)
            await store.quiet()
        }
        #expect(isTaken.all == [])
        first.send(completion: .finished)
        second.send(completion: .finished)
        await sending.value
        #expect(isTaken.all == ["settled"])
        #expect(store.state == ["c"])
    }

    @Test("who waits for room in an inbox that is held back is told of the end of the store")
    func endsWaiting() {
        let (store, executor, words) = (
            scriptStore(ScriptOptions(inbox: .suspend(1), effectLimit: 1)), ToldExecutor(), Recorder<String>()
        )
        store.post(stream("a", Work()))
        store.post(.words(["b"]))
        Task(executorPreference: executor) { words.append(await store.send(.words(["c"])).word) }
        executor.run()
        #expect(words.all == [])
        store.cancel()
        executor.run()
        #expect(words.all == ["ended"])
    }

    @Test("what was held back is handled while the store is drained")
    func drained() async throws {
        let (first, second) = (Work(), Work())
        let store = scriptStore(ScriptOptions(effectLimit: 1))
        store.post(stream("a", first))
        store.post(stream("b", second))
        let draining = Task { await store.drain(within: nil) }
        try await until { store.post(.words([])).word == "draining" }
        first.send("a")
        first.send(completion: .finished)
        // Perhaps by an heir: it was another thread that sent it.
        try await until { store.inFlight.map(\.event) == ["stream(b)"] }
        second.send("b")
        second.send(completion: .finished)
        #expect(await draining.value == [])
        #expect(store.state == ["a", "b"])
    }

    @Test("a store that is cancelled tells those whose events were held back that these were not handled")
    func cancelled() async {
        let work = Work()
        let store = scriptStore(ScriptOptions(effectLimit: 1))
        store.post(stream("a", work))
        let isSent = Flag()
        let waiting = Task {
            isSent.raise()
            return await store.send(.words(["b"])).word
        }
        await isSent.wait()
        store.cancel()
        #expect(await waiting.value == "ended")
    }

    @Test("of many threads that send, no more run at once than may", .timeLimit(.minutes(5)))
    func threads() async {
        let (running, most) = (Counter(), Recorder<Int>())
        let store = Store(
            initialState: 0, environment: (), options: LoopOptions(effectLimit: 3),
            transform: { (_, event: Int, _) -> AnyPublisher<Int, Never> in
                .run { send in
                    running.add()
                    most.append(running.value)
                    await Task.yield()
                    running.add(-1)
                    send(event)
                }
            }, apply: { $0 + $1 })
        onThreads(4) { _ in for _ in 0..<50 { store.post(1) } }
        await store.quiet()
        #expect(store.state == 200)
        #expect((most.all.max() ?? 0) <= 3)
    }

    @Test(
        "an effect that awaits an event of its own store does not count as long as it does",
        arguments: [InboxBound.unbounded, .suspend(1)])
    func awaitsItself(bound: InboxBound) async throws {
        let (isWaiting, goOn) = (Flag(), Flag())
        let place = Lock<Store<[String], ScriptEvent>?>(nil)
        let store = scriptStore(ScriptOptions(inbox: bound, effectLimit: 1))
        place.withLock { $0 = store }
        store.post(
            .stream("outer") {
                .run { send in
                    isWaiting.raise()
                    await goOn.wait()
                    send(await place.withLock { $0 }?.send(.words(["inner"])).word ?? "gone")
                }
            })
        await isWaiting.wait()
        store.post(.words(["before"]))
        #expect(store.state == [])
        goOn.raise()
        await store.quiet()
        #expect(store.state == ["before", "inner", "settled"])
        try await store.idle()
        // It counts again.
        let work = Work()
        for name in ["a", "b"] { store.post(stream(name, work)) }
        #expect(store.inFlight.map(\.event) == ["stream(a)"])
        discard(place.withLock { $0.take() })
    }
}
