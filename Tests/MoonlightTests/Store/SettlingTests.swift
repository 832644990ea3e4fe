import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

/// Most of these hold for a plain loop, which handles an awaited event at once if it is idle, and for one that keeps a journal.
@Suite("await send")
struct SettlingTests {
    /// Runs a task that awaits an event, until the event's stream of effects is subscribed to.
    static func start(
        _ store: ScriptStore, _ stream: @escaping @Sendable () -> Words
    ) async -> Task<String, Never> {
        let isSubscribed = Flag()
        let task = Task {
            await store.send(
                .stream("started") {
                    isSubscribed.raise()
                    return stream()
                }
            ).word
        }
        await isSubscribed.wait()
        await subscribed(store)
        return task
    }

    /// Waits until the effects of the events before are subscribed to: then it is the next one's turn.
    private static func subscribed(_ store: ScriptStore) async { await store.send(.words([]), until: .decided) }

    /// Lets a store handle an event, on a thread of its own, that goes on until a latch is opened. Returns when it has begun.
    static func keepBusy(_ store: ScriptStore, until latch: Latch) async -> Worker {
        let isBusy = Flag()
        let worker = Worker {
            store.post(
                .stream("busy") {
                    isBusy.raise()
                    latch.wait()
                    return Empty().eraseToAnyPublisher()
                })
        }
        await isBusy.wait()
        return worker
    }

    @Test("an event without effects settles at once", arguments: [false, true])
    func withoutEffects(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        #expect(await store.send(.words([])).word == "settled")
        #expect(await store.send(.stream("empty") { Empty().eraseToAnyPublisher() }).word == "settled")
    }

