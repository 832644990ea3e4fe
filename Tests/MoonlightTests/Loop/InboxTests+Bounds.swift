import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Bounded inboxes of busy loops")
struct InboxBoundTests {
    /// A store that handles its first event on another thread until the latch is opened.
    private static func busy(
        _ options: ScriptOptions,
        feedback: (AnyPublisher<[String], Never>) -> [AnyPublisher<ScriptEvent, Never>] = { _ in [] },
        _ work: (ScriptStore) -> Void
    ) -> ScriptStore {
        let store = scriptStore(options, feedback: feedback)
        let (isBusy, goOn) = (Latch(), Latch())
        let worker = Worker {
            store.send(
                .stream("busy") {
                    isBusy.open()
                    goOn.wait()
                    return Just("first").eraseToAnyPublisher()
                })
        }
        isBusy.wait()
        work(store)
        goOn.open()
        worker.join()
        return store
    }

    @Test("A sender that cannot wait is refused when the inbox is full, under each bound except `dropOldest`")
    func refuses() {
        for bound in [InboxBound.suspend(2), .reject(2)] {
            let answers = Recorder<String>()
            let store = Self.busy(ScriptOptions(inbox: bound)) { store in
                for word in ["a", "b", "c"] { answers.append(store.send(.words([word])).word) }
            }
            expectEqual(answers.all, ["settled", "settled", "overflow"])
            expectEqual(store.state, ["first", "a", "b"])
            expectEqual(store.send(.words(["d"])).word, "settled")
        }
    }

