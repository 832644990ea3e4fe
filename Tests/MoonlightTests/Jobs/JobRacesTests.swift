import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Races of jobs")
struct JobRacesTests {
    /// The running job, and the job that sent each effect.
    struct State: Equatable, Sendable {
        var (started, results, stale) = (0, 0, 0)
    }
    enum Effect: Sendable {
        case started(Int)
        case result(Int)
    }

    private static func makeStore(
        _ stream: @escaping @Sendable (Int) -> AnyPublisher<Effect, Never>
    ) -> Store<State, Int> {
        Store(
            reducer: Reducer(
                transform: { (_, number: Int, _) in
                    Just(Effect.started(number)).append(stream(number).job("job", .latest)).eraseToAnyPublisher()
                },
                apply: { (state: inout State, effect: Effect) in
                    switch effect {
                    case .started(let number): state.started = number
                    case .result(let number) where number == state.started: state.results += 1
                    case .result: state.stale += 1
                    }
                }),
            initialState: State(), environment: ())
    }

    /// The number of jobs in the exhaustive tier.
    private static var most: Int {
        #if THREAD_SANITIZER
            500
        #else
            20_000
        #endif
    }

    @Test("Thousands of jobs that replace each other leave one, and no effect of the others is applied")
    func replaced() {
        let (census, many) = (Census(), Budget.size(Self.most, quick: Self.most / 20))
        let gates = Lock<[PassthroughSubject<Effect, Never>]>([])
        let store = Self.makeStore { number in
            let (gate, token) = (PassthroughSubject<Effect, Never>(), Token("job", in: census))
            gates.withLock { $0.append(gate) }
            return gate.map { effect in
                token.touch()
                return effect
            }.eraseToAnyPublisher()
        }
        for number in 1...many {
            store.send(number)
            // The job that was just replaced sends its result.
            if number > 1 { gates.withLock { $0[number - 2] }.send(.result(number - 1)) }
        }
        expectEqual(store.jobs.count, 1)
        let all = gates.withLock { $0 }
        for (index, gate) in all.enumerated() { gate.send(.result(index + 1)) }
        expectEqual(store.state, State(started: many, results: 1, stale: 0))
        all.last?.send(completion: .finished)
        expect(store.jobs.isEmpty)
        expectEqual(census.alive, [])
    }

    @Test("A job may begin on one thread while its stream ends on another")
    func beginningAtTheEnd() {
        for _ in 0..<Budget.size(2000, quick: 100) {
            let (values, stop) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
            let reducer = Reducer<Int, Int, Int, Void>(
                transform: { _, _, _ in
                    values.flatMap { Just($0).job("job") }.prefix(untilOutputFrom: stop).eraseToAnyPublisher()
                }, apply: { (state: inout Int, effect: Int) in state = effect })
            let store = Store(reducer: reducer, initialState: 0, environment: ())
            store.send(1)
            let workers = [Worker { for number in 1...5 { values.send(number) } }, Worker { stop.send(()) }]
            for worker in workers { worker.join() }
            expect(store.inFlight.isEmpty)
        }
    }

    @Test("Effects from other threads are never stale while jobs replace each other")
    func results() {
        let gates = Lock<[PassthroughSubject<Effect, Never>]>([])
        let store = Self.makeStore { _ in
            let gate = PassthroughSubject<Effect, Never>()
            gates.withLock { $0.append(gate) }
            return gate.eraseToAnyPublisher()
        }
        let rounds = Budget.rounds(Self.most / 4, least: 25)
        onThreads(3) { thread in
            for number in 1...rounds {
                if thread == 0 {
                    store.send(number)
                } else if let (count, gate) = gates.withLock({ gates in gates.last.map { (gates.count, $0) } }) {
                    gate.send(.result(count))
                }
            }
        }
        expectEqual(store.state.stale, 0)
        expectEqual(store.state.started, rounds)
        expectEqual(store.jobs.count, 1)
    }

    @Test("Tasks that replace each other send nothing after their replacement, and all end")
    func tasks() async {
        let running = Counter()
        let store = Self.makeStore { number in
            .run { send in
                running.add()
                defer { running.add(-1) }
                await Task.yield()
                send(.result(number))
            }
        }
        let rounds = Budget.rounds(Self.most / 10, least: 25)
        for number in 1...rounds { store.post(number) }
        await expectEqual(store.send(rounds + 1).word, "settled")
        expectEqual(store.state.stale, 0)
        expect(store.state.results >= 1)
        expect(store.jobs.isEmpty)
    }

    @Test("Jobs that four threads start, finish, cancel and list at once leave nothing behind")
    func everything() {
        let store = scriptStore()
        let gate = PassthroughSubject<String, Never>()
        let (policies, rounds) = (JobPolicy.all, Budget.rounds(300, least: 60))
        onThreads(4) { thread in
            for round in 0..<rounds {
                switch thread {
                case 0, 1:
                    let policy = policies[round % policies.count]
                    store.send(.stream("\(policy)") { gate.first().job(policy, policy).eraseToAnyPublisher() })
                case 2:
                    gate.send("word")
                    _ = store.jobs.map(\.isWaiting)
                default: store.cancelJob(policies[round % policies.count])
                }
            }
        }
        for policy in policies { store.cancelJob(policy) }
        expect(store.jobs.isEmpty)
        store.send(.words(["alive"]))
        expectEqual(store.state.last, "alive")
    }
}
