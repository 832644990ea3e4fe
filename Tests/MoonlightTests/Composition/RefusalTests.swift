import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct TooMuch: Error {}

@Suite("Rejected effects")
struct RefusalTests {
    private let strict = Reducer<[Int], Int, Int, Void>(
        transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
        apply: { state, effect in
            state.append(effect)
            if effect > 9 { throw Rejection("more than nine") }
        })

    @Test("A rejected effect does not change the state, is recorded in the journal, and the loop continues")
    func inPlace() {
        let lines = Recorder<String>()
        let store = Store(
            reducer: strict, initialState: [], environment: (),
            options: LoopOptions(journal: { lines.append($0.description) }))
        for number in [1, 10, 2] { store.send(number) }
        expectEqual(store.state, [1, 2])
        expect(lines.all.contains { $0.hasPrefix("4 <- 3  rejected effect 10: more than nine (") })
    }

    @Test("A sender that awaits an event receives the error with which its effect was rejected")
    func waiting() async {
        let store = Store(reducer: strict, initialState: [], environment: ())
        guard case .failure(.rejected(let error)) = await store.send(12) else {
            Issue.record("not refused")
            return
        }
        expectEqual((error as? Rejection)?.reason, "more than nine")
        guard case .success = await store.send(3) else {
            Issue.record("refused")
            return
        }
    }

    @Test("A rejected effect leaves the state that `apply` was given unchanged")
    func alone() throws {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { state, effect in
                guard effect < 10 else { throw TooMuch() }
                state += effect
            })
        var state = 1
        #expect(throws: TooMuch.self) { try reducer.apply(10, to: &state) }
        try reducer.apply(2, to: &state)
        expectEqual(state, 3)
    }

    @Test("An effect that one of several combined reducers rejects undoes the changes of the earlier ones")
    func combined() throws {
        let counter = Reducer<[Int], Int, Int, Void>(
            transform: { _, _, _ in Empty().eraseToAnyPublisher() }, apply: { $0.insert(-$1, at: 0) })
        let both = counter.combined(with: strict)
        var state: [Int] = []
        #expect(throws: Rejection.self) { try both.apply(10, to: &state) }
        expectEqual(state, [])
        try both.apply(1, to: &state)
        expectEqual(state, [-1, 1])
    }

    @Test("A rejection of an effect by a child has the child's path, and children that it would have removed stay")
    func child() throws {
        struct House: Equatable, Sendable {
            var guest: Lamp? = Lamp()
            var log: [Int] = []
        }
        enum Event: Sendable {
            case guest(Lamp.Event)
            case log(Int)
        }
        enum Effect: Sendable {
            case guest(Lamp.Effect)
            case log(Int)
        }
        let guestEvent = CasePath(Event.guest) { if case .guest(let event) = $0 { event } else { nil } }
        let guestEffect = CasePath(Effect.guest) { if case .guest(let effect) = $0 { effect } else { nil } }
        let logEvent = CasePath(Event.log) { if case .log(let event) = $0 { event } else { nil } }
        let logEffect = CasePath(Effect.log) { if case .log(let effect) = $0 { effect } else { nil } }
        let itself = Reducer<House, Event, Effect, Lamp.World>(
            transform: { _, _, _ in Empty().eraseToAnyPublisher() },
            apply: { state, effect in if case .log = effect { state.guest = nil } })
        let house = Reducer.combine(
            itself,
            Lamp.reducer.scoped(toOptional: \House.guest, event: guestEvent, effect: guestEffect, environment: { $0 }),
            strict.scoped(to: \House.log, event: logEvent, effect: logEffect, environment: { (_: Lamp.World) in }))
        let notes = PassthroughSubject<String, Never>()
        let errors = Recorder<String>()
        let store = Store(
            reducer: house, initialState: House(), environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }),
            options: LoopOptions(journal: {
                if case .effectRejected(_, let error) = $0.step { errors.append(String(reflecting: error)) }
            }))
        store.send(.guest(.load))
        store.send(.log(11))
        notes.send("still here")
        notes.send("and still")
        expectEqual(store.state, House(guest: Lamp(note: "and still")))
        expectEqual(errors.all.count, 1)
        expectEqual(errors.all.first?.hasPrefix("log: more than nine"), true)
        store.send(.log(1))
        expectEqual(store.state, House(guest: nil, log: [1]))
    }

    @Test("A child that would have been removed with its result stays, with its streams, if the effect is rejected")
    func result() {
        struct Room: Equatable, Sendable { var pots = [1: 0, 2: 0] }
        enum Event: Sendable {
            case pour(Int, Int)
            case isFull(Int)
            static let pour = CasePath(Event.pour) { if case .pour(let id, let amount) = $0 { (id, amount) } else { nil } }
        }
        let drops = PassthroughSubject<Int, Never>()
        let pot = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in event == 0 ? AnyPublisher(drops) : .just(event) }, apply: { $0 += $1 })
        let strict = Reducer<Room, Event, Event, Void>(
            transform: { _, _, _ in .none },
            apply: { (_: inout Room, effect: Event) in if case .pour(_, 10) = effect { throw TooMuch() } })
        let room = Reducer.combine(
            pot.scoped(
                toEach: \Room.pots, event: Event.pour, effect: Event.pour, environment: { $0 },
                result: { id, level in level > 9 ? .isFull(id) : nil }), strict)
        let store = Store(reducer: room, initialState: Room(), environment: ())
        for (id, amount) in [(1, 0), (1, 10), (2, 3)] { store.send(.pour(id, amount)) }
        drops.send(4)
        expectEqual(store.state.pots, [1: 4, 2: 3])
    }

    @Test("An effect whose change one reducer makes and another undoes publishes no state")
    func undone() {
        let up = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 })
        let down = Reducer<Int, Int, Int, Void>(
            transform: { _, _, _ in Empty().eraseToAnyPublisher() }, apply: { $0 -= min($1, 2) })
        let store = Store(reducer: up.combined(with: down), initialState: 0, environment: ())
        let states = Recorder<Int>()
        let subscription = store.states.sink { states.append($0) }
        for number in [1, 2, 5, 1] { store.send(number) }
        expectEqual(states.all, [0, 3])
        withExtendedLifetime(subscription) {}
    }

    private struct Room: Equatable, Sendable { var table = tableOfLamps(3) }

    @Test("After a rejected effect would have removed a child, one that is removed and added again is a new one")
    func removedAgain() {
        let notes = PassthroughSubject<String, Never>()
        let keeping = Reducer<Room, TableEvent, TableEffect, Lamp.World>(
            transform: { _, _, _ in .none }, apply: { _, effect in if case .removed = effect { throw TooMuch() } })
        let store = Store(
            reducer: tableOfList.scoped(to: \Room.table, event: .identity, effect: .identity, environment: { $0 })
                .combined(with: keeping),
            initialState: Room(), environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        store.send(.row(1, .load))
        store.send(.remove(2))
        expectEqual(store.state.table.rows.ids, [0, 1, 2])
        store.send(.replace(1))
        notes.send("old")
        expectEqual(store.state.table.rows[id: 1]?.note, "")
    }
}
