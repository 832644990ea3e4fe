import Foundation
import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// What a loop tells while its gate is closed.
@Suite("A loop behind a gate")
struct OutputGateTests {
    private let log = FakeLog()
    private let seen = Recorder<Int>()

    /// Waits until the loop has taken the turn that it was woken for, and blocks no thread of the tasks meanwhile.
    private func settled() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                settle()
                continuation.resume()
            }
        }
    }

    private func store(_ log: FakeLog? = nil) -> Store<Int, GatedEvent> { gatedStore(log ?? self.log) }

    @Test("a state is shown when its position is released, and each before the next")
    func states() async throws {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in 1...3 { store.post(.add(number)) }
        #expect(seen.all == [0])
        log.progress.release(through: 1)
        try await until { seen.last == 1 }
        log.progress.release(through: 3)
        try await until { seen.last == 6 }
        #expect(seen.all == [0, 1, 3, 6])
        log.progress.release(through: 4)
        store.post(.add(4))
        #expect(seen.all == [0, 1, 3, 6, 10])
        #expect(store.state == 10)
        #expect(log.notes.filter { $0.hasPrefix("turn") } == ["turn: 1", "turn: 3", "turn: 6", "turn: 10"])
        sink.cancel()
    }

    @Test("an effect that changes nothing holds no state")
    func unchanged() async throws {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [0, 5, 0] { store.post(.add(number)) }
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        #expect(seen.all == [0, 5])
        sink.cancel()
    }

    /// A store one part of whose reducer takes back what the other does, if that is 7.
    private func undoing() -> Store<Int, GatedEvent> {
        var options = LoopOptions<Int, GatedEvent, Int>()
        options.gate = OutputGate(log)
        let adding = Reducer<Int, GatedEvent, Int, Void>(
            transform: { _, event, _ in if case .add(let number) = event { .just(number) } else { .none } },
            apply: { (state: inout Int, effect: Int) in state += effect })
        let takingBack = Reducer<Int, GatedEvent, Int, Void>(
            transform: { _, _, _ in .none }, apply: { (state: inout Int, effect: Int) in if effect == 7 { state -= 7 } })
        return Store(reducer: adding.combined(with: takingBack), initialState: 0, environment: (), options: options)
    }

    @Test("a state that is held counts as the one before the next: what is as it was is not shown again")
    func asItWas() async throws {
        let store = undoing()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [5, 7] { store.post(.add(number)) }
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        #expect(seen.all == [0, 5])
        sink.cancel()
    }

    @Test("so does the newest of several when those before it have been shown")
    func shownInPart() async throws {
        let store = undoing()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [5, 3] { store.post(.add(number)) }
        log.progress.release(through: 1)
        try await until { seen.last == 5 }
        store.post(.add(7))
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        #expect(seen.all == [0, 5, 8])
        sink.cancel()
    }

    @Test("what the stream that was held last leads to at once is shown, also if it is the last state that was held")
    func backToHeld() async throws {
        var options = LoopOptions<Int, GatedEvent, Int>()
        options.gate = OutputGate(log)
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
        store.post(.stream(PassthroughSubject()))
        #expect(seen.all == [0])
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        #expect(seen.all == [0, 5, 8, 5])
        sink.cancel()
    }

    @Test("a sender whose stream is held is told that the log has failed, and the stream is held on", arguments: [1, 3])
    func streamHeldByFailure(senders: Int) async {
        let (store, executor, answers) = (store(), ToldExecutor(), Recorder<String>())
        store.post(.add(1))
        for _ in 0..<senders {
            Task(executorPreference: executor) { answers.append(await store.send(.stream(PassthroughSubject())).word) }
        }
        executor.run()
        #expect(answers.all == [])
        log.progress.fail(.overflow)
        await settled()
        executor.run()
        #expect(answers.all == [String](repeating: "overflow", count: senders))
        #expect(!store.isQuiet)
        #expect(!log.notes.contains("begins 7"))
        store.cancel()
    }

    @Test("what is held when the log has failed is told to have failed at once", arguments: [SendStage.decided, .settled])
    func heldAfterFailure(stage: SendStage) async {
        let (store, executor, answers) = (store(), ToldExecutor(), Recorder<String>())
        log.progress.fail(.overflow)
        await settled()
        Task(executorPreference: executor) { answers.append(await store.send(.add(1), until: stage).word) }
        executor.run()
        #expect(answers.all == ["overflow"])
        store.cancel()
    }

    @Test("when the log fails, all that is held is told to have failed", arguments: [SendStage.decided, .settled])
    func heldWhenItFails(stage: SendStage) async throws {
        let (store, answers) = (store(), Recorder<String>())
        // The last changes nothing, so that only its answer is held.
        for (turn, number) in zip(1..., [1, 2, 0]) {
            Task { answers.append(await store.send(.add(number), until: stage).word) }
            try await until { log.position == turn && store.isIdle }
        }
        #expect(answers.all == [])
        log.progress.fail(.overflow)
        try await until { answers.count == 3 }
        #expect(answers.all == ["overflow", "overflow", "overflow"])
        store.cancel()
    }

    @Test(
        "who sends an event again that the log has seen is answered when what came before may be told",
        arguments: [SendStage.decided, .settled])
    func repeated(stage: SendStage) async throws {
        let log = FakeLog { if case .refused = $0 { .repeated(nil) } else { .admitted } }
        let (store, executor, answers) = (store(log), ToldExecutor(), Recorder<String>())
        store.post(.add(1))
        Task(executorPreference: executor) { answers.append(await store.send(.refused, until: stage).word) }
        executor.run()
        #expect(answers.all == [])
        log.progress.release(through: 1)
        try await until {
            executor.run()
            return answers.count == 1
        }
        #expect(answers.all == ["settled"])
        store.cancel()
    }

    @Test("who watches refusals is told of an event that the gate does not admit")
    func notAdmitted() {
        let (store, refusals) = (store(FakeLog { _ in .refused(.draining) }), Recorder<String>())
        let sink = store.refusals.sink { refusals.append("\($0.event): \($0.error)") }
        store.post(.add(1))
        #expect(refusals.all == ["add 1: \(SendError.draining)"])
        #expect(store.state == 0)
        sink.cancel()
    }

    @Test("a stream of effects begins when its event is released, and its effects come in turns of their own")
    func streams() async throws {
        let (store, stream) = (store(), PassthroughSubject<Int, Never>())
        let sink = store.states.sink { [seen] in seen.append($0) }
        store.post(.add(1))
        store.post(.stream(stream))
        stream.send(100)
        #expect(log.notes == ["add 1", "applied 1", "turn: 1", "stream", "stream of stream"])
        log.progress.release(through: 1)
        try await until { log.notes.last == "begins 7" }
        try await until { seen.last == 1 }
        stream.send(10)
        stream.send(completion: .finished)
        log.progress.release(through: 2)
        try await until { seen.last == 11 && log.notes.last == "ends 7" }
        #expect(seen.all == [0, 1, 11])
        #expect(log.notes.suffix(3) == ["applied 10", "turn: 11", "ends 7"])
        sink.cancel()
    }

    @Test("the log is told of a rejection, and of the end with the last state, shown or not")
    func ends() {
        let store = store()
        store.post(.refused)
        store.post(.add(2))
        store.cancel()
        #expect(log.notes == ["refused", "rejected", "add 2", "applied 2", "turn: 2", "end: 2"])
        #expect(store.state == 0)
        log.progress.release(through: 9)
        #expect(store.state == 0)
    }

    @Test("that an event was rejected is told when what came before it is released")
    func rejections() async throws {
        let (store, told) = (store(), Recorder<String>())
        let sink = store.refusals.sink { told.append("\($0.event)") }
        store.post(.add(1))
        store.post(.refused)
        #expect(told.all == [])
        log.progress.release(through: 1)
        try await until { told.count == 1 }
        #expect(told.all == ["refused"])
        store.post(.refused)
        #expect(told.all == ["refused", "refused"])
        sink.cancel()
    }

    @Test("an event that is left over from before is handled first")
    func leftOver() {
        let log = FakeLog(leftOver: [.add(1), .add(2)])
        log.progress.release(through: 9)
        let store = store(log)
        #expect(store.state == 3)
        store.post(.add(3))
        #expect(log.notes.filter { $0.hasPrefix("add") } == ["add 1", "add 2", "add 3"])
    }

    @Test("an event that the log does not admit has no effects")
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
        #expect(store.state == 5)
        #expect(log.notes.filter { $0.hasPrefix("applied") } == ["applied 1", "applied 4"])
    }

    @Test("a store is not quiet while a state is held, and is quiet when it is shown")
    func quiet() async {
        let store = store()
        store.post(.add(1))
        #expect(!store.isQuiet)
        log.progress.release(through: 1)
        await store.quiet()
        #expect(store.state == 1)
    }

    @Test("while it is drained, a store behind a gate that has failed ends without what is held")
    func failedDrain() async {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        store.post(.add(1))
        log.progress.fail(.overflow)
        #expect(await store.drain(within: nil).isEmpty)
        #expect(seen.all == [0])
        #expect(log.notes.last == "end: 1")
        sink.cancel()
    }

    @Test(
        "a sender that waits is answered when its event is released, or with the failure of the gate", arguments: [false, true])
    func senders(fails: Bool) async throws {
        let (store, executor, answers) = (store(), ToldExecutor(), Recorder<String>())
        for stage in [SendStage.decided, .settled] {
            Task(executorPreference: executor) { answers.append(await store.send(.add(1), until: stage).word) }
        }
        executor.run()
        #expect(answers.all == [])
        if fails { log.progress.fail(.overflow) } else { log.progress.release(through: 2) }
        try await until {
            executor.run()
            return answers.count == 2
        }
        #expect(answers.all == (fails ? ["overflow", "overflow"] : ["settled", "settled"]))
    }

    @Test("who releases something does not handle what is told then")
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
        #expect(threads.all != releaser.all)
        stay.open()
        worker.join()
        sink.cancel()
    }

    @Test(
        "while it is drained behind a gate that has failed, a stream that has begun goes on, and one that is held does not count")
    func failedDrainOfStreams() async throws {
        let (store, first, second) = (store(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        for stream in [first, second] {
            store.post(.add(1))
            store.post(.stream(stream))
        }
        log.progress.release(through: 1)
        try await until { log.notes.last == "begins 7" && store.isIdle }
        store.beginDraining()
        log.progress.fail(.overflow)
        try await until { store.isIdle }
        #expect(store.post(.add(1)).word == "draining")
        first.send(completion: .finished)
        try await until { store.isIdle }
        #expect(store.post(.add(1)).word == "ended")
        #expect(log.notes.last == "end: 2")
    }

    @Test("what is held is let go of when the store ends, though the store is still there")
    func letsGo() {
        let store = store()
        weak var held: PassthroughSubject<Int, Never>?
        do {
            let stream = PassthroughSubject<Int, Never>()
            held = stream
            store.post(.add(1))
            store.post(.stream(stream))
        }
        #expect(held != nil)
        store.cancel()
        #expect(held == nil)
        withExtendedLifetime(store) {}
    }

    @Test("who waits for an event that is not admitted is answered at once", arguments: [SendStage.decided, .settled])
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
        let (store, executor, answers) = (store(log), ToldExecutor(), Recorder<String>())
        for number in 1...4 {
            Task(executorPreference: executor) { answers.append(await store.send(.add(number), until: stage).word) }
            executor.run()
        }
        #expect(answers.all == ["overflow", "settled", "draining", "settled"])
    }

    @Test("a loop whose feedback has ended ends when what is held has been told, and not before")
    func naturalEnd() async throws {
        let events = PassthroughSubject<GatedEvent, Never>()
        let store = gatedStore(log) { _ in [events.eraseToAnyPublisher()] }
        let sink = store.states.sink(
            receiveCompletion: { [seen] _ in seen.append(-1) }, receiveValue: { [seen] in seen.append($0) })
        events.send(.add(1))
        events.send(completion: .finished)
        #expect(seen.all == [0])
        log.progress.release(through: 1)
        try await until { seen.count > 1 && store.isIdle }
        #expect(seen.all == [0, 1, -1])
        #expect(log.notes.last == "end: 1")
        sink.cancel()
    }
}
