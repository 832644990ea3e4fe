import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// An event to which the child and the parent respond, the parent by removing the child.
@Suite("Children that their own event removes")
struct LeavingTests {
    private typealias List = IdentifiedList<Int, Lamp>
    private typealias TableOfList = TableReducer<List>

    /// A table that replaces row 1 at any event of a row.
    private let strict = TableOfList(
        transform: { _, event, _ in
            if case .row = event { Just(.replaced(1)).eraseToAnyPublisher() } else { Empty().eraseToAnyPublisher() }
        },
        apply: { _, _ in }
    ).combined(with: tableOfList)

    /// The same table, with one operator around all its effects.
    private func strictThroughOperator() -> TableOfList {
        strict.middleware { state, event, world, next in
            try next(state, event, world).mapStreams { $0.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher() }
        }
    }

    private func makeStore(
        _ reducer: TableOfList, notes: @escaping @Sendable () -> AnyPublisher<String, Never> = { Empty().eraseToAnyPublisher() }
    ) -> Store<Table<List>, TableEvent> {
        Store(reducer: reducer, initialState: tableOfLamps(3), environment: Lamp.World(notes: notes))
    }

    @Test(
        "Synchronous effects of a child that the same event replaces do not reach its successor",
        arguments: [Lamp.Event.up(5), .twice])
    func ready(event: Lamp.Event) {
        let store = makeStore(strict)
        store.send(.row(1, event))
        expectEqual(store.state.rows.map(\.level), [0, 0, 0])
    }

    @Test("Streams of a child that the same event replaces are not subscribed to", arguments: [Lamp.Event.load, .watch])
    func streams(event: Lamp.Event) {
        let notes = PassthroughSubject<String, Never>()
        let subscriptions = Recorder<String>()
        let store = makeStore(strict) {
            notes.handleEvents(receiveSubscription: { _ in subscriptions.append("subscribed") }).eraseToAnyPublisher()
        }
        store.send(.row(1, event))
        notes.send("late")
        expectEqual(store.state.rows.map(\.note), ["", "", ""])
        expectEqual(subscriptions.all, [])
        expect(store.jobs.isEmpty)
    }

    @Test(
        "Streams of a child that the same event replaces are not subscribed to downstream of an operator",
        arguments: [Lamp.Event.load, .watch])
    func streamsInOperator(event: Lamp.Event) {
        let subscriptions = Recorder<String>()
        let store = makeStore(strictThroughOperator()) {
            Empty(completeImmediately: false)
                .handleEvents(receiveSubscription: { _ in subscriptions.append("subscribed") }).eraseToAnyPublisher()
        }
        store.send(.row(1, event))
        expectEqual(store.state.rows.ids, [0, 2, 1])
        expectEqual(subscriptions.all, [])
    }

    @Test("Removing a child cancels its other streams after one of them has finished by itself")
    func severalStreams() {
        let notes = (0..<2).map { _ in PassthroughSubject<String, Never>() }
        let given = Recorder<Int>()
        let store = makeStore(tableOfList) {
            given.append(0)
            return notes[given.all.count - 1].eraseToAnyPublisher()
        }
        for _ in notes { store.send(.row(1, .load)) }
        notes[0].send(completion: .finished)
        notes[1].send("here")
        expectEqual(store.state.rows.map(\.note), ["", "here", ""])
        store.send(.replace(1))
        notes[1].send("late")
        expectEqual(store.state.rows.map(\.note), ["", "", ""])
    }

    @Test(
        "An event that removes its own child settles, and is not interrupted",
        arguments: [Lamp.Event.up(5), .twice, .load, .watch], [false, true])
    func settled(event: Lamp.Event, passesOperator: Bool) async {
        let store = makeStore(passesOperator ? strictThroughOperator() : strict) {
            Empty(completeImmediately: false).eraseToAnyPublisher()
        }
        await expectEqual(store.send(.row(1, event)).word, "settled")
        expect(store.isQuiet)
    }

    @Test("Removing a child cancels its streams, and none stays in flight")
    func cancelledStreams() {
        let cancelled = Counter()
        let store = makeStore(tableOfList) {
            Empty(completeImmediately: false).handleEvents(receiveCancel: { cancelled.add() }).eraseToAnyPublisher()
        }
        for event in [Lamp.Event.load, .watch] { store.send(.row(1, event)) }
        expectEqual(store.inFlight.count, 2)
        store.send(.replace(1))
        expectEqual(cancelled.value, 2)
        expect(store.isQuiet)
    }

    @Test("An event settles if its child is removed after the child's effects were applied, while the parent still works")
    func answeredBefore() async throws {
        let work = PassthroughSubject<TableEffect, Never>()
        let working = TableOfList(
            transform: { _, event, _ in if case .row = event { AnyPublisher(work) } else { .none } }, apply: { _, _ in })
        let store = makeStore(working.combined(with: tableOfList))
        let waiting = try await store.begin(.row(1, .up(5)))
        expectEqual(store.state.rows[id: 1]?.level, 5)
        store.post(.replace(1))
        work.send(completion: .finished)
        await expectEqual(waiting.value, "settled")
    }

