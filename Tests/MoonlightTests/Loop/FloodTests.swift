import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// A sender that floods a loop whose actor is busy.
@Suite("Many events for a loop on a busy actor")
struct FloodTests {
    /// The ways in which a thread sends to a loop.
    enum Way: CaseIterable { case event, tracedEvent, effect }

    private static func makeStore(
        on isolation: isolated any Actor, _ effects: PassthroughSubject<Int, Never> = PassthroughSubject(),
        hasJournal: Bool = false
    ) -> Store<Int, Int> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    event == 0 ? effects.eraseToAnyPublisher() : Just(event).eraseToAnyPublisher()
                }, apply: { (state: inout Int, effect: Int) in state += effect }),
            initialState: 0, environment: Surroundings(),
            options: hasJournal ? LoopOptions(journal: { _ in }) : LoopOptions())
    }

    @Test("A sender on another thread returns from each call, and no event or effect is lost", arguments: Way.allCases)
    func elsewhere(_ way: Way) async {
        let (owner, effects) = (QueueActor(), PassthroughSubject<Int, Never>())
        let store = await Self.makeStore(on: owner, effects, hasJournal: way == .tracedEvent)
        if way == .effect { await store.send(0, until: .decided) }
        await owner.run {
            // Meanwhile, the actor is busy.
            MoonlightTestSupport.elsewhere {
                for _ in 0..<Flood.size { if way == .effect { effects.send(1) } else { store.post(1) } }
            }
        }
        effects.send(completion: .finished)
        await store.quiet()
        expectEqual(store.state, Flood.size)
    }

    @MainActor
    @Test("A sender on the actor itself returns from each call, and no event is lost", arguments: [false, true])
    func atHome(hasJournal: Bool) async {
        let store = Self.makeStore(on: MainActor.shared, hasJournal: hasJournal)
        // The event is handed over to the busy actor, so the following events wait, too.
        MoonlightTestSupport.elsewhere { store.post(1) }
        for _ in 0..<Flood.size { store.post(1) }
        await store.quiet()
        expectEqual(store.state, Flood.size + 1)
    }
}
