import Moonlight
import MoonlightTestSupport
import Streams
import Testing

// An awaited event that is coalesced with another.
extension SettlingTests {
    @Test("A sender whose event is coalesced with a pending one receives the outcome of both")
    func foldedEvent() async {
        let goOn = Latch()
        let store = scriptStore(ScriptOptions(coalesce: { _, event in event }))
        let worker = await Self.keepBusy(store, until: goOn)
        let (executor, answers) = (SteppedExecutor(), Recorder<String>())
        Task(executorPreference: executor) {
            store.post(.words(["folded"]))
            // The loop handles it after this event has been coalesced with it, and rejects both.
            answers.append(await store.send(.refused).word)
        }
        executor.run()
        goOn.open()
        worker.join()
        executor.run()
        expectEqual(answers.all, ["rejected Refusal()"])
        expectEqual(store.state, [])
    }

    @Test("Two senders whose events are coalesced both receive the outcome")
    func twoFoldedEvents() async {
        let goOn = Latch()
        let store = scriptStore(ScriptOptions(coalesce: { _, _ in .refused }))
        let worker = await Self.keepBusy(store, until: goOn)
        // On one thread: of two simultaneous events, the later one may be kept separate.
        let (executor, answers) = (SteppedExecutor(), Recorder<String>())
        for word in ["one", "other"] {
            Task(executorPreference: executor) { answers.append(await store.send(.words([word])).word) }
        }
        executor.run()
        goOn.open()
        worker.join()
        executor.run()
        expectEqual(answers.all, ["rejected Refusal()", "rejected Refusal()"])
    }

    @Test("Senders whose events are coalesced all wait for the effects' consequences", arguments: 2...4)
    func foldedEventsSettle(count: Int) async {
        let (gate, goOn) = (PassthroughSubject<String, Never>(), Latch())
        let store = scriptStore(ScriptOptions(coalesce: { _, _ in .words(["a"]) })) { states in
            [states.filter { $0 == ["a"] }.map { _ in .stream("answer") { AnyPublisher(gate) } }.eraseToAnyPublisher()]
        }
        let worker = await Self.keepBusy(store, until: goOn)
        let (executor, settled) = (SteppedExecutor(), Recorder<String>())
        for number in 0..<count {
            Task(executorPreference: executor) { settled.append(await store.send(.words(["\(number)"])).word) }
        }
        executor.run()
        goOn.open()
        worker.join()
        executor.run()
        expectEqual(store.state, ["a"])
        expectEqual(settled.all, [])
        gate.send(completion: .finished)
        executor.run()
        expectEqual(settled.all, [String](repeating: "settled", count: count))
    }
}