    @Test("An event that feedback sends by itself is refused when the inbox of a loop on a busy actor is full")
    func refusesFeedback() async {
        let (events, owner) = (PassthroughSubject<Int, Never>(), QueueActor())
        func makeStore(on isolation: isolated any Actor) -> Store<[Int], Int> {
            Store(
                reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0.append($1) }),
                initialState: [], environment: Surroundings(), options: LoopOptions(inbox: .reject(2)),
                feedback: { _ in [events.eraseToAnyPublisher()] })
        }
        let store = await makeStore(on: owner)
        await owner.run { elsewhere { for number in 1...3 { events.send(number) } } }
        await store.quiet()
        expectEqual(store.state, [1, 2])
        store.cancel()
    }

    @Test("A flood of events is recorded in few records, and nothing of it is retained")
    func flood() {
        let records = Recorder<String>()
        for bound in [InboxBound.reject(2), .dropOldest(2)] {
            let options = ScriptOptions(
                journal: { record in if case .overflowed = record.step { records.append("\(record)") } }, inbox: bound)
            let store = Self.busy(options) { store in for n in 1...1000 { store.send(.words(["\(n)"])) } }
            expect(store.state == (bound == .reject(2) ? ["first", "1", "2"] : ["first", "999", "1000"]))
        }
        expectEqual(
            records.all.map { $0.drop { $0 != "o" } },
            [
                "overflowed words(1000), the last of 998", "overflowed words(998), the last of 998",
            ])
    }

    @Test("A sender that awaits an event that is dropped for newer ones is notified of the overflow")
    func droppedWaiter() async {
        let (isBusy, goOn) = (Flag(), Latch())
        let store = scriptStore(ScriptOptions(inbox: .dropOldest(1)))
        let worker = Worker {
            store.send(
                .stream("busy") {
                    isBusy.raise()
                    goOn.wait()
                    return Just("first").eraseToAnyPublisher()
                })
        }
        await isBusy.wait()
        let outcome = Recorder<String>()
        let task = Task { outcome.append(await store.send(.words(["one"])).word) }
        // Each waiting event is dropped for the next one, including the one that a sender awaits.
        while outcome.count == 0 {
            store.post(.words(["newer"]))
            await Task.yield()
        }
        await task.value
        expectEqual(outcome.all, ["overflow"])
        goOn.open()
        worker.join()
        expectEqual(store.state.first, "first")
    }

    @Test("An event that feedback sends immediately for a state is never refused")
    func ownFeedback() {
        let store = scriptStore(ScriptOptions(inbox: .reject(1))) { states in
            [
                states.filter { $0 == ["go"] }
                    .flatMap { _ in ["a", "b", "c"].map { ScriptEvent.words([$0]) }.publisher }.eraseToAnyPublisher()
            ]
        }
        store.send(.words(["go"]))
        expectEqual(store.state, ["go", "a", "b", "c"])
    }

    @Test(
        "Events that feedback sends immediately for the first state are never refused or dropped",
        arguments: [InboxBound.reject(1), .suspend(1), .dropOldest(1)])
    func firstState(bound: InboxBound) {
        let store = scriptStore(ScriptOptions(inbox: bound)) { states in
            [
                states.filter(\.isEmpty)
                    .flatMap { _ in ["a", "b", "c"].map { ScriptEvent.words([$0]) }.publisher }.eraseToAnyPublisher()
            ]
        }
        expectEqual(store.state, ["a", "b", "c"])
    }

    @Test("Senders that wait for room lose no event, and the journal records no overflow")
    func waitingSenders() async {
        let (overflows, count) = (Counter(), Budget.rounds(200, least: 50))
        let options = ScriptOptions(
            journal: { record in if case .overflowed = record.step { overflows.add() } }, inbox: .suspend(2))
        let store = scriptStore(options)
        await withTaskGroup(of: Void.self) { group in
            for n in 1...count {
                group.addTask {
                    let outcome = await store.send(
                        .stream("\(n)") {
                            .run { send in
                                await Task.yield()
                                send("\(n)")
                            }
                        })
                    expectEqual(outcome.word, "settled")
                }
            }
        }
        expectEqual(Set(store.state), Set((1...count).map { "\($0)" }))
        expectEqual(store.state.count, count)
        expectEqual(overflows.value, 0)
    }

    @Test("A sender that waits for room is resumed when its task or the store is cancelled")
    func givesUp() async {
        for cancelsStore in [false, true] {
            let (isBusy, goOn, overflows) = (Flag(), Latch(), Counter())
            let options = ScriptOptions(
                journal: { record in if case .overflowed = record.step { overflows.add() } }, inbox: .suspend(1))
            let store = scriptStore(options)
            let worker = Worker {
                store.send(
                    .stream("busy") {
                        isBusy.raise()
                        goOn.wait()
                        return Empty().eraseToAnyPublisher()
                    })
            }
            await isBusy.wait()
            store.post(.words(["full"]))
            let waiting = Task { await store.send(.words(["waits"])).word }
            if cancelsStore {
                store.cancel()
                goOn.open()
                await expectEqual(waiting.value, "ended")
            } else {
                waiting.cancel()
                await expectEqual(waiting.value, "cancelled before it was taken")
                goOn.open()
            }
            worker.join()
            expect(store.state == (cancelsStore ? [] : ["full"]))
            // A waiting sender has lost nothing.
            expectEqual(overflows.value, 0)
        }
    }

    @Test("Many threads that flood a coalescing store lose no event, and each event counts once")
    func foldingRaces() {
        let store = Store(
            reducer: Reducer(transform: { (_, event: Int, _) in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions<Int, Int, Int>(coalesce: { $0 + $1 }))
        let each = Budget.rounds(5_000, least: 400)
        onThreads(4) { _ in for _ in 0..<each { store.send(1) } }
        expectEqual(store.state, 4 * each)
    }

    @Test("Many threads that flood a store that coalesces only some events lose none")
    func unfoldedRaces() {
        let store = Store(
            reducer: Reducer(transform: { (_, event: Int, _) in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            options: LoopOptions<Int, Int, Int>(coalesce: { $0.isMultiple(of: 3) ? $0 + $1 : nil }))
        let pairs = Budget.rounds(2_500, least: 200)
        onThreads(4) { thread in for n in 0..<2 * pairs { store.send(1 + (thread + n) % 2) } }
        expectEqual(store.state, 4 * 3 * pairs)
    }
}
