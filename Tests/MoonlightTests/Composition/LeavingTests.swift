import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// An event that child and parent answer both, the parent by letting the child go.
@Suite("A child that leaves by an event that it answers itself")
struct LeavingTests {
    private typealias List = IdentifiedList<Int, Lamp>
    private typealias TableOfList = TableReducer<List>

    /// A table that replaces row 1 at whatever any row is told.
    private let strict = TableOfList(
        transform: { _, event, _ in
            if case .row = event { Just(.replaced(1)).eraseToAnyPublisher() } else { Empty().eraseToAnyPublisher() }
        },
        apply: { _, _ in }
    ).combined(with: tableOfList)

    /// The same, all of whose answers pass through one operator.
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

    @Test("has nothing of what it answers arrive at its successor", arguments: [Lamp.Event.up(5), .twice])
    func ready(event: Lamp.Event) {
        let store = makeStore(strict)
        store.send(.row(1, event))
        #expect(store.state.rows.map(\.level) == [0, 0, 0])
    }

    @Test("has its streams not even subscribed to", arguments: [Lamp.Event.load, .watch])
    func streams(event: Lamp.Event) {
        let notes = PassthroughSubject<String, Never>()
        let subscriptions = Recorder<String>()
        let store = makeStore(strict) {
            notes.handleEvents(receiveSubscription: { _ in subscriptions.append("subscribed") }).eraseToAnyPublisher()
        }
        store.send(.row(1, event))
        notes.send("late")
        #expect(store.state.rows.map(\.note) == ["", "", ""])
        #expect(subscriptions.all == [])
        #expect(store.jobs.isEmpty)
    }

    @Test(
        "has its streams not even subscribed to where they pass through an operator", arguments: [Lamp.Event.load, .watch])
    func streamsInOperator(event: Lamp.Event) {
        let subscriptions = Recorder<String>()
        let store = makeStore(strictThroughOperator()) {
            Empty(completeImmediately: false)
                .handleEvents(receiveSubscription: { _ in subscriptions.append("subscribed") }).eraseToAnyPublisher()
        }
        store.send(.row(1, event))
        #expect(store.state.rows.ids == [0, 2, 1])
        #expect(subscriptions.all == [])
    }

    @Test("has all of its streams ended, also after one of them has come to its end")
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
        #expect(store.state.rows.map(\.note) == ["", "here", ""])
        store.send(.replace(1))
        notes[1].send("late")
        #expect(store.state.rows.map(\.note) == ["", "", ""])
    }

    @Test(
        "does not interrupt the event by which it leaves", arguments: [Lamp.Event.up(5), .twice, .load, .watch], [false, true])
    func settled(event: Lamp.Event, passesOperator: Bool) async {
        let store = makeStore(passesOperator ? strictThroughOperator() : strict) {
            Empty(completeImmediately: false).eraseToAnyPublisher()
        }
        #expect(await store.send(.row(1, event)).word == "settled")
        #expect(store.isQuiet)
    }

    @Test("has its streams cancelled when it leaves, and nothing of them is in flight then")
    func cancelledStreams() {
        let cancelled = Counter()
        let store = makeStore(tableOfList) {
            Empty(completeImmediately: false).handleEvents(receiveCancel: { cancelled.add() }).eraseToAnyPublisher()
        }
        for event in [Lamp.Event.load, .watch] { store.send(.row(1, event)) }
        #expect(store.inFlight.count == 2)
        store.send(.replace(1))
        #expect(cancelled.value == 2)
        #expect(store.isQuiet)
    }

    @Test("does not interrupt an event that goes on, when all that it answered itself has been applied")
    func answeredBefore() async throws {
        let work = PassthroughSubject<TableEffect, Never>()
        let working = TableOfList(
            transform: { _, event, _ in if case .row = event { AnyPublisher(work) } else { .none } }, apply: { _, _ in })
        let store = makeStore(working.combined(with: tableOfList))
        let waiting = try await store.begin(.row(1, .up(5)))
        #expect(store.state.rows[id: 1]?.level == 5)
        store.post(.replace(1))
        work.send(completion: .finished)
        #expect(await waiting.value == "settled")
    }

    @Test("leaves the answers of those who stay alone")
    func others() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(strict) { notes.eraseToAnyPublisher() }
        store.send(.row(0, .up(5)))
        store.send(.row(2, .load))
        notes.send("here")
        #expect(store.state.rows.ids == [0, 2, 1])
        #expect(store.state.rows.map(\.level) == [5, 0, 0])
        #expect(store.state.rows.map(\.note) == ["", "here", ""])
    }

    @Test("may answer before it: then its effects arrive, and go with it")
    func childFirst() {
        let rude = tableOfList.combined(
            with: TableOfList(
                transform: { _, event, _ in
                    if case .row = event { Just(.renamed("heard")).eraseToAnyPublisher() } else { Empty().eraseToAnyPublisher() }
                },
                apply: { _, _ in }))
        let store = makeStore(rude)
        store.send(.row(1, .up(5)))
        #expect(store.state.rows.map(\.level) == [0, 5, 0])
        #expect(store.state.title == "heard")
    }

    @Test("is gone also where the effects of both pass through an operator", arguments: [Lamp.Event.up(5), .load])
    func operators(event: Lamp.Event) {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(strictThroughOperator()) { notes.eraseToAnyPublisher() }
        store.send(.row(1, event))
        notes.send("late")
        #expect(store.state.rows.ids == [0, 2, 1])
        #expect(store.state.rows.map(\.level) == [0, 0, 0])
        #expect(store.state.rows.map(\.note) == ["", "", ""])
    }

    /// How a middleware may put an effect before others.
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
        "is gone where a middleware has put that before its answer", arguments: 0..<4, [Lamp.Event.up(5), .twice, .load, .watch])
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
            #expect(store.state.rows.map(\.level) == [0, 0, 0])
            #expect(store.state.rows.map(\.note) == ["", "", ""])
            #expect(store.jobs.isEmpty)
            store.send(.row(0, .up(2)))
            #expect(store.state.rows[id: 0]?.level == 2)
        }
    }

    @Test("is gone also where a middleware further in has been asked after what it left by")
    func middlewareOfAChild() {
        // The guest leaves by an effect of the house; the parlour's middleware puts another before what the guest answers.
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
        #expect(store.state.parlour == Parlour(title: "polite", guest: Lamp(), visits: 1))
    }

    @Test("takes its own children with it")
    func grandchildren() {
        // A house with an optional parlour, in which a guest is; the house invites to another at whatever the guest is told.
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
        #expect(store.state.parlour == Parlour(guest: Lamp(), visits: 1))
        store.send(.guest(.load))
        notes.send("late")
        #expect(store.state.parlour == Parlour(guest: Lamp(), visits: 1))
        store.send(.lamp(.up(2)))
        #expect(store.state.parlour?.lamp.level == 2)
    }

    @Test("has its streams ended also if it is the child of one of many, and the parent of these takes it out")
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
                if case .cleared = effect { for id in hall.rows.ids { hall.rows.update(id) { $0.guest = nil } } }
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
        #expect(store.state.rows[id: 1]?.guest?.note == "here")
        store.send(.clear)
        store.send(.row(1, .invite))
        notes.send("late")
        #expect(store.state.rows[id: 1]?.guest == Lamp())
    }

    @Test("and only one of its children: that one's effects are gone, its own are not")
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
        #expect(store.state.parlour.guest == Lamp())
        store.send(.rename("salon"))
        #expect(store.state.parlour.title == "salon")
    }
}
