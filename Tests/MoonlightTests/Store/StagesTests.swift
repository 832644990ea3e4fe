import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// How long `await send` waits, and what it reads then.
@Suite("Stages of a sent event")
struct StagesTests {
    private enum Event: Sendable {
        case take
        case refuse
        /// Is worked on until the subject ends.
        case work(PassthroughSubject<Int, Never>)
        /// Holds up the loop, on the thread that sends it.
        case hold(Flag, Latch)
    }
    private struct Refusal: Error, Equatable {}

    private func store(options: LoopOptions<Int, Event, Int> = LoopOptions()) -> Store<Int, Event> {
        Store(
            initialState: 0, environment: (), options: options,
            transform: { _, event, _ in
                switch event {
                case .take: return .just(1)
                case .refuse: throw Refusal()
                case .work(let effects): return AnyPublisher(effects.prepend(10))
                case .hold(let isHeld, let goOn):
                    isHeld.raise()
                    goOn.wait()
                    return .none
                }
            }, apply: { $0 + $1 })
    }

    @Test("decided: ready effects have been applied, what is live goes on")
    func decided() async {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        #expect(await store.send(.work(effects), until: .decided).word == "settled")
        #expect(store.state == 10)
        effects.send(5)
        #expect(store.state == 15)
    }

    @Test("decided: a refusal is told with its reason, and nothing is read", arguments: [false, true])
    func refused(hasJournal: Bool) async {
        let (store, readings) = (store(options: hasJournal ? LoopOptions(journal: { _ in }) : LoopOptions()), Counter())
        #expect(await store.send(.refuse, until: .decided).word == "rejected Refusal()")
        await #expect {
            try await store.send(.refuse, until: .decided) { _ in readings.add() }
        } throws: { error in
            if case SendError.rejected(let reason) = error { reason is Refusal } else { false }
        }
        #expect(readings.value == 0)
    }

    @Test("settled: the same as to send without a stage")
    func settled() async {
        let (store, effects, isOver) = (store(), PassthroughSubject<Int, Never>(), Recorder<Int>())
        let isHandled = Flag()
        let observer = store.states.sink { if $0 == 10 { isHandled.raise() } }
        let task = Task {
            let result = await store.send(.work(effects), until: .settled)
            isOver.append(store.state)
            return result.word
        }
        await isHandled.wait()
        // The next event's turn comes when the first one's effects are subscribed to.
        await store.send(.take, until: .decided)
        #expect(isOver.all == [])
        effects.send(5)
        effects.send(completion: .finished)
        #expect(await task.value == "settled")
        #expect(isOver.all == [16])
        withExtendedLifetime(observer) {}
    }

    @Test("taken: it is in the line, and nobody has looked at it yet")
    func taken() async {
        let (store, isHeld, goOn) = (store(), Flag(), Latch())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        #expect(await store.send(.take, until: .taken).word == "settled")
        #expect(store.state == 0)
        goOn.open()
        holder.join()
        #expect(store.state == 1)
    }

    @Test("a reading is of this very event: each of many senders gets a ticket of its own")
    func tickets() async throws {
        let store = store()
        let tickets = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var own: [Int] = []
                    for _ in 0..<200 { own.append(try await store.send(.take, until: .decided) { $0 }) }
                    return own
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(tickets.sorted() == Array(1...1600))
    }

    @Test("decided: an effect that apply refuses is told, and nothing is read")
    func refusedEffect() async {
        struct TooMuch: Error {}
        let picky = Reducer<Int, Int, Int, Void>(
            transform: { _, number, _ in .just(number) },
            apply: { (sum: inout Int, number: Int) throws(TooMuch) in
                if number > 9 { throw TooMuch() }
                sum += number
            })
        let (store, readings) = (Store(reducer: picky, initialState: 0, environment: ()), Counter())
        #expect(await store.send(10, until: .decided).word == "rejected TooMuch()")
        await #expect(throws: SendError.self) {
            try await store.send(10, until: .decided) { _ in readings.add() }
        }
        #expect(readings.value == 0)
        #expect(await store.send(9, until: .decided).word == "settled")
        #expect(store.state == 9)
    }

    @Test("decided: who reads waits for no effect that is live, and who awaits the whole does, of one and the same loop")
    func bothStages() async throws {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        let isHandled = Flag()
        let observer = store.states.sink { if $0 == 10 { isHandled.raise() } }
        let whole = Task { await store.send(.work(effects), until: .settled).word }
        await isHandled.wait()
        #expect(try await store.send(.take, until: .decided) { $0 } == 11)
        effects.send(completion: .finished)
        #expect(await whole.value == "settled")
        withExtendedLifetime(observer) {}
    }

    @Test("a reading comes before an event that this one's observer has sent")
    func beforeWhatFollows() async throws {
        let store = store()
        let observer = store.states.sink { [weak store] state in if state == 1 { store?.send(.take) } }
        #expect(try await store.send(.take, until: .decided) { $0 } == 1)
        #expect(store.state == 2)
        withExtendedLifetime(observer) {}
    }

    @Test("events that were folded into one are decided about together")
    func folded() async throws {
        let store = store(
            options: LoopOptions(coalesce: { waiting, next in
                if case .take = waiting, case .take = next { return .take }
                return nil
            }))
        let (isHeld, goOn, executor) = (Flag(), Latch(), ToldExecutor())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        let readers = (0..<2).map { _ in
            Task(executorPreference: executor) { try await store.send(.take, until: .decided) { $0 } }
        }
        // Both wait now, and their events lie in the inbox.
        executor.run()
        goOn.open()
        holder.join()
        executor.run()
        for reader in readers { #expect(try await reader.value == 1) }
    }

    @Test("while the loop is drained, an event is refused and nothing is read")
    func draining() async {
        let (store, effects, readings) = (store(), PassthroughSubject<Int, Never>(), Counter())
        store.post(.work(effects))
        store.beginDraining()
        await #expect {
            try await store.send(.take, until: .decided) { _ in readings.add() }
        } throws: { error in
            if case SendError.draining = error { true } else { false }
        }
        #expect(store.state == 10)
        #expect(readings.value == 0)
        effects.send(completion: .finished)
    }

    @Test("if the loop has ended first, that is told, and nothing is read")
    func ended() async {
        let (store, isHeld, goOn, readings) = (store(), Flag(), Latch(), Counter())
        let executor = ToldExecutor()
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        let reader = Task(executorPreference: executor) {
            do {
                try await store.send(.take, until: .decided) { _ in _ = readings.add() }
                return "read"
            } catch {
                return "\(error)"
            }
        }
        let waiter = Task(executorPreference: executor) { await store.send(.take, until: .decided).word }
        executor.run()
        store.cancel()
        goOn.open()
        holder.join()
        executor.run()
        #expect(await reader.value == "\(SendError.ended)")
        #expect(await waiter.value == "ended")
        #expect(readings.value == 0)
    }

    @Test("a task that is cancelled waits no more, and its event goes on")
    func cancelledTask() async {
        let (store, isHeld, goOn, executor) = (store(), Flag(), Latch(), ToldExecutor())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        let waiter = Task(executorPreference: executor) { await store.send(.take, until: .decided).word }
        executor.run()
        waiter.cancel()
        executor.run()
        #expect(await waiter.value == "cancelled")
        goOn.open()
        holder.join()
        #expect(store.state == 1)
    }

    @Test("what the inbox has no room for was never taken, at any stage", arguments: [SendStage.taken, .decided, .settled])
    func overflow(stage: SendStage) async {
        let store = store(options: LoopOptions(inbox: .reject(1)))
        let (isHeld, goOn) = (Flag(), Latch())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        store.post(.take)
        #expect(await store.send(.take, until: stage).word == "overflow")
        goOn.open()
        holder.join()
        #expect(store.state == 1)
    }
}
