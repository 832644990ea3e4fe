import Foundation
import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight
@testable import MoonlightDurability

/// The output of a loop while its gate is closed.
@Suite("A loop with an output gate")
struct OutputGateTests {
    private let log = FakeLog()
    private let seen = Recorder<Int>()

    /// Waits until the loop has handled the turn for which it was woken, without blocking a thread of the pool.
    private func settled() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                settle()
                continuation.resume()
            }
        }
    }

    private func store(_ log: FakeLog? = nil) -> Store<Int, GatedEvent> { gatedStore(log ?? self.log) }

    @Test("A state is shown when its position is released, one after the other")
    func states() async throws {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in 1...3 { store.post(.add(number)) }
        expectEqual(seen.all, [0])
        log.progress.release(through: 1)
        try await until { seen.last == 1 }
        log.progress.release(through: 3)
        try await until { seen.last == 6 }
        expectEqual(seen.all, [0, 1, 3, 6])
        log.progress.release(through: 4)
        store.post(.add(4))
        expectEqual(seen.all, [0, 1, 3, 6, 10])
        expectEqual(store.state, 10)
        expectEqual(log.notes.filter { $0.hasPrefix("turn") }, ["turn: 1", "turn: 3", "turn: 6", "turn: 10"])
        sink.cancel()
    }

    @Test("An effect that changes nothing holds no state")
    func unchanged() async throws {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [0, 5, 0] { store.post(.add(number)) }
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        expectEqual(seen.all, [0, 5])
        sink.cancel()
    }

    @Test("An effect that cannot be written is refused before it is applied, and the loop continues", arguments: [true, false])
    func unwritable(isReady: Bool) async throws {
        let (log, numbers) = (FakeLog(unwritable: [5]), CurrentValueSubject<Int, Never>(2))
        log.progress.release(through: 10)
        let store = store(log)
        if isReady {
            expectEqual(await store.send(.add(5)).word, "rejected 5 is not written")
        } else {
            let answer = Task { await store.send(.stream(numbers.eraseToAnyPublisher())).word }
            try await until { store.state == 2 }
            numbers.send(5)
            numbers.send(completion: .finished)
            await expectEqual(answer.value, "rejected 5 is not written")
        }
        expectEqual(await store.send(.add(1)).word, "settled")
        expectEqual(store.state, isReady ? 1 : 3)
        expect(!log.notes.contains("applied 5"))
        store.cancel()
    }

    @Test("A stream that cannot be written is not subscribed to, and the rejection of its event waits for its release")
    func unwritableStream() async throws {
        let (log, subject, refused) = (FakeLog(writesStreams: false), PassthroughSubject<Int, Never>(), Recorder<String>())
        let store = store(log)
        let sink = store.refusals.sink { refused.append("\($0.event)") }
        store.post(.add(1))
        let answer = Task { await store.send(.stream(subject.eraseToAnyPublisher())).word }
        try await until { log.notes.contains("rejected") }
        expectEqual(refused.all, [])
        log.progress.release(through: 10)
        await expectEqual(answer.value, "rejected no stream is written")
        try await until { store.isQuiet }
        expectEqual(refused.all, ["stream"])
        expectEqual(store.inFlight.count, 0)
        expectEqual(await store.send(.add(1)).word, "settled")
        sink.cancel()
        store.cancel()
    }

    @Test("The sender of an event is not notified of a stream that cannot be written if feedback has sent the stream's event")
    func unwritableAnswer() async {
        let log = FakeLog(writesStreams: false)
        log.progress.release(through: 10)
        let store = gatedStore(log) { states in
            [states.filter { $0 == 1 }.map { _ in .stream(PassthroughSubject().eraseToAnyPublisher()) }.eraseToAnyPublisher()]
        }
        expectEqual(await store.send(.add(1)).word, "settled")
        expect(log.notes.contains("rejected"))
        store.cancel()
    }

    /// A store with two parts, one of which undoes the change of the other if it is 7.
    private func undoing() -> Store<Int, GatedEvent> {
        var options = LoopOptions<Int, GatedEvent, Int>()
        options.hook = OutputGate(log)
        let adding = Reducer<Int, GatedEvent, Int, Void>(
            transform: { _, event, _ in if case .add(let number) = event { .just(number) } else { .none } },
            apply: { (state: inout Int, effect: Int) in state += effect })
        let takingBack = Reducer<Int, GatedEvent, Int, Void>(
            transform: { _, _, _ in .none }, apply: { (state: inout Int, effect: Int) in if effect == 7 { state -= 7 } })
        return Store(reducer: adding.combined(with: takingBack), initialState: 0, environment: (), options: options)
    }

    @Test("The next state is compared with the last held one: a change and its reversal show one state")
    func asItWas() async throws {
        let store = undoing()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [5, 7] { store.post(.add(number)) }
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        expectEqual(seen.all, [0, 5])
        sink.cancel()
    }

    @Test("The next state is compared with the newest held one, even when earlier ones have been shown")
    func shownInPart() async throws {
        let store = undoing()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [5, 3] { store.post(.add(number)) }
        log.progress.release(through: 1)
        try await until { seen.last == 5 }
        store.post(.add(7))
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        expectEqual(seen.all, [0, 5, 8])
        sink.cancel()
    }

    @Test("The synchronous effects of a held stream are shown one by one, even if they lead back to the last held state")
    func backToHeld() async throws {
        var options = LoopOptions<Int, GatedEvent, Int>()
        options.hook = OutputGate(log)
        let adding = Reducer<Int, GatedEvent, Int, Void>(
            transform: { _, event, _ in
                if case .add(let number) = event { return .just(number) }
                return [3, 7].publisher.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher()
            },
            apply: { (state: inout Int, effect: Int) in state += effect })
        let takingBack = Reducer<Int, GatedEvent, Int, Void>(
            transform: { _, _, _ in .none }, apply: { (state: inout Int, effect: Int) in if effect == 7 { state -= 10 } })
        let store = Store(reducer: adding.combined(with: takingBack), initialState: 0, environment: (), options: options)
        let sink = store.states.sink { [seen] in seen.append($0) }
        store.post(.add(5))
        store.post(.stream(Empty(completeImmediately: false).eraseToAnyPublisher()))
        expectEqual(seen.all, [0])
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        expectEqual(seen.all, [0, 5, 8, 5])
        sink.cancel()
    }

    @Test("A sender whose stream is held gets the failure of the log, and the stream stays held", arguments: [1, 3])
    func streamHeldByFailure(senders: Int) async {
        let (store, executor, answers) = (store(), SteppedExecutor(), Recorder<String>())
        store.post(.add(1))
        for _ in 0..<senders {
            Task(executorPreference: executor) {
                answers.append(await store.send(.stream(Empty(completeImmediately: false).eraseToAnyPublisher())).word)
            }
        }
        executor.run()
        expectEqual(answers.all, [])
        log.progress.fail(.overflow)
        await settled()
        executor.run()
        expectEqual(answers.all, [String](repeating: "overflow", count: senders))
        expect(!store.isQuiet)
        expect(!log.notes.contains("begins 7"))
        store.cancel()
    }

    @Test(
        "A sender whose event is handled after the log has failed gets the failure at once",
        arguments: [SendStage.decided, .settled])
    func heldAfterFailure(stage: SendStage) async {
        let (store, executor, answers) = (store(), SteppedExecutor(), Recorder<String>())
        log.progress.fail(.overflow)
        await settled()
        Task(executorPreference: executor) { answers.append(await store.send(.add(1), until: stage).word) }
        executor.run()
        expectEqual(answers.all, ["overflow"])
        store.cancel()
    }

    @Test("All senders whose answers are held get the failure of the log", arguments: [SendStage.decided, .settled])
    func heldWhenItFails(stage: SendStage) async throws {
        let (store, answers) = (store(), Recorder<String>())
        // The last changes nothing, so that only its answer is held.
        for (turn, number) in zip(1..., [1, 2, 0]) {
            Task { answers.append(await store.send(.add(number), until: stage).word) }
            try await until { log.position == turn && store.isIdle }
        }
        expectEqual(answers.all, [])
        log.progress.fail(.overflow)
        try await until { answers.count == 3 }
        expectEqual(answers.all, ["overflow", "overflow", "overflow"])
        store.cancel()
    }

    @Test(
        "A sender that repeats an event of the log is answered when all earlier output is released",
        arguments: [SendStage.decided, .settled])
    func repeated(stage: SendStage) async throws {
        let log = FakeLog { if case .refused = $0 { .repeated(nil) } else { .admitted } }
        let (store, executor, answers) = (store(log), SteppedExecutor(), Recorder<String>())
        store.post(.add(1))
        Task(executorPreference: executor) { answers.append(await store.send(.refused, until: stage).word) }
        executor.run()
        expectEqual(answers.all, [])
        log.progress.release(through: 1)
        try await until {
            executor.run()
            return answers.count == 1
        }
        expectEqual(answers.all, ["settled"])
        store.cancel()
    }

    @Test("An observer of refusals receives an event that the gate does not admit")
    func notAdmitted() {
        let (store, refusals) = (store(FakeLog { _ in .refused(.draining) }), Recorder<String>())
        let sink = store.refusals.sink { refusals.append("\($0.event): \($0.error)") }
        store.post(.add(1))
        expectEqual(refusals.all, ["add 1: \(SendError.draining)"])
        expectEqual(store.state, 0)
        sink.cancel()
    }

    @Test("A stream of effects begins when its event is released, and each of its effects has a separate turn")
    func streams() async throws {
        let (store, stream) = (store(), PassthroughSubject<Int, Never>())
        let sink = store.states.sink { [seen] in seen.append($0) }
        store.post(.add(1))
        store.post(.stream(stream.eraseToAnyPublisher()))
        stream.send(100)
        expectEqual(log.notes, ["add 1", "applied 1", "turn: 1", "stream", "stream of stream"])
        log.progress.release(through: 1)
        try await until { log.notes.last == "begins 7" && seen.last == 1 && store.isIdle }
        stream.send(10)
        stream.send(completion: .finished)
        log.progress.release(through: 2)
        try await until { seen.last == 11 && log.notes.last == "ends 7" }
        expectEqual(seen.all, [0, 1, 11])
        expectEqual(log.notes.suffix(3), ["applied 10", "turn: 11", "ends 7"])
        sink.cancel()
    }

    @Test("The log receives a rejection, and the end with the last state, shown or not")
    func ends() {
        let store = store()
        store.post(.refused)
        store.post(.add(2))
        store.cancel()
        expectEqual(log.notes, ["refused", "rejected", "add 2", "applied 2", "turn: 2", "end: 2"])
        expectEqual(store.state, 0)
        log.progress.release(through: 9)
        expectEqual(store.state, 0)
    }

    @Test("A rejection is shown when all earlier output is released")
    func rejections() async throws {
        let (store, observed) = (store(), Recorder<String>())
        let sink = store.refusals.sink { observed.append("\($0.event)") }
        store.post(.add(1))
        store.post(.refused)
        expectEqual(observed.all, [])
        log.progress.release(through: 1)
        try await until { observed.count == 1 }
        expectEqual(observed.all, ["refused"])
        store.post(.refused)
        expectEqual(observed.all, ["refused", "refused"])
        sink.cancel()
    }

    @Test("A left-over event is handled first")
    func leftOver() {
        let log = FakeLog(leftOver: [.add(1), .add(2)])
        log.progress.release(through: 9)
        let store = store(log)
        expectEqual(store.state, 3)
        store.post(.add(3))
        expectEqual(log.notes.filter { $0.hasPrefix("add") }, ["add 1", "add 2", "add 3"])
    }

    @Test("An event that the log does not admit has no effects")
    func turnedAway() {
        let log = FakeLog { event in
            switch event {
            case .add(2): .refused(.overflow)
            case .add(3): .repeated(nil)
            default: .admitted
            }
        }
        log.progress.release(through: 9)
        let store = store(log)
        for number in 1...4 { store.post(.add(number)) }
        expectEqual(store.state, 5)
        expectEqual(log.notes.filter { $0.hasPrefix("applied") }, ["applied 1", "applied 4"])
    }

    @Test("A store is not quiet while a state is held, and is quiet when it has been shown")
    func quiet() async {
        let store = store()
        store.post(.add(1))
        expect(!store.isQuiet)
        log.progress.release(through: 1)
        await store.quiet()
        expectEqual(store.state, 1)
    }

    @Test("A store that is drained behind a failed gate ends, and its held output is dropped")
    func failedDrain() async {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        store.post(.add(1))
        log.progress.fail(.overflow)
        await expect(store.drain(within: nil).isEmpty)
        expectEqual(seen.all, [0])
        expectEqual(log.notes.last, "end: 1")
        sink.cancel()
    }

    @Test(
        "A sender that waits is answered when its event is released, or with the failure of the gate", arguments: [false, true])
    func senders(fails: Bool) async throws {
        let (store, executor, answers) = (store(), SteppedExecutor(), Recorder<String>())
        for stage in [SendStage.decided, .settled] {
            Task(executorPreference: executor) { answers.append(await store.send(.add(1), until: stage).word) }
        }
        executor.run()
        expectEqual(answers.all, [])
        if fails { log.progress.fail(.overflow) } else { log.progress.release(through: 2) }
        try await until {
            executor.run()
            return answers.count == 2
        }
        expect(answers.all == (fails ? ["overflow", "overflow"] : ["settled", "settled"]))
    }

    @Test("A thread that releases a position does not deliver the released states")
    func threads() async throws {
        let (store, threads) = (store(), Recorder<UInt>())
        let sink = store.states.dropFirst().sink { _ in threads.append(currentThread()) }
        store.post(.add(1))
        let (isReleased, stay) = (Flag(), Latch())
        let releaser = Recorder<UInt>()
        let worker = Worker { [log] in
            releaser.append(currentThread())
            log.progress.release(through: 1)
            isReleased.raise()
            stay.wait()
        }
        await isReleased.wait()
        try await until { threads.count == 1 }
        expect(threads.all != releaser.all)
        stay.open()
        worker.join()
        sink.cancel()
    }

    @Test("A store that is drained behind a failed gate waits for a stream that has begun, and not for one that is held")
    func failedDrainOfStreams() async throws {
        let (store, first, second) = (store(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        for stream in [first, second] {
            store.post(.add(1))
            store.post(.stream(stream.eraseToAnyPublisher()))
        }
        log.progress.release(through: 1)
        try await until { log.notes.last == "stream of stream" && log.notes.contains("begins 7") && store.isIdle }
        store.beginDraining()
        log.progress.fail(.overflow)
        try await until { store.isIdle }
        expectEqual(store.post(.add(1)).word, "draining")
        first.send(completion: .finished)
        try await until { store.isIdle }
        expectEqual(store.post(.add(1)).word, "ended")
        expectEqual(log.notes.last, "end: 2")
    }

    @Test("Held streams are released when the store ends, although the store itself is still held")
    func letsGo() {
        let store = store()
        weak var held: PassthroughSubject<Int, Never>?
        do {
            let stream = PassthroughSubject<Int, Never>()
            held = stream
            store.post(.add(1))
            store.post(.stream(stream.eraseToAnyPublisher()))
        }
        expect(held != nil)
        store.cancel()
        expect(held == nil)
        withExtendedLifetime(store) {}
    }

    @Test("A sender of an event that is not admitted is answered at once", arguments: [SendStage.decided, .settled])
    func answered(stage: SendStage) {
        let log = FakeLog { event in
            switch event {
            case .add(1): .refused(.overflow)
            case .add(2): .repeated(nil)
            case .add(3): .repeated(.draining)
            default: .admitted
            }
        }
        log.progress.release(through: 9)
        let (store, executor, answers) = (store(log), SteppedExecutor(), Recorder<String>())
        for number in 1...4 {
            Task(executorPreference: executor) { answers.append(await store.send(.add(number), until: stage).word) }
            executor.run()
        }
        expectEqual(answers.all, ["overflow", "settled", "draining", "settled"])
    }

    @Test("A loop whose feedback has ended ends when everything held has been shown, and not before")
    func naturalEnd() async throws {
        let events = PassthroughSubject<GatedEvent, Never>()
        let store = gatedStore(log) { _ in [events.eraseToAnyPublisher()] }
        let sink = store.states.sink(
            receiveCompletion: { [seen] _ in seen.append(-1) }, receiveValue: { [seen] in seen.append($0) })
        events.send(.add(1))
        events.send(completion: .finished)
        expectEqual(seen.all, [0])
        log.progress.release(through: 1)
        try await until { seen.count > 1 && store.isIdle }
        expectEqual(seen.all, [0, 1, -1])
        expectEqual(log.notes.last, "end: 1")
        sink.cancel()
    }

    @Test("A store with an output gate shows released output, holds the rest, and ends", arguments: [false, true])
    func gated(fails: Bool) async {
        let observed = Recorder<String>()
        let ended = await endsInTask { [observed] in
            let (log, stream) = (FakeLog(), PassthroughSubject<Int, Never>())
            let store = gatedStore(log)
            let sink = store.states.sink { observed.append("\($0)") }
            async let first = store.send(.add(1))
            try? await until { log.position == 1 }
            async let second = store.send(.add(2))
            try? await until { log.position == 2 }
            store.post(.stream(stream.eraseToAnyPublisher()))
            if fails { log.progress.fail(.overflow) } else { log.progress.release(through: 1) }
            observed.append(await first.word)
            log.progress.release(through: 9)
            observed.append(await second.word)
            try? await until { fails || log.notes.contains("begins 7") }
            stream.send(completion: .finished)
            if !fails {
                _ = await store.drain(within: nil)
                observed.append("\(store.state)")
            }
            store.cancel()
            await store.finished()
            sink.cancel()
        }
        expect(ended)
        expect(observed.all.filter { Int($0) == nil } == (fails ? ["overflow", "overflow"] : ["settled", "settled"]))
        expect(fails || observed.last == "3")
    }
}
