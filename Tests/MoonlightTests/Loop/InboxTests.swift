import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("`LoopOptions.inbox`")
struct InboxTests {
    enum Event: Sendable, Equatable {
        case move(Int)
        case key(Character)
        case flood(Int)
    }

    /// A store whose observer sends a burst of moves at the first key.
    private static func run(
        _ options: LoopOptions<[String], Event, String>, burst: [Event]
    ) -> (state: [String], refused: Int) {
        let refused = Atomic<Int>(0)
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: Event, _) in Just("\(event)").eraseToAnyPublisher() }, apply: { $0.append($1) }),
            initialState: [String](), environment: (), options: options)
        var cancellables = Set<AnyCancellable>()
        store.states.sink { state in
            guard state.count == 1 else { return }
            for event in burst where (try? store.send(event).get()) == nil {
                refused.wrappingAdd(1, ordering: .relaxed)
            }
        }.store(in: &cancellables)
        store.send(.key("a"))
        return (store.state, refused.load(ordering: .relaxed))
    }

    private static func answer(_ state: Int) -> Event { state.isMultiple(of: 2) ? .move(state) : .flood(1) }

    private static func fold(_ a: Event, _ b: Event) -> Event? {
        if case .move = a, case .move = b { b } else { nil }
    }

    @Test("Pending events are coalesced, and keep their place among the others")
    func folds() {
        let (state, refused) = Self.run(
            LoopOptions(coalesce: Self.fold), burst: [.move(1), .move(2), .key("b"), .move(3), .move(4), .move(5)])
        expectEqual(state, ["key(\"a\")", "move(2)", "key(\"b\")", "move(5)"])
        expectEqual(refused, 0)
    }

    @Test("A full inbox refuses an event, and notifies the sender and the journal")
    func refuses() {
        let overflowed = Mutex<[Event]>([])
        let options = LoopOptions<[String], Event, String>(
            journal: { if case .overflowed(let event, _) = $0.step { overflowed.withLock { $0.append(event) } } },
            inbox: .reject(2))
        let (state, refused) = Self.run(options, burst: [.move(1), .move(2), .move(3)])
        expectEqual(state, ["key(\"a\")", "move(1)", "move(2)"])
        expectEqual(refused, 1)
        expectEqual(overflowed.withLock { $0 }, [.move(3)])
    }

    @Test("The bound `dropOldest` keeps the newest events")
    func dropsOldest() {
        let (state, refused) = Self.run(
            LoopOptions(inbox: .dropOldest(2)), burst: [.move(1), .move(2), .move(3), .move(4)])
        expectEqual(state, ["key(\"a\")", "move(3)", "move(4)"])
        expectEqual(refused, 0)
    }

    @Test("A suspended sender waits for room, and every event is handled")
    func suspends() async {
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: Int, _) -> AnyPublisher<Int, Never> in .run { send in send(event) } }, apply: { $0 += $1 }
            ),
            initialState: 0, environment: (), options: LoopOptions<Int, Int, Int>(inbox: .suspend(1)))
        await withTaskGroup(of: Void.self) { group in
            for n in 1...50 { group.addTask { await store.send(n) } }
        }
        expectEqual(store.state, 50 * 51 / 2)
    }

    @Test("A loop that keeps itself busy is reported with the names of its events, and continues")
    func runaway() {
        let reports = Mutex<[RunawayReport]>([])
        let store = Store(
            reducer: Reducer(transform: { (_, event: Event, _) in Just(1).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            options: LoopOptions(stepLimit: 1000, onRunaway: { report in reports.withLock { $0.append(report) } }),
            feedback: { (states: AnyPublisher<Int, Never>) in
                [states.filter { $0 < 3000 }.map(Self.answer).eraseToAnyPublisher()]
            })
        expectEqual(store.state, 3000)
        expect(reports.withLock { $0.map(\.chain) }.allSatisfy { Set($0) == ["move", "flood"] && $0.count == 2 })
        expectEqual(reports.withLock { $0.count }, 1)
    }

    @Test("Senders of queued events are notified in order when the loop ends")
    func endsInOrder() {
        let (executor, outcomes) = (SteppedExecutor(), Recorder<String>())
        let store = Store<[String], Event>(
            reducer: Reducer(transform: { _, event, _ in Just("\(event)").eraseToAnyPublisher() }, apply: { $0.append($1) }),
            initialState: [], environment: (), options: LoopOptions(inbox: .reject(10)))
        let sink = store.states.dropFirst().sink { _ in
            for number in 1...3 {
                Task(executorPreference: executor) {
                    outcomes.append("\(number) \(await store.send(.flood(number), until: .decided).word)")
                }
            }
            elsewhere { executor.run() }
            store.cancel()
        }
        store.post(.key("a"))
        settle()
        executor.run()
        expectEqual(outcomes.all, ["1 ended", "2 ended", "3 ended"])
        sink.cancel()
    }

    @Test("The bound of the inbox applies to an event that feedback sends by itself")
    func ofItsOwnAccord() {
        let (source, refused) = (PassthroughSubject<ScriptEvent, Never>(), Recorder<String>())
        let store = scriptStore(ScriptOptions(inbox: .reject(1))) { _ in [source.eraseToAnyPublisher()] }
        let sinks = [
            store.refusals.sink { refused.append("\($0.event)") },
            store.states.filter { $0.count == 1 }.sink { _ in
                elsewhere { for word in ["b", "c", "d"] { source.send(.words([word])) } }
            },
        ]
        store.post(.words(["a"]))
        settle()
        expectEqual(store.state, ["a", "b"])
        expectEqual(refused.all, ["words(c)", "words(d)"])
        for sink in sinks { sink.cancel() }
    }
}
