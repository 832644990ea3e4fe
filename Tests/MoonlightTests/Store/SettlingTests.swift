import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

/// Most of these tests run with a plain loop, which handles an awaited event at once if it is idle, and with one that keeps a
/// journal.
@Suite("`await send`: settling of events")
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

    /// Waits until the effects of the previous events are subscribed to, and the next event is due.
    private static func subscribed(_ store: ScriptStore) async { await store.send(.words([]), until: .decided) }

    /// Makes a store handle an event, on another thread, until a latch is opened. Returns when it has begun.
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

    @Test("An event without effects settles at once", arguments: [false, true])
    func withoutEffects(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        await expectEqual(store.send(.words([])).word, "settled")
        await expectEqual(store.send(.stream("empty") { Empty().eraseToAnyPublisher() }).word, "settled")
    }

    @Test(
        "An event settles after the asynchronous effects of the events that feedback sends immediately", arguments: [false, true])
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
        await expectEqual(store.send(.words(["a"])).word, "settled")
        expectEqual(store.state, ["a", "b"])
    }

    @Test("An event does not settle before its last effect has been applied", arguments: [false, true])
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
        expectEqual(settled.withLock { $0 }, false)
        gate.send(completion: .finished)
        await expectEqual(watcher.value, "settled")
        expectEqual(store.state, ["one"])
    }

    @MainActor @Test("A sink on the main actor has received everything that an event caused when the event has settled")
    func sinkOnTheMainActor() async {
        let store = scriptStore()
        var seen: [String] = []
        let picture = store.states.sink { seen = $0 }
        for round in 0..<Budget.rounds(500, least: 50) {
            // Another thread sends the effect, and so delivers the value to the sink.
            let word = "\(round)"
            _ = await store.send(.stream("elsewhere") { .run { send in send(word) } })
            expectEqual(seen.last, word)
        }
        picture.cancel()
    }

    @Test("A rejection is the outcome of the rejected event, and not of the event that caused it")
    func refusalOfAnAnswer() async {
        let refused = Mutex(0)
        let options = ScriptOptions(journal: { record in
            if case .rejected = record.step { refused.withLock { $0 += 1 } }
        })
        let store = scriptStore(options) { states in
            [states.filter { $0 == ["a"] }.map { _ in .refused }.eraseToAnyPublisher()]
        }
        await expectEqual(store.send(.words(["a"])).word, "settled")
        expectEqual(refused.withLock { $0 }, 1)
        await expectEqual(store.send(.refused).word, "rejected Refusal()")
    }

    @Test("An event whose job is cancelled is interrupted, and its sender is notified", arguments: [false, true])
    func cancelledJob(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        let task = await Self.start(store) {
            Empty(completeImmediately: false).job("endless").eraseToAnyPublisher()
        }
        store.cancelJob("endless")
        await expectEqual(task.value, "interrupted: its job endless was cancelled")
    }

    @Test("An event whose job is queued settles when that job has run", arguments: [false, true])
    func queuedJob(hasJournal: Bool) async {
        let (store, gate) = (scriptStore(hasJournal: hasJournal), PassthroughSubject<String, Never>())
        store.post(.stream("first") { gate.job("q", .queue).eraseToAnyPublisher() })
        let task = await Self.start(store) { Just("second").job("q", .queue).eraseToAnyPublisher() }
        expectEqual(store.state, [])
        gate.send(completion: .finished)
        await expectEqual(task.value, "settled")
        expectEqual(store.state, ["second"])
    }

    @Test("An event whose job is rejected has the rejection as its outcome", arguments: [false, true])
    func refusedJob(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        store.post(.stream("first") { Empty(completeImmediately: false).job("id", .latest).eraseToAnyPublisher() })
        let outcome = await store.send(.stream("second") { Just("no").job("id", .queue).eraseToAnyPublisher() })
        guard case .failure(.rejected(let error)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        expect(error as? JobError == .policyConflict(id: JobID("id"), running: .latest, requested: .queue))
        expectEqual(store.state, [])
    }

    @Test(
        "An awaited event of a store that is cancelled is interrupted, and later events learn that it has ended",
        arguments: [false, true])
    func cancelledStore(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        let task = await Self.start(store) { Empty(completeImmediately: false).eraseToAnyPublisher() }
        store.cancel()
        await expectEqual(task.value, "interrupted: the loop has ended")
        await expectEqual(store.send(.words(["a"])).word, "ended")
        expectEqual(store.post(.words(["a"])).word, "ended")
    }

    @Test(
        "A cancelled store resumes its senders even if an effect ignores the cancellation and retains its subscriber",
        arguments: [false, true])
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
        await expectEqual(task.value, "interrupted: the loop has ended")
        expectEqual(kept.withLock { $0.count }, 1)
    }

    @Test(
        "A cancelled store resumes its senders even if a grammatical publisher retains the loop's own subscriber",
        arguments: [false, true])
    func stubbornGrammaticalEffect(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        let stubborn = Stubborn()
        let task = await Self.start(store) { stubborn.eraseToAnyPublisher() }
        store.cancel()
        await expectEqual(task.value, "interrupted: the loop has ended")
        expect(stubborn.subscriber != nil)
    }

    @Test("An event that is sent to a busy loop settles with everything that it causes")
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
        await expectEqual(refused.value, "rejected Refusal()")
        await Self.subscribed(store)
        gate.send("late")
        gate.send(completion: .finished)
        await expectEqual(task.value, "settled")
        expectEqual(store.state, ["late"])
    }

    @Test("A rejected event settles after the event that `transform` sent before it threw")
    func sentByRefused() async {
        let (gate, inlet) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let isTaken = Flag()
        let store = Store<Int, Int>(
            reducer: Reducer(
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
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), feedback: { _ in [inlet.eraseToAnyPublisher()] })
        let isOver = Mutex(false)
        let task = Task {
            let word = await store.send(1).word
            isOver.withLock { $0 = true }
            return word
        }
        await isTaken.wait()
        // It is handled when the effects of the previous event are subscribed to.
        await store.send(3, until: .decided)
        for _ in 0..<100 { await Task.yield() }
        expectEqual(isOver.withLock { $0 }, false)
        gate.send(5)
        gate.send(completion: .finished)
        await expectEqual(task.value, "rejected Refusal()")
        expectEqual(store.state, 5)
    }

    @Test("An event that cancels its own loop is interrupted", arguments: [SendStage.decided, .settled])
    func cancelsItself(stage: SendStage) async {
        let handle = Mutex<AnyCancellable?>(nil)
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    handle.withLock { $0.take() }?.cancel()
                    return .just(event)
                }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
        handle.withLock { $0 = AnyCancellable(store) }
        await expectEqual(store.send(1, until: stage).word, "interrupted: the loop has ended")
        expectEqual(store.state, 0)
    }

    @Test("Later effects of an event that nobody awaits are applied after awaited events have settled")
    func nextOne() async {
        let (store, gate) = (scriptStore(), PassthroughSubject<String, Never>())
        await expectEqual(store.send(.words(["a"])).word, "settled")
        store.post(.stream("live") { gate.eraseToAnyPublisher() })
        await expectEqual(store.send(.words(["b"])).word, "settled")
        gate.send("c")
        expectEqual(store.state, ["a", "b", "c"])
    }

    @Test("The first of two rejected effects is the outcome of their event")
    func firstRefusal() async {
        struct Unwanted: Error { let number: Int }
        let picky = Reducer<Int, [Int], Int, Void>(
            transform: { _, numbers, _ in numbers.publisher.eraseToAnyPublisher() },
            apply: { (sum: inout Int, number: Int) throws(Unwanted) in
                if number < 0 { throw Unwanted(number: number) }
                sum += number
            })
        let store = Store(reducer: picky, initialState: 0, environment: ())
        await expectEqual(store.send([1, -2, 3, -4]).word, "rejected Unwanted(number: -2)")
        expectEqual(store.state, 4)
    }

    /// Rejects the effect of a negative number.
    private static let positive = Reducer<Int, Int, Int, PassthroughSubject<Int, Never>>(
        transform: { _, number, later in number == 0 ? later.eraseToAnyPublisher() : .just(number) },
        apply: { (sum: inout Int, number: Int) throws(Refusal) in
            if number < 0 { throw Refusal() }
            sum += number
        })

    @Test("The sender of an event is not notified of the rejection of an effect of the event with which feedback answers")
    func answerRefused() async {
        let store = Store(reducer: Self.positive, initialState: 0, environment: PassthroughSubject()) { states in
            [states.filter { $0 == 1 }.map { _ in -1 }.eraseToAnyPublisher()]
        }
        await expectEqual(store.send(1).word, "settled")
        await expectEqual(store.send(-1).word, "rejected Refusal()")
    }

    @Test("The sender of an event is notified of the rejection of a later effect of it")
    func laterRefused() {
        let (later, executor, words) = (PassthroughSubject<Int, Never>(), SteppedExecutor(), Recorder<String>())
        let store = Store(reducer: Self.positive, initialState: 0, environment: later)
        Task(executorPreference: executor) { words.append(await store.send(0).word) }
        executor.run()
        later.send(-1)
        later.send(completion: .finished)
        executor.run()
        expectEqual(words.all, ["rejected Refusal()"])
    }

    @Test("An event settles after the consequences of a later effect", arguments: [false, true])
    func laterEffect(hasJournal: Bool) {
        let (effects, answer) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
        let store = scriptStore(hasJournal: hasJournal) { states in
            [states.filter { $0 == ["later"] }.map { _ in .stream("answer") { AnyPublisher(answer) } }.eraseToAnyPublisher()]
        }
        let (executor, settled) = (SteppedExecutor(), Recorder<String>())
        Task(executorPreference: executor) {
            settled.append(await store.send(.stream("effects") { AnyPublisher(effects) }).word)
        }
        executor.run()
        effects.send("later")
        effects.send(completion: .finished)
        executor.run()
        expectEqual(settled.all, [])
        answer.send(completion: .finished)
        executor.run()
        expectEqual(settled.all, ["settled"])
    }

    @Test("A task that is cancelled stops waiting, and the event continues", arguments: [false, true])
    func cancelledTask(hasJournal: Bool) async {
        let (store, gate) = (scriptStore(hasJournal: hasJournal), PassthroughSubject<String, Never>())
        let task = await Self.start(store) { gate.eraseToAnyPublisher() }
        task.cancel()
        await expectEqual(task.value, "cancelled")
        gate.send("later")
        expectEqual(store.state, ["later"])
    }

    @Test("`finished()` does not return before the loop has ended")
    func unfinished() {
        let (store, executor, returned) = (scriptStore(), SteppedExecutor(), Recorder<String>())
        Task(executorPreference: executor) {
            await store.finished()
            returned.append("finished")
        }
        executor.run()
        expectEqual(returned.all, [])
        store.cancel()
        executor.run()
        expectEqual(returned.all, ["finished"])
    }

    @Test("`finished()` returns when the loop ends, or its task is cancelled")
    func finished() async {
        let store = scriptStore()
        let waiting = Task { await store.finished() }
        waiting.cancel()
        await waiting.value
        let other = Task { await store.finished() }
        store.cancel()
        await other.value
        await store.finished()
        expectEqual(store.state, [])
    }
}

/// Retains its subscriber, and never ends.
private final class Stubborn: GrammaticalPublisher, @unchecked Sendable {
    // Sound: the loop subscribes once, and the test reads it afterwards.
    typealias Output = String
    typealias Failure = Never
    private(set) var subscriber: (any Subscriber)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == Never {
        self.subscriber = subscriber
        subscriber.receive(subscription: Subscriptions.empty)
    }
}
