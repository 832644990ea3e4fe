import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight
@testable import MoonlightDurability

/// The stream of an event belongs to the turn of that event, even if it has to wait.
@Suite("Events behind a held stream")
struct GatedTurnsTests {
    private let log = FakeLog()

    /// A house with eight seats: `add` takes some of them in the body of a `run`, and `refused` changes nothing at once.
    private func house(_ options: LoopOptions<Int, GatedEvent, Int> = LoopOptions()) -> Store<Int, GatedEvent> {
        var options = options
        options.hook = OutputGate(log)
        return Store(
            reducer: Reducer(
                transform: { seats, event, _ in
                    guard case .add(let wanted) = event else { return .just(0) }
                    if seats < wanted { throw Rejection("full") }
                    return .run { send in send(-wanted) }
                }, apply: { $0 += $1 }),
            initialState: 8, environment: (), options: options)
    }

    @Test("An event is decided after the ready effects of the held stream before it")
    func overbooked() async throws {
        let store = house()
        store.post(.refused)
        for _ in 0..<2 { store.post(.add(5)) }
        expectEqual(store.state, 8)
        expectEqual(log.notes.suffix(2), ["add 5", "stream of add 5"])
        log.progress.release(through: 9)
        try await until { store.isQuiet }
        expectEqual(store.state, 3)
        expectEqual(log.notes.filter { $0 == "add 5" || $0 == "rejected" }, ["add 5", "add 5", "rejected"])
    }

    @Test("Waiting events are handled in the order of sending, each after the streams of the earlier ones")
    func order() async throws {
        let store = house()
        store.post(.refused)
        for number in [1, 2, 3, 4, 1] { store.post(.add(number)) }
        for position in UInt64(1)...9 {
            log.progress.release(through: position)
            try await until { store.isIdle }
        }
        try await until { store.isQuiet }
        expectEqual(store.state, 1)
        expectEqual(log.notes.filter { $0.hasPrefix("add") }, ["add 1", "add 2", "add 3", "add 4", "add 1"])
        expectEqual(log.notes.count { $0 == "rejected" }, 1)
    }

    @Test("A waiting event is refused when the log fails, and the stream before it remains held")
    func failure() async throws {
        let store = house()
        store.post(.refused)
        for _ in 0..<2 { store.post(.add(5)) }
        log.progress.fail(.overflow)
        try await until { log.notes.count { $0 == "add 5" } == 2 && store.isIdle }
        expect(!log.notes.contains("begins 7"))
        store.cancel()
    }

    @Test("A store that is drained behind a failed gate handles the events that wait before it ends")
    func drained() async throws {
        let store = house()
        store.post(.refused)
        for _ in 0..<3 { store.post(.add(2)) }
        store.beginDraining()
        log.progress.fail(.overflow)
        try await until { log.notes.last == "end: 8" }
        expectEqual(log.notes.count { $0 == "add 2" }, 3)
    }

    @Test("The senders of waiting events are answered when the store ends")
    func ended() async throws {
        let (store, answers) = (house(), Recorder<String>())
        store.post(.refused)
        store.post(.add(1))
        let executor = SteppedExecutor()
        for _ in 0..<2 { Task(executorPreference: executor) { answers.append(await store.send(.add(1)).word) } }
        executor.run()
        expectEqual(answers.all, [])
        store.cancel()
        executor.run()
        expectEqual(answers.all, ["ended", "ended"])
    }

    @Test("Events that wait for a held stream count for the bound of the inbox")
    func bounded() async throws {
        let store = house(LoopOptions(inbox: .reject(2)))
        store.post(.refused)
        store.post(.add(1))
        let words = (0..<3).map { _ in store.post(.add(1)).word }
        expectEqual(words, ["settled", "settled", "overflow"])
        log.progress.release(through: 9)
        try await until { store.isQuiet }
        expectEqual(store.state, 5)
    }

    @Test("A store is not quiet while an event waits for a held stream")
    func quiet() async throws {
        let store = house()
        store.post(.refused)
        for _ in 0..<2 { store.post(.add(1)) }
        expect(!store.isQuiet)
        log.progress.release(through: 1)
        try await until { log.notes.count { $0 == "begins 7" } == 1 && store.isIdle }
        expect(!store.isQuiet)
        log.progress.release(through: 9)
        await store.quiet()
        expectEqual(store.state, 6)
    }

    @Test("Events that follow from effects wait before all others, and each kind in its own order")
    func followUps() {
        var held = HeldOutput<Int, Int>()
        let followUp = Turn(isFollowUp: true, note: nil)
        let other = Turn(isFollowUp: false, note: nil)
        for number in 1...4 { held.add(number, number.isMultiple(of: 2) ? followUp : other) }
        expect(held.hasEvent(before: followUp))
        expectEqual([held.popEvent()?.event, held.popEvent()?.event], [2, 4])
        expect(!held.hasEvent(before: followUp))
        expect(held.hasEvent(before: other))
        expectEqual([held.popEvent()?.event, held.popEvent()?.event], [1, 3])
        expect(!held.hasEvents)
    }
}
