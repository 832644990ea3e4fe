import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// A sender that floods a loop whose actor is busy is slowed down: it waits a moment for each event, so that memory does not grow
/// as fast as it can send.
@Suite("Back-pressure of a loop on a busy actor")
struct BackPressureTests {
    /// How a thread sends to a loop.
    enum Way: CaseIterable { case event, tracedEvent, effect }

    private static func makeStore(
        on isolation: isolated any Actor, _ effects: PassthroughSubject<Int, Never> = PassthroughSubject(),
        hasJournal: Bool = false
    ) -> Store<Int, Int> {
        Store(
            initialState: 0, environment: Surroundings(),
            options: hasJournal ? LoopOptions(journal: { _ in }) : LoopOptions(),
            transform: { _, event, _ in
                event == 0 ? effects.eraseToAnyPublisher() : Just(event).eraseToAnyPublisher()
            },
            apply: { (state: Int, effect: Int) in state + effect })
    }

    @Test("A sender on another thread is slowed down at each event or effect, and nothing is lost", arguments: Way.allCases)
    func elsewhere(_ way: Way) async {
        let (owner, effects, times) = (QueueActor(), PassthroughSubject<Int, Never>(), Recorder<Duration>())
        let store = await Self.makeStore(on: owner, effects, hasJournal: way == .tracedEvent)
        if way == .effect { await store.send(0, until: .decided) }
        await owner.run {
            // The actor is busy meanwhile.
            MoonlightTestSupport.elsewhere {
                let all = Flood.times { if way == .effect { effects.send(1) } else { store.post(1) } }
                for time in all { times.append(time) }
            }
        }
        // That it is no longer cannot be told on a busy machine.
        expect(times.all.allSatisfy { $0 > .microseconds(300) }, "\(times.all)")
        effects.send(completion: .finished)
        await store.quiet()
        expectEqual(store.state, Flood.size)
    }

    @MainActor
    @Test("A sender on the actor itself is never slowed down, as the events wait for its own thread", arguments: [false, true])
    func atHome(hasJournal: Bool) async {
        let store = Self.makeStore(on: MainActor.shared, hasJournal: hasJournal)
        // Is left to the actor, which is busy; so what follows waits, too.
        MoonlightTestSupport.elsewhere { store.post(1) }
        let times = Flood.times { store.post(1) }
        // One that is interrupted may take any time.
        expect(times.min() ?? .zero < .microseconds(300), "\(times)")
        await store.quiet()
        expectEqual(store.state, Flood.size + 1)
    }
}