    @Test("Removing a child keeps the effects and streams of other children")
    func others() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(strict) { notes.eraseToAnyPublisher() }
        store.send(.row(0, .up(5)))
        store.send(.row(2, .load))
        notes.send("here")
        expectEqual(store.state.rows.ids, [0, 2, 1])
        expectEqual(store.state.rows.map(\.level), [5, 0, 0])
        expectEqual(store.state.rows.map(\.note), ["", "here", ""])
    }

    @Test("The effects of a child that comes before its parent in the reducer are applied before those of the parent")
    func childFirst() {
        let rude = tableOfList.combined(
            with: TableOfList(
                transform: { _, event, _ in
                    if case .row = event { Just(.renamed("heard")).eraseToAnyPublisher() } else { Empty().eraseToAnyPublisher() }
                },
                apply: { _, _ in }))
        let store = makeStore(rude)
        store.send(.row(1, .up(5)))
        expectEqual(store.state.rows.map(\.level), [0, 5, 0])
        expectEqual(store.state.title, "heard")
    }

    @Test(
        "Effects of child and parent that pass through an operator do not reach the successor of the child",
        arguments: [Lamp.Event.up(5), .load])
    func operators(event: Lamp.Event) {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(strictThroughOperator()) { notes.eraseToAnyPublisher() }
        store.send(.row(1, event))
        notes.send("late")
        expectEqual(store.state.rows.ids, [0, 2, 1])
        expectEqual(store.state.rows.map(\.level), [0, 0, 0])
        expectEqual(store.state.rows.map(\.note), ["", "", ""])
    }

    /// The ways in which middleware can prepend an effect.
    private static let ways: [@Sendable (TableEffect, Effects<TableEffect>) -> Effects<TableEffect>] = [
        { .just($0).combined(with: $1) },
        { effect, others in others.mapStreams { $0.prepend(effect).eraseToAnyPublisher() } },
        { effect, others in .none.combined(with: .just(effect).combined(with: others.map { $0 })) },
        { effect, others in
            Effects(Just(effect).handleEvents(receiveOutput: { _ in }))
                .combined(with: others.mapStreams { $0.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher() })
        },
    ]

    @Test(
        "Effects of a child do not reach its successor if middleware has prepended the replacement", arguments: 0..<4,
        [Lamp.Event.up(5), .twice, .load, .watch])
    func middleware(way: Int, event: Lamp.Event) {
        let notes = PassthroughSubject<String, Never>()
        for layers in 1...3 {
            let hasty = (1...layers).reduce(tableOfList) { reducer, layer in
                reducer.middleware { state, event, world, next in
                    let effects = try next(state, event, world)
                    guard case .row = event, layer != 2 else { return effects }
                    return Self.ways[way](.replaced(1), effects)
                }
            }
            let store = makeStore(hasty) { notes.eraseToAnyPublisher() }
            store.send(.row(1, event))
            notes.send("late")
            expectEqual(store.state.rows.map(\.level), [0, 0, 0])
            expectEqual(store.state.rows.map(\.note), ["", "", ""])
            expect(store.jobs.isEmpty)
            store.send(.row(0, .up(2)))
            expectEqual(store.state.rows[id: 0]?.level, 2)
        }
    }

    @Test("Effects of a grandchild do not reach its successor if middleware of the child has prepended another effect")
    func middlewareOfAChild() {
        // An effect of the house removes the guest; the parlour's middleware prepends another effect to the guest's.
        struct House: Equatable, Sendable { var parlour = Parlour(guest: Lamp()) }
        enum Effect: Equatable, Sendable {
            case parlour(ParlourEffect)
            static let parlour = CasePath(Effect.parlour) {
                switch $0 {
                case .parlour(let effect): effect
                }
            }
        }
        let polite = parlour.middleware { state, event, world, next in
            .just(.renamed("polite")).combined(with: try next(state, event, world))
        }
        let itself = Reducer<House, ParlourEvent, Effect, ParlourWorld>(
            transform: { _, _, _ in [.parlour(.left), .parlour(.came)].publisher.eraseToAnyPublisher() },
            apply: { _, _ in })
        let house = itself.combined(
            with: polite.scoped(to: \House.parlour, event: CasePath({ $0 }) { $0 }, effect: Effect.parlour, environment: { $0 }))
        let store = Store(reducer: house, initialState: House(), environment: ParlourWorld())
        store.send(.guest(.up(1)))
        expectEqual(store.state.parlour, Parlour(title: "polite", guest: Lamp(), visits: 1))
    }

    @Test("Removing a child cancels the effects and streams of its grandchild")
    func grandchildren() {
        // A house with an optional parlour with a guest; the house invites another guest at any event of the guest.
        struct House: Equatable, Sendable { var parlour: Parlour? = Parlour(guest: Lamp()) }
        enum Effect: Equatable, Sendable {
            case parlour(ParlourEffect)
            case rebuilt, painted
            static let parlour = CasePath(Effect.parlour) { if case .parlour(let effect) = $0 { effect } else { nil } }
        }
        let itself = Reducer<House, ParlourEvent, Effect, ParlourWorld>(
            transform: { _, event, _ in
                switch event {
                case .guest(.refuse), .lamp: Just(.painted).eraseToAnyPublisher()
                default: [.rebuilt, .painted].publisher.eraseToAnyPublisher()
                }
            },
            apply: { state, effect in
                if effect == .rebuilt { state.parlour = nil }
                if effect == .painted, state.parlour == nil { state.parlour = Parlour(guest: Lamp(), visits: 1) }
            })
        let house = itself.combined(
            with: parlour.scoped(
                toOptional: \House.parlour, event: CasePath({ $0 }) { $0 }, effect: Effect.parlour, environment: { $0 }))
        let notes = PassthroughSubject<String, Never>()
        let store = Store(
            reducer: house, initialState: House(),
            environment: ParlourWorld(guest: Lamp.World(notes: { notes.eraseToAnyPublisher() })))
        store.send(.guest(.up(1)))
        expectEqual(store.state.parlour, Parlour(guest: Lamp(), visits: 1))
        store.send(.guest(.load))
        notes.send("late")
        expectEqual(store.state.parlour, Parlour(guest: Lamp(), visits: 1))
        store.send(.lamp(.up(2)))
        expectEqual(store.state.parlour?.lamp.level, 2)
    }

    @Test("Streams of a grandchild are cancelled when an effect of the root removes it from one of many children")
    func childOfOneOfMany() {
        struct Hall: Equatable, Sendable { var rows: IdentifiedList<Int, Parlour> }
        enum Event: Sendable {
            case row(Int, ParlourEvent)
            case clear
            static let row = CasePath(Event.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } }
        }
        enum Effect: Sendable {
            case row(Int, ParlourEffect)
            case cleared
            static let row = CasePath(Effect.row) { if case .row(let id, let effect) = $0 { (id, effect) } else { nil } }
        }
        let itself = Reducer<Hall, Event, Effect, ParlourWorld>(
            transform: { _, event, _ in
                if case .clear = event { Just(.cleared).eraseToAnyPublisher() } else { Empty().eraseToAnyPublisher() }
            },
            apply: { hall, effect in
                if case .cleared = effect { for id in hall.rows.ids { hall.rows.update(id: id) { $0.guest = nil } } }
            })
        let reducer = itself.combined(
            with: parlour.scoped(toEach: \Hall.rows, event: Event.row, effect: Effect.row, environment: { $0 }))
        let notes = PassthroughSubject<String, Never>()
        var rows = IdentifiedList<Int, Parlour>()
        for id in 0..<3 { rows.append(Parlour(guest: Lamp()), id: id) }
        let store = Store(
            reducer: reducer, initialState: Hall(rows: rows),
            environment: ParlourWorld(guest: Lamp.World(notes: { notes.eraseToAnyPublisher() })))
        store.send(.row(1, .guest(.load)))
        notes.send("here")
        expectEqual(store.state.rows[id: 1]?.guest?.note, "here")
        store.send(.clear)
        store.send(.row(1, .invite))
        notes.send("late")
        expectEqual(store.state.rows[id: 1]?.guest, Lamp())
    }

    @Test("A child handles its own events when its grandchild is replaced, whose effects are dropped")
    func onlyTheGrandchild() {
        struct House: Equatable, Sendable { var parlour = Parlour(guest: Lamp()) }
        enum Effect: Equatable, Sendable {
            case parlour(ParlourEffect)
            case swapped
            static let parlour = CasePath(Effect.parlour) { if case .parlour(let effect) = $0 { effect } else { nil } }
        }
        let itself = Reducer<House, ParlourEvent, Effect, ParlourWorld>(
            transform: { _, _, _ in [.parlour(.left), .parlour(.came)].publisher.eraseToAnyPublisher() },
            apply: { _, _ in })
        let house = itself.combined(
            with: parlour.scoped(to: \House.parlour, event: CasePath({ $0 }) { $0 }, effect: Effect.parlour, environment: { $0 }))
        let store = Store(reducer: house, initialState: House(), environment: ParlourWorld())
        store.send(.guest(.up(1)))
        expectEqual(store.state.parlour.guest, Lamp())
        store.send(.rename("salon"))
        expectEqual(store.state.parlour.title, "salon")
    }
}
