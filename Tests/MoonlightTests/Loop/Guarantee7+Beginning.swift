import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Guarantee 7: `run` bodies that have not begun never begin after the end")
struct BeginningTests {
    private let owner = BusyActor()
    private let begun = Recorder<Int>()

    private func store(_ effects: @escaping @Sendable (Int, AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>) -> Store<
        Int, Int
    > {
        let (begun, owner) = (begun, owner)
        return Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in effects(event, owner.body { begun.append(event) }) }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
    }

    private func send(_ events: some Sequence<Int>, to store: Store<Int, Int>) {
        for event in events { store.send(event) }
    }

    @Test("Bodies of `run` whose loop is cancelled at once do not begin")
    func cancelled() async {
        let store = store { $1 }
        send(1...50, to: store)
        store.cancel()
        await owner.free()
        expectEqual(begun.all, [])
    }

    @Test("Bodies of `run` whose loop is released at once do not begin")
    func released() async {
        do {
            let store = store { $1 }
            send(1...50, to: store)
        }
        await owner.free()
        expectEqual(begun.all, [])
    }

    @Test("Only the last of several jobs that replace each other runs its body")
    func replaced() async {
        let store = store { $1.job("x", .latest).eraseToAnyPublisher() }
        send(1...50, to: store)
        await owner.free()
        expectEqual(begun.all, [50])
        store.cancel()
    }

    @Test("A job that is cancelled by its id before its body has begun does not begin")
    func cancelledByID() async {
        let store = store { $1.job($0, .merge).eraseToAnyPublisher() }
        send(1...3, to: store)
        store.cancelJob(2)
        await owner.free()
        expectEqual(begun.all, [1, 3])
        store.cancel()
    }

    @Test("Jobs that are cancelled while another thread runs the loop do not begin")
    func cancelledBeside() async {
        let (isInside, goOn) = (Latch(), Latch())
        let store = store { event, body in
            guard event == 0 else { return body.job("x", .merge).eraseToAnyPublisher() }
            isInside.open()
            goOn.wait()
            return .none
        }
        send(1...50, to: store)
        let other = Worker { store.send(0) }
        isInside.wait()
        store.cancelJob("x")
        await owner.free()
        expectEqual(begun.all, [])
        goOn.open()
        other.join()
        store.cancel()
    }

    @Test("The stream of a reaction whose query changes before it has begun does not begin")
    func reactions() async {
        let (begun, owner) = (begun, owner)
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 }),
            initialState: 0, environment: (),
            feedback: { states in
                [
                    states.react(to: { $0 }) { query in
                        owner.body { begun.append(query) }
                    },
                    states.react(toEach: { [$0] }) { key in
                        owner.body { begun.append(-key) }
                    },
                ]
            })
        send(1...5, to: store)
        await owner.free()
        expectEqual(begun.all.filter { $0 > 0 }, [5])
        expectEqual(begun.all.filter { $0 < 0 }, [-5])
        store.cancel()
    }
}
