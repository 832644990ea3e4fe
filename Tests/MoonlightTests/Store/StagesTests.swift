import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The stages until which `await send` waits, and the state that it reads then.
@Suite("`send(_:until:)`: stages of an event")
struct StagesTests {
    private enum Event: Sendable {
        case take
        case refuse
        /// An event that is in flight until the subject ends.
        case work(PassthroughSubject<Int, Never>)
        /// Blocks the loop on the sending thread.
        case hold(Flag, Latch)
    }
    private struct Refusal: Error, Equatable {}

    private func store(options: LoopOptions<Int, Event, Int> = LoopOptions()) -> Store<Int, Event> {
        Store(
            reducer: Reducer(
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
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: options)
    }

    @Test("A decided event has had its synchronous effects applied, while live effects continue")
    func decided() async {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        await expectEqual(store.send(.work(effects), until: .decided).word, "settled")
        expectEqual(store.state, 10)
        effects.send(5)
        expectEqual(store.state, 15)
    }

    @Test("A rejected event returns the reason at the stage `decided`, and the state is not read", arguments: [false, true])
    func refused(hasJournal: Bool) async {
        let (store, readings) = (store(options: hasJournal ? LoopOptions(journal: { _ in }) : LoopOptions()), Counter())
        await expectEqual(store.send(.refuse, until: .decided).word, "rejected Refusal()")
        await #expect {
            try await store.send(.refuse) { _ in readings.add() }
        } throws: { error in
            if case SendError.rejected(let reason) = error { reason is Refusal } else { false }
        }
        expectEqual(readings.value, 0)
    }

    @Test("The stage `settled` is the same as sending without a stage")
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
        // The next event is handled when the effects of the first are subscribed to.
        await store.send(.take, until: .decided)
        expectEqual(isOver.all, [])
        effects.send(5)
        effects.send(completion: .finished)
        await expectEqual(task.value, "settled")
        expectEqual(isOver.all, [16])
        withExtendedLifetime(observer) {}
    }

    @Test("A taken event is queued, and has not been handled")
    func taken() async {
        let (store, isHeld, goOn) = (store(), Flag(), Latch())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        await expectEqual(store.send(.take, until: .taken).word, "settled")
        expectEqual(store.state, 0)
        goOn.open()
        holder.join()
        expectEqual(store.state, 1)
    }

    @Test("A reading belongs to its own event: each of many senders receives another number")
    func tickets() async throws {
        let (store, each) = (store(), Budget.rounds(200, least: 25))
        let tickets = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var own: [Int] = []
                    for _ in 0..<each { own.append(try await store.send(.take) { $0 }) }
                    return own
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        expectEqual(tickets.sorted(), Array(1...8 * each))
    }

    @Test("An event whose effect `apply` rejects returns the reason at the stage `decided`, and the state is not read")
    func refusedEffect() async {
        struct TooMuch: Error {}
        let picky = Reducer<Int, Int, Int, Void>(
            transform: { _, number, _ in .just(number) },
            apply: { (sum: inout Int, number: Int) throws(TooMuch) in
                if number > 9 { throw TooMuch() }
                sum += number
            })
        let (store, readings) = (Store(reducer: picky, initialState: 0, environment: ()), Counter())
        await expectEqual(store.send(10, until: .decided).word, "rejected TooMuch()")
        await #expect(throws: SendError.self) {
            try await store.send(10) { _ in readings.add() }
        }
        expectEqual(readings.value, 0)
        await expectEqual(store.send(9, until: .decided).word, "settled")
        expectEqual(store.state, 9)
    }

    @Test("A sender that reads at the decision does not wait for live effects, while another waits for the whole outcome")
    func bothStages() async throws {
        let (store, effects) = (store(), PassthroughSubject<Int, Never>())
        let isHandled = Flag()
        let observer = store.states.sink { if $0 == 10 { isHandled.raise() } }
        let whole = Task { await store.send(.work(effects), until: .settled).word }
        await isHandled.wait()
        try await expectEqual(store.send(.take) { $0 }, 11)
        effects.send(completion: .finished)
        await expectEqual(whole.value, "settled")
        withExtendedLifetime(observer) {}
    }

    @Test("A reading precedes an event that an observer of the same event has sent")
    func beforeWhatFollows() async throws {
        let store = store()
        let observer = store.states.sink { [weak store] state in if state == 1 { store?.send(.take) } }
        try await expectEqual(store.send(.take) { $0 }, 1)
        expectEqual(store.state, 2)
        withExtendedLifetime(observer) {}
    }

    @Test("Coalesced events are decided together")
    func folded() async throws {
        let store = store(
            options: LoopOptions(coalesce: { waiting, next in
                if case .take = waiting, case .take = next { return .take }
                return nil
            }))
        let (isHeld, goOn, executor) = (Flag(), Latch(), SteppedExecutor())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        let readers = (0..<2).map { _ in
            Task(executorPreference: executor) { try await store.send(.take) { $0 } }
        }
        // Both wait now, with their events in the inbox.
        executor.run()
        goOn.open()
        holder.join()
        executor.run()
        for reader in readers { try await expectEqual(reader.value, 1) }
    }

    @Test("An event that is sent while the store drains is refused, and the state is not read")
    func draining() async {
        let (store, effects, readings) = (store(), PassthroughSubject<Int, Never>(), Counter())
        store.post(.work(effects))
        store.beginDraining()
        await #expect {
            try await store.send(.take) { _ in readings.add() }
        } throws: { error in
            if case SendError.draining = error { true } else { false }
        }
        expectEqual(store.state, 10)
        expectEqual(readings.value, 0)
        effects.send(completion: .finished)
    }

    @Test("An event that is queued when the loop ends returns that, and the state is not read")
    func ended() async {
        let (store, isHeld, goOn, readings) = (store(), Flag(), Latch(), Counter())
        let executor = SteppedExecutor()
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        let reader = Task(executorPreference: executor) {
            do {
                try await store.send(.take) { _ in _ = readings.add() }
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
        await expectEqual(reader.value, "\(SendError.ended)")
        await expectEqual(waiter.value, "ended")
        expectEqual(readings.value, 0)
    }

    @Test("A task that is cancelled stops waiting for the decision, and its event continues")
    func cancelledTask() async {
        let (store, isHeld, goOn, executor) = (store(), Flag(), Latch(), SteppedExecutor())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        let waiter = Task(executorPreference: executor) { await store.send(.take, until: .decided).word }
        executor.run()
        waiter.cancel()
        executor.run()
        await expectEqual(waiter.value, "cancelled")
        goOn.open()
        holder.join()
        expectEqual(store.state, 1)
    }

    @Test(
        "An event that does not fit into the inbox was never taken, at any stage",
        arguments: [SendStage.taken, .decided, .settled])
    func overflow(stage: SendStage) async {
        let store = store(options: LoopOptions(inbox: .reject(1)))
        let (isHeld, goOn) = (Flag(), Latch())
        let holder = Worker { store.send(.hold(isHeld, goOn)) }
        await isHeld.wait()
        store.post(.take)
        await expectEqual(store.send(.take, until: stage).word, "overflow")
        goOn.open()
        holder.join()
        expectEqual(store.state, 1)
    }
}