    @Test("events that feedback answers at once are waited for, with their asynchronous effects", arguments: [false, true])
    func waitsForFeedback(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal) { states in
            [
                states.filter { $0 == ["a"] }.map { _ in
                    .stream("answer") {
                        .run { send in
                            for _ in 0..<100 { await Task.yield() }
                            send("b")
                        }
                    }
                }.eraseToAnyPublisher()
            ]
        }
        #expect(await store.send(.words(["a"])).word == "settled")
        #expect(store.state == ["a", "b"])
    }

    @Test("it is not before the last effect has been applied that an event has settled", arguments: [false, true])
    func waitsForTheLast(hasJournal: Bool) async {
        let (store, gate) = (scriptStore(hasJournal: hasJournal), PassthroughSubject<String, Never>())
        let settled = Mutex(false)
        let task = await Self.start(store) { gate.eraseToAnyPublisher() }
        let watcher = Task {
            let word = await task.value
            settled.withLock { $0 = true }
            return word
        }
        gate.send("one")
        for _ in 0..<100 { await Task.yield() }
        #expect(settled.withLock { $0 } == false)
        gate.send(completion: .finished)
        #expect(await watcher.value == "settled")
        #expect(store.state == ["one"])
    }

    @MainActor @Test("on the main actor, a sink of it has been told of all that an event caused when that has settled")
    func sinkOnTheMainActor() async {
        let store = scriptStore()
        var seen: [String] = []
        let picture = store.states.sink { seen = $0 }
        for round in 0..<500 {
            // The effect comes from another thread, and so does what the sink is told.
            let word = "\(round)"
            _ = await store.send(.stream("elsewhere") { .run { send in send(word) } })
            #expect(seen.last == word)
        }
        picture.cancel()
    }

    @Test("a refusal is told to who sent the event, not to who sent the one that caused it")
    func refusalOfAnAnswer() async {
        let refused = Mutex(0)
        let options = ScriptOptions(journal: { record in
            if case .rejected = record.step { refused.withLock { $0 += 1 } }
        })
        let store = scriptStore(options) { states in
            [states.filter { $0 == ["a"] }.map { _ in .refused }.eraseToAnyPublisher()]
        }
        #expect(await store.send(.words(["a"])).word == "settled")
        #expect(refused.withLock { $0 } == 1)
        #expect(await store.send(.refused).word == "rejected Refusal()")
    }

    @Test("an event whose job is cancelled is over, and is told so", arguments: [false, true])
    func cancelledJob(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        let task = await Self.start(store) {
            Empty(completeImmediately: false).job("endless").eraseToAnyPublisher()
        }
        store.cancelJob("endless")
        #expect(await task.value == "interrupted: its job endless was cancelled")
    }

    @Test("an event whose job waits in a queue settles when that job has run", arguments: [false, true])
    func queuedJob(hasJournal: Bool) async {
        let (store, gate) = (scriptStore(hasJournal: hasJournal), PassthroughSubject<String, Never>())
        store.post(.stream("first") { gate.job("q", .queue).eraseToAnyPublisher() })
        let task = await Self.start(store) { Just("second").job("q", .queue).eraseToAnyPublisher() }
        #expect(store.state == [])
        gate.send(completion: .finished)
        #expect(await task.value == "settled")
        #expect(store.state == ["second"])
    }

    @Test("a job that is refused is the answer to who awaits its event", arguments: [false, true])
    func refusedJob(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        store.post(.stream("first") { Empty(completeImmediately: false).job("id", .latest).eraseToAnyPublisher() })
        let outcome = await store.send(.stream("second") { Just("no").job("id", .queue).eraseToAnyPublisher() })
        guard case .failure(.rejected(let error)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error as? JobError == .policyConflict(id: JobID("id"), running: .latest, requested: .queue))
        #expect(store.state == [])
    }

    @Test("who awaits an event of a store that is cancelled is told that it has ended", arguments: [false, true])
    func cancelledStore(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        let task = await Self.start(store) { Empty(completeImmediately: false).eraseToAnyPublisher() }
        store.cancel()
        #expect(await task.value == "interrupted: the loop has ended")
        #expect(await store.send(.words(["a"])).word == "ended")
        #expect(store.post(.words(["a"])).word == "ended")
    }

    @Test("also if the effect ignores that it is cancelled, and keeps its subscriber", arguments: [false, true])
    func stubbornEffect(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        let kept = Mutex<[AnySubscriber<String, Never>]>([])
        let task = await Self.start(store) {
            Handmade<String> { subscriber in
                subscriber.receive(subscription: Subscriptions.empty)
                kept.withLock { $0.append(subscriber) }
            }.eraseToAnyPublisher()
        }
        store.cancel()
        #expect(await task.value == "interrupted: the loop has ended")
        #expect(kept.withLock { $0.count } == 1)
    }

    @Test(
        "also if the effect keeps the loop's own subscriber, which a publisher that vouches for its grammar is given",
        arguments: [false, true])
    func stubbornGrammaticalEffect(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        let stubborn = Stubborn()
        let task = await Self.start(store) { stubborn.eraseToAnyPublisher() }
        store.cancel()
        #expect(await task.value == "interrupted: the loop has ended")
        #expect(stubborn.subscriber != nil)
    }

    @Test("an event that finds the loop busy settles with all that it causes, however it is handled")
    func busyLoop() async {
        let (store, gate, goOn) = (scriptStore(), PassthroughSubject<String, Never>(), Latch())
        let worker = await Self.keepBusy(store, until: goOn)
        let isSubscribed = Flag()
        let task = Task {
            await store.send(
                .stream("later") {
                    isSubscribed.raise()
                    return gate.eraseToAnyPublisher()
                }
            ).word
        }
        let refused = Task { await store.send(.refused).word }
        goOn.open()
        worker.join()
        await isSubscribed.wait()
        #expect(await refused.value == "rejected Refusal()")
        await Self.subscribed(store)
        gate.send("late")
        gate.send(completion: .finished)
        #expect(await task.value == "settled")
        #expect(store.state == ["late"])
    }

    @Test("of an event that is refused, what transform has sent before goes on, and is waited for")
    func sentByRefused() async {
        let (gate, inlet) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let isTaken = Flag()
        let store = Store<Int, Int>(
            initialState: 0, environment: (), feedback: { _ in [inlet.eraseToAnyPublisher()] },
            transform: { _, event, _ in
                switch event {
                case 1:
                    inlet.send(2)
                    throw Refusal()
                case 2:
                    isTaken.raise()
                    return gate.eraseToAnyPublisher()
                default: return .none
                }
            }, apply: { $0 + $1 })
        let isOver = Mutex(false)
        let task = Task {
            let word = await store.send(1).word
            isOver.withLock { $0 = true }
            return word
        }
        await isTaken.wait()
        // Its turn comes when the effects of the one before are subscribed to.
        await store.send(3, until: .decided)
        for _ in 0..<100 { await Task.yield() }
        #expect(isOver.withLock { $0 } == false)
        gate.send(5)
        gate.send(completion: .finished)
        #expect(await task.value == "rejected Refusal()")
        #expect(store.state == 5)
    }

    @Test("an event that cancels its own loop is cut off", arguments: [SendStage.decided, .settled])
    func cancelsItself(stage: SendStage) async {
        let handle = Mutex<AnyCancellable?>(nil)
        let store = Store<Int, Int>(
            initialState: 0, environment: (),
            transform: { _, event, _ in
                handle.withLock { $0.take() }?.cancel()
                return .just(event)
            }, apply: { $0 + $1 })
        handle.withLock { $0 = AnyCancellable(store) }
        #expect(await store.send(1, until: stage).word == "interrupted: the loop has ended")
        #expect(store.state == 0)
    }

    @Test("what an awaited event has to do with is over with it: the next one's effects wait for nobody")
    func nextOne() async {
        let (store, gate) = (scriptStore(), PassthroughSubject<String, Never>())
        #expect(await store.send(.words(["a"])).word == "settled")
        store.post(.stream("live") { gate.eraseToAnyPublisher() })
        #expect(await store.send(.words(["b"])).word == "settled")
        gate.send("c")
        #expect(store.state == ["a", "b", "c"])
    }

    @Test("of two effects that are refused the first is told to who awaits their event")
    func firstRefusal() async {
        struct Unwanted: Error { let number: Int }
        let picky = Reducer<Int, [Int], Int, Void>(
            transform: { _, numbers, _ in numbers.publisher.eraseToAnyPublisher() },
            apply: { (sum: inout Int, number: Int) throws(Unwanted) in
                if number < 0 { throw Unwanted(number: number) }
                sum += number
            })
        let store = Store(reducer: picky, initialState: 0, environment: ())
        #expect(await store.send([1, -2, 3, -4]).word == "rejected Unwanted(number: -2)")
        #expect(store.state == 4)
    }

    @Test("who awaits an event waits for what an effect that comes later leads to", arguments: [false, true])
    func laterEffect(hasJournal: Bool) {
        let (effects, answer) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
        let store = scriptStore(hasJournal: hasJournal) { states in
            [states.filter { $0 == ["later"] }.map { _ in .stream("answer") { AnyPublisher(answer) } }.eraseToAnyPublisher()]
        }
        let (executor, settled) = (ToldExecutor(), Recorder<String>())
        Task(executorPreference: executor) {
            settled.append(await store.send(.stream("effects") { AnyPublisher(effects) }).word)
        }
        executor.run()
        effects.send("later")
        effects.send(completion: .finished)
        executor.run()
        #expect(settled.all == [])
        answer.send(completion: .finished)
        executor.run()
        #expect(settled.all == ["settled"])
    }

    @Test("a task that is cancelled stops waiting, and the event goes on", arguments: [false, true])
    func cancelledTask(hasJournal: Bool) async {
        let (store, gate) = (scriptStore(hasJournal: hasJournal), PassthroughSubject<String, Never>())
        let task = await Self.start(store) { gate.eraseToAnyPublisher() }
        task.cancel()
        #expect(await task.value == "cancelled")
        gate.send("later")
        #expect(store.state == ["later"])
    }

    @Test("finished() does not return before the loop has ended")
    func unfinished() {
        let (store, executor, returned) = (scriptStore(), ToldExecutor(), Recorder<String>())
        Task(executorPreference: executor) {
            await store.finished()
            returned.append("finished")
        }
        executor.run()
        #expect(returned.all == [])
        store.cancel()
        executor.run()
        #expect(returned.all == ["finished"])
    }

    @Test("finished() returns when the loop ends, or the task is cancelled")
    func finished() async {
        let store = scriptStore()
        let waiting = Task { await store.finished() }
        waiting.cancel()
        await waiting.value
        let other = Task { await store.finished() }
        store.cancel()
        await other.value
        await store.finished()
        #expect(store.state == [])
    }
}

/// Keeps its subscriber, and never ends.
private final class Stubborn: GrammaticalPublisher, @unchecked Sendable {
    // Sound: subscribed to once, by the loop; looked at when that has happened.
    typealias Output = String
    typealias Failure = Never
    private(set) var subscriber: (any Subscriber)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == Never {
        self.subscriber = subscriber
        subscriber.receive(subscription: Subscriptions.empty)
    }
}
