import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Threads that send to, observe, cancel and release stores in any order, also from inside the store's calls.
///
/// A seed, which a failure names, determines the operations of each round (see `Budget`), but not the schedule of the threads; a
/// round can be repeated any number of times.
@Suite("Random operations of several threads on stores")
struct StormTests {
    private static let threads = 4
    private static let sends = 50
    private static let seeds = Budget.seeds(60, least: 6)

    private typealias Words = AnyPublisher<Int, Never>

    @Test(
        "A store that threads send to and observe at random handles each event once, and each observer sees it grow",
        arguments: seeds)
    func sums(seed: Int) async {
        var dice = Dice(seed: seed)
        let plans = (0..<Self.threads).map { _ in (0..<Self.sends).map { _ in dice.roll(8) } }
        let answers = dice.roll(3)
        let (overlaps, handled) = (OverlapDetector(), Counter())
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    handled.add()
                    return overlaps.visit {
                        switch (event + answers) % 3 {
                        case 0: Words(Just(1))
                        case 1: [1, -1, 1].publisher.eraseToAnyPublisher()
                        default: Words.run { send in send(1) }
                        }
                    }
                }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
        let (seen, handles) = (Recorder<[Int]>(), Keeper())
        onThreads(Self.threads) { thread in
            for (number, roll) in plans[thread].enumerated() {
                switch roll {
                case 0:
                    let own = Recorder<Int>()
                    handles.keep(store.states.sink { own.append($0) })
                    store.send(number)
                    seen.append(own.all)
                case 1:
                    // Cancels during its first delivery.
                    let keeper = Keeper()
                    keeper.keep(store.states.sink { _ in keeper.drop() })
                    store.send(number)
                case 2:
                    handles.drop()
                    store.send(number)
                default: store.send(number)
                }
            }
        }
        await store.send(0)
        // Events are handled in order, so that all others have been handled before this one.
        expectEqual(handled.value, Self.threads * Self.sends + 1, "seed \(seed)")
        expectEqual(overlaps.overlaps, 0, "seed \(seed)")
        for states in seen.all {
            expect(zip(states, states.dropFirst()).allSatisfy { abs($0 - $1) <= 1 && $0 != $1 }, "seed \(seed)")
        }
        handles.drop()
    }

    @Test("Stores that are cancelled or released at random, also by their own closures, release everything", arguments: seeds)
    func released(seed: Int) {
        var dice = Dice(seed: seed)
        let census = Census()
        let plans = (0..<Self.threads).map { _ in (0..<Self.sends).map { _ in dice.roll(10) } }
        for ending in 0..<3 {
            let (holder, handles) = (Keeper(), Keeper())
            let live = PassthroughSubject<Int, Never>()
            let inside = Token("program \(ending)", in: census)
            var store: Store<Int, Int>? = Store(
                reducer: Reducer(
                    transform: { _, event, _ in
                        inside.touch()
                        if ending == 0, event == 30 { holder.drop() }
                        return event % 4 == 0
                            ? live.map { [token = Token("effect", in: census)] in $0 + (token.touch(), 0).1 }
                                .eraseToAnyPublisher() : Words(Just(1))
                    }, apply: { $0 += $1 }),
                initialState: 0, environment: ())
            if let store { holder.keep(AnyCancellable(store)) }
            let find: @Sendable () -> Store<Int, Int>? = { [weak store] in store }
            // Only the holder retains it now, and a thread that is using it.
            store = nil
            onThreads(Self.threads) { thread in
                for (number, roll) in plans[thread].enumerated() {
                    let store = find()
                    switch roll {
                    case 0: if let store { handles.keep(store.states.sink { _ in }) }
                    case 1: live.send(1)
                    case 2: handles.drop()
                    case 3: if ending == 1, number > 25 { holder.cancel() } else { store?.send(number) }
                    default: store?.send(number)
                    }
                }
            }
            holder.cancel()
            holder.drop()
            handles.drop()
            settle()
        }
        settle()
        expectEqual(census.alive, [], "seed \(seed)")
    }
}
