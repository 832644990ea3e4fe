import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// A log that notes what it is told, and whose position is the number of turns that have led to effects.
private final class FakeLog: TurnLog, Sendable {
    typealias State = Int
    typealias Event = GatedEvent
    typealias Effect = Int

    private struct Told: Sendable {
        var notes: [String] = []
        var position: UInt64 = 0
        var hasApplied = false
    }

    let progress = GateProgress()
    private let told = Lock(Told())
    private let leftOver: [GatedEvent]
    private let answer: @Sendable (GatedEvent) -> TurnAdmission

    init(leftOver: [GatedEvent] = [], answer: @escaping @Sendable (GatedEvent) -> TurnAdmission = { _ in .admitted }) {
        (self.leftOver, self.answer) = (leftOver, answer)
    }

    var notes: [String] { told.withLock { $0.notes } }
    var position: UInt64 { told.withLock { $0.position } }
    var errandOfCaller: (any AnyObject & Sendable)? { nil }

    func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
    var failureOfProgress: SendError? { progress.failure }
    func setLoop(_ loop: (any GatedLoop)?) { progress.setLoop(loop) }

    private func note(_ note: String) { told.withLock { $0.notes.append(note) } }

    func open(_ post: (GatedEvent, Bool, (any AnyObject & Sendable)?) -> Void) {
        for event in leftOver { post(event, false, nil) }
    }

    func admit(_ event: GatedEvent, isFollowUp: Bool, errand: (any AnyObject & Sendable)?) -> TurnAdmission {
        note("\(event)")
        return answer(event)
    }

    func noteRejection(_ error: any Error) { note("rejected") }

    func noteApplied(_ effect: Int, followUps: Int) {
        told.withLock { told in
            if !told.hasApplied { told.position += 1 }
            told.hasApplied = true
            told.notes.append("applied \(effect)")
        }
    }

    func noteStream(of event: GatedEvent, job: JobID?) -> UInt64? {
        note("stream of \(event)")
        return 7
    }

    func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) {
        note("begins \(stream)")
        subscribe(nil)
    }

    func noteEnd(of stream: UInt64) { note("ends \(stream)") }

    func endTurn(_ state: UnsafePointer<Int>) {
        let state = state.pointee
        told.withLock { told in
            if told.hasApplied { told.notes.append("turn: \(state)") }
            told.hasApplied = false
        }
    }

    func end(_ state: UnsafePointer<Int>) { note("end: \(state.pointee)") }
}

private enum GatedEvent: Sendable, CustomStringConvertible {
    case add(Int), stream(PassthroughSubject<Int, Never>), refused
    var description: String {
        switch self {
        case .add(let number): "add \(number)"
        case .stream: "stream"
        case .refused: "refused"
        }
    }
}

/// What a loop tells while its gate is closed.
@Suite("A loop behind a gate")
struct OutputGateTests {
    private let log = FakeLog()
    private let seen = Recorder<Int>()

    /// Waits for the thread on which the loop goes on when its gate is opened.
    private func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    private func store(_ log: FakeLog? = nil) -> Store<Int, GatedEvent> {
        let log = log ?? self.log
        var options = LoopOptions<Int, GatedEvent, Int>()
        options.gate = OutputGate(log)
        return Store(
            initialState: 0, environment: (), options: options,
            transform: { (_, event, _) -> AnyPublisher<Int, Never> in
                switch event {
                case .add(let number): return .just(number)
                case .stream(let stream): return stream.eraseToAnyPublisher()
                case .refused: throw Rejection("no")
                }
            }, apply: { $0 + $1 })
    }

    @Test("a state is shown when its position is released, and each before the next")
    func states() async {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in 1...3 { store.post(.add(number)) }
        #expect(seen.all == [0])
        log.progress.release(through: 1)
        await until { seen.last == 1 }
        log.progress.release(through: 3)
        await until { seen.last == 6 }
        #expect(seen.all == [0, 1, 3, 6])
        log.progress.release(through: 4)
        store.post(.add(4))
        #expect(seen.all == [0, 1, 3, 6, 10])
        #expect(store.state == 10)
        #expect(log.notes.filter { $0.hasPrefix("turn") } == ["turn: 1", "turn: 3", "turn: 6", "turn: 10"])
        sink.cancel()
    }

    @Test("an effect that changes nothing holds no state")
    func unchanged() async {
        let store = store()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [0, 5, 0] { store.post(.add(number)) }
        log.progress.release(through: 10)
        await until { store.isQuiet }
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
    func asItWas() async {
        let store = undoing()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [5, 7] { store.post(.add(number)) }
        log.progress.release(through: 10)
        await until { store.isQuiet }
        #expect(seen.all == [0, 5])
        sink.cancel()
    }

    @Test("so does the newest of several when those before it have been shown")
    func shownInPart() async {
        let store = undoing()
        let sink = store.states.sink { [seen] in seen.append($0) }
        for number in [5, 3] { store.post(.add(number)) }
        log.progress.release(through: 1)
        await until { seen.last == 5 }
        store.post(.add(7))
        log.progress.release(through: 10)
        await until { store.isQuiet }
        #expect(seen.all == [0, 5, 8])
        sink.cancel()
    }

    @Test("what the stream that was held last leads to at once is shown, also if it is the last state that was held")
    func backToHeld() async {
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
        await until { store.isQuiet }
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
        settle()
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
        settle()
        Task(executorPreference: executor) { answers.append(await store.send(.add(1), until: stage).word) }
        executor.run()
        #expect(answers.all == ["overflow"])
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
    func streams() async {
        let (store, stream) = (store(), PassthroughSubject<Int, Never>())
        let sink = store.states.sink { [seen] in seen.append($0) }
        store.post(.add(1))
        store.post(.stream(stream))
        stream.send(100)
        #expect(log.notes == ["add 1", "applied 1", "turn: 1", "stream", "stream of stream"])
        log.progress.release(through: 1)
        await until { log.notes.last == "begins 7" }
        await until { seen.last == 1 }
        stream.send(10)
        stream.send(completion: .finished)
        log.progress.release(through: 2)
        await until { seen.last == 11 && log.notes.last == "ends 7" }
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
    func rejections() async {
        let (store, told) = (store(), Recorder<String>())
        let sink = store.refusals.sink { told.append("\($0.event)") }
        store.post(.add(1))
        store.post(.refused)
        #expect(told.all == [])
        log.progress.release(through: 1)
        await until { told.count == 1 }
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
    func senders(fails: Bool) async {
        let (store, executor, answers) = (store(), ToldExecutor(), Recorder<String>())
        for stage in [SendStage.decided, .settled] {
            Task(executorPreference: executor) { answers.append(await store.send(.add(1), until: stage).word) }
        }
        executor.run()
        #expect(answers.all == [])
        if fails { log.progress.fail(.overflow) } else { log.progress.release(through: 2) }
        await until {
            executor.run()
            return answers.count == 2
        }
        #expect(answers.all == (fails ? ["overflow", "overflow"] : ["settled", "settled"]))
    }
}
