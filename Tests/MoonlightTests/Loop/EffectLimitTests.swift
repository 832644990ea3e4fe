import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The limit of live effects, beside the bound of an inbox, which limits waiting events.
@Suite("`LoopOptions.effectLimit`")
struct EffectLimitTests {
    private typealias Work = PassthroughSubject<String, Never>

    private func stream(_ name: String, _ work: Work) -> ScriptEvent { .stream(name) { work.eraseToAnyPublisher() } }

    @Test("Events wait while the limit of live effects is reached, and one is handled when an effect ends")
    func waits() {
        let works = (0..<4).map { _ in Work() }
        let store = scriptStore(ScriptOptions(effectLimit: 2))
        for (number, work) in works.enumerated() { store.post(stream("\(number)", work)) }
        expectEqual(store.inFlight.map(\.event), ["stream(0)", "stream(1)"])
        works[1].send(completion: .finished)
        settle()
        expectEqual(store.inFlight.map(\.event), ["stream(0)", "stream(2)"])
        works[0].send("late")
        expectEqual(store.state, ["late"])
        works[0].send(completion: .finished)
        settle()
        expectEqual(store.inFlight.map(\.event), ["stream(2)", "stream(3)"])
    }

    @Test("Events with synchronous effects wait, too, in order, and all are handled when the limit is no longer reached")
    func order() {
        let work = Work()
        let store = scriptStore(ScriptOptions(effectLimit: 1))
        store.post(stream("a", work))
        for word in ["b", "c", "d"] { store.post(.words([word])) }
        expectEqual(store.state, [])
        work.send("a")
        work.send(completion: .finished)
        settle()
        expectEqual(store.state, ["a", "b", "c", "d"])
        expect(store.isQuiet)
    }

    @Test("A rejecting inbox refuses events when it is full of events that wait for live effects")
    func rejects() {
        let work = Work()
        let store = scriptStore(ScriptOptions(inbox: .reject(1), effectLimit: 1))
        store.post(stream("a", work))
        expectEqual(store.post(.words(["b"])).word, "settled")
        expectEqual(store.post(.words(["c"])).word, "overflow")
        work.send(completion: .finished)
        settle()
        expectEqual(store.state, ["b"])
    }

    @Test(
        "A sender that finds no room is recorded as refused, and one that waits for room is not",
        arguments: [InboxBound.reject(1), .suspend(1)])
    func refusals(bound: InboxBound) {
        let (work, executor, refused) = (Work(), SteppedExecutor(), Recorder<String>())
        let store = scriptStore(ScriptOptions(inbox: bound, effectLimit: 1))
        let sink = store.refusals.sink { refused.append("\($0.event)") }
        store.post(stream("a", work))
        for word in ["b", "c"] { store.post(.words([word])) }
        expectEqual(refused.all, ["words(c)"])
        Task(executorPreference: executor) { await store.send(.words(["d"])) }
        executor.run()
        expect(refused.all.dropFirst() == (bound == .reject(1) ? ["words(d)"] : []))
        work.send(completion: .finished)
        settle()
        executor.run()
        settle()
        expect(store.state == (bound == .reject(1) ? ["b"] : ["b", "d"]))
        sink.cancel()
    }

    @Test("A suspending inbox slows its sender down to the pace of the live effects")
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
        expectEqual(isTaken.all, [])
        first.send(completion: .finished)
        second.send(completion: .finished)
        await sending.value
        expectEqual(isTaken.all, ["settled"])
        expectEqual(store.state, ["c"])
    }

    @Test("A sender that waits for room in a delayed inbox is notified when the store ends")
    func endsWaiting() {
        let (store, executor, words) = (
            scriptStore(ScriptOptions(inbox: .suspend(1), effectLimit: 1)), SteppedExecutor(), Recorder<String>()
        )
        store.post(stream("a", Work()))
        store.post(.words(["b"]))
        Task(executorPreference: executor) { words.append(await store.send(.words(["c"])).word) }
        executor.run()
        expectEqual(words.all, [])
        store.cancel()
        executor.run()
        expectEqual(words.all, ["ended"])
    }

    @Test("A delayed event is handled while the store drains")
    func drained() async throws {
        let (first, second) = (Work(), Work())
        let store = scriptStore(ScriptOptions(effectLimit: 1))
        store.post(stream("a", first))
        store.post(stream("b", second))
        let draining = Task { await store.drain(within: nil) }
        try await until { store.post(.words([])).word == "draining" }
        first.send("a")
        first.send(completion: .finished)
        // Perhaps on a system queue, as another thread has sent it.
        try await until { store.inFlight.map(\.event) == ["stream(b)"] }
        second.send("b")
        second.send(completion: .finished)
        await expectEqual(draining.value, [])
        expectEqual(store.state, ["a", "b"])
    }

    @Test("A store that is cancelled notifies senders that their delayed events were not handled")
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
        await expectEqual(waiting.value, "ended")
    }

    @Test("The effect limit is not exceeded when many threads send")
    func threads() async {
        let (running, most, each) = (Counter(), Recorder<Int>(), Budget.rounds(50, least: 10))
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: Int, _) -> AnyPublisher<Int, Never> in
                    .run { send in
                        running.add()
                        most.append(running.value)
                        await Task.yield()
                        running.add(-1)
                        send(event)
                    }
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions(effectLimit: 3))
        onThreads(4) { _ in for _ in 0..<each { store.post(1) } }
        await store.quiet()
        expectEqual(store.state, 4 * each)
        expect((most.all.max() ?? 0) <= 3)
    }

    @Test(
        "An effect does not count as live while it awaits an event of its own store",
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
        expectEqual(store.state, [])
        goOn.raise()
        await store.quiet()
        expectEqual(store.state, ["before", "inner", "settled"])
        try await store.idle()
        // The effect counts again.
        let work = Work()
        for name in ["a", "b"] { store.post(stream(name, work)) }
        expectEqual(store.inFlight.map(\.event), ["stream(a)"])
        discard(place.withLock { $0.take() })
    }

    @Test("A stream that does not count, because it awaits events of its own store, does not make room for two")
    func awaitsItselfTwice() {
        let works = (0..<2).map { _ in Work() }
        let store = scriptStore(ScriptOptions(effectLimit: 1))
        store.post(
            .stream("outer") {
                let bodies = works.enumerated().map { number, work in
                    Words.run { _ in _ = await store.send(.stream("\(number)") { work.eraseToAnyPublisher() }) }
                }
                return bodies[0].merge(with: bodies[1]).eraseToAnyPublisher()
            })
        settle()
        expectEqual(store.inFlight.map(\.event), ["stream(outer)", "stream(0)"])
        store.cancel()
    }

    @Test("A sender for which there is room only when the store drains is refused, and so are those behind it")
    func refusedWithRoom() {
        let (live, executor, words) = (Work(), SteppedExecutor(), Recorder<String>())
        let store = scriptStore(ScriptOptions(inbox: .suspend(1)))
        store.post(stream("live", live))
        let sink = store.states.dropFirst().first().sink { _ in
            store.beginDraining()
            store.post(.words(["b"]))
            for number in 1...3 {
                Task(executorPreference: executor) { words.append("\(number) \(await store.send(.words(["c"])).word)") }
            }
            elsewhere { executor.run() }
        }
        store.post(.words(["a"]))
        settle()
        executor.run()
        expectEqual(store.state, ["a", "b"])
        expectEqual(words.all, ["1 draining", "2 draining", "3 draining"])
        live.send(completion: .finished)
        executor.run()
        sink.cancel()
    }
}
