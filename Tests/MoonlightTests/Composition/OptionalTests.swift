import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Optional children")
struct OptionalTests {
    private struct Visit: Equatable, Sendable {
        var guest: Guest?
        var seen: [String] = []
    }

    private struct Guest: Equatable, Sendable {
        var name: String
        var drinks = 0
    }

    private enum Event: Sendable {
        case come(String)
        case go
        case guest(Int)
        case wait
        case said(String)
        static let guest = CasePath(Event.guest) { if case .guest(let count) = $0 { count } else { nil } }
    }

    private enum Effect: Sendable {
        case came(String)
        case went
        case guest(Int)
        case heard(String)
        static let guest = CasePath(Effect.guest) { if case .guest(let count) = $0 { count } else { nil } }
    }

    private typealias House = Reducer<Visit, Event, Effect, PassthroughSubject<Int, Never>>

    private let house = House(
        transform: { _, event, _ in
            switch event {
            case .come(let name): Just(.came(name)).eraseToAnyPublisher()
            case .go: Just(.went).eraseToAnyPublisher()
            case .said(let word): Just(.heard(word)).eraseToAnyPublisher()
            case .guest, .wait: Empty().eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            switch effect {
            case .came(let name): state.guest = Guest(name: name)
            case .went: state.guest = nil
            case .heard(let word): state.seen.append(word)
            case .guest: break
            }
        })

    // An event of 0 awaits the waiter; any other is the number of drinks.
    private let guest = Reducer<Guest, Int, Int, PassthroughSubject<Int, Never>>(
        transform: { _, event, waiter in
            event == 0 ? waiter.eraseToAnyPublisher() : Just(event).eraseToAnyPublisher()
        },
        apply: { $0.drinks += $1 })

    /// A house whose guests are identified by name.
    private func house(with guest: Reducer<Guest, Int, Int, PassthroughSubject<Int, Never>>) -> House {
        house.combined(
            with: guest.scoped(
                toOptional: \Visit.guest, id: \.name, event: Event.guest, effect: Effect.guest, environment: { $0 }))
    }

    @Test("A sender that awaits an event of a child is notified if another event removes the child")
    func removed() async throws {
        let waiter = PassthroughSubject<Int, Never>()
        let store = Store(
            reducer: house(with: guest), initialState: Visit(guest: Guest(name: "ann")), environment: waiter)
        let waiting = try await store.begin(.guest(0))
        store.post(.go)
        await expectEqual(waiting.value, "interrupted: the child guest[ann] was removed")
    }

    @Test("A sender that awaits an event of a child is notified if feedback answers an effect of it by removing the child")
    func removedByAnswer() async throws {
        let waiter = PassthroughSubject<Int, Never>()
        let store = Store(
            reducer: house(with: guest), initialState: Visit(guest: Guest(name: "ann")), environment: waiter
        ) { states in
            [states.filter { $0.guest?.drinks == 1 }.map { _ in Event.go }.eraseToAnyPublisher()]
        }
        let waiting = try await store.begin(.guest(0))
        waiter.send(1)
        await expectEqual(waiting.value, "interrupted: the child guest[ann] was removed")
    }

    private struct Inn: Equatable, Sendable { var visit: Visit? }

    private enum InnEvent: Sendable {
        case visit(Event)
        case evict
        static let visit = CasePath(InnEvent.visit) { if case .visit(let event) = $0 { event } else { nil } }
    }

    private enum InnEffect: Sendable {
        case visit(Effect)
        case evicted
        static let visit = CasePath(InnEffect.visit) { if case .visit(let effect) = $0 { effect } else { nil } }
    }

    @Test("A stream of a grandchild is cancelled when the root removes it, even if the child has no reducer of its own")
    func grandchild() async throws {
        let visit = guest.scoped(
            toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest,
            environment: { (waiter: PassthroughSubject<Int, Never>) in waiter })
        let inn = Reducer<Inn, InnEvent, InnEffect, PassthroughSubject<Int, Never>>(
            transform: { _, event, _ in
                if case .evict = event { Just(.evicted).eraseToAnyPublisher() } else { Empty().eraseToAnyPublisher() }
            },
            apply: { if case .evicted = $1 { $0.visit?.guest = nil } }
        ).combined(
            with: visit.scoped(toOptional: \Inn.visit, event: InnEvent.visit, effect: InnEffect.visit, environment: { $0 }))
        let store = Store(
            reducer: inn, initialState: Inn(visit: Visit(guest: Guest(name: "ann"))), environment: PassthroughSubject())
        let waiting = try await store.begin(.visit(.guest(0)))
        store.post(.evict)
        try await until { store.isQuiet }
        await expectEqual(waiting.value, "interrupted: the child visit.guest was removed")
    }

    @Test("An event of a child settles if one of its effects removes the child")
    func removesItself() async throws {
        let waiter = PassthroughSubject<Int, Never>()
        let door = House(
            transform: { _, _, _ in .none },
            apply: { visit, effect in if case .guest(99) = effect { visit.guest = nil } })
        let store = Store(
            reducer: house(with: guest).combined(with: door), initialState: Visit(guest: Guest(name: "ann")),
            environment: waiter)
        let waiting = try await store.begin(.guest(0))
        waiter.send(99)
        await expectEqual(waiting.value, "settled")
        expect(store.state.guest == nil)
    }

    @Test("An optional child with another id is a new child, and one with the same id is the same child")
    func identity() {
        let house = house(with: guest)
        let waiter = PassthroughSubject<Int, Never>()
        let store = Store(reducer: house, initialState: Visit(guest: Guest(name: "Ann")), environment: waiter)
        store.send(.guest(0))
        store.send(.come("Ann"))
        waiter.send(1)
        expectEqual(store.state.guest, Guest(name: "Ann", drinks: 1))
        store.send(.come("Bob"))
        waiter.send(1)
        expectEqual(store.state.guest, Guest(name: "Bob"))
        store.send(.guest(0))
        waiter.send(2)
        expectEqual(store.state.guest, Guest(name: "Bob", drinks: 2))
    }

    @Test("A child whose own effect changes its id is a new child, which the earlier streams do not reach")
    func ownChangeOfIdentity() {
        let guest = Reducer<Guest, Int, Int, PassthroughSubject<Int, Never>>(
            transform: { [guest] in try guest.transform($0, $1, $2) },
            apply: { guest, drinks in
                guest.drinks += drinks
                if guest.drinks > 9 { guest.name = "Bob" }
            })
        let house = house(with: guest)
        let waiter = PassthroughSubject<Int, Never>()
        let store = Store(reducer: house, initialState: Visit(guest: Guest(name: "Ann")), environment: waiter)
        store.send(.guest(0))
        store.send(.guest(9))
        waiter.send(0)
        expectEqual(store.state.guest, Guest(name: "Ann", drinks: 9))
        store.send(.guest(1))
        waiter.send(5)
        expectEqual(store.state.guest, Guest(name: "Bob", drinks: 10))
        store.send(.guest(0))
        waiter.send(2)
        expectEqual(store.state.guest, Guest(name: "Bob", drinks: 12))
    }

    @Test("An optional child without an id stays the same child when its value is replaced")
    func noIdentity() {
        let house = house.combined(
            with: guest.scoped(toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest, environment: { $0 }))
        let waiter = PassthroughSubject<Int, Never>()
        let store = Store(reducer: house, initialState: Visit(guest: Guest(name: "Ann")), environment: waiter)
        store.send(.guest(0))
        store.send(.come("Bob"))
        waiter.send(1)
        expectEqual(store.state.guest, Guest(name: "Bob", drinks: 1))
    }

    @Test("An optional child with a result is removed, and its parent handles the result once, before anything else")
    func result() {
        let house = house.combined(
            with: guest.scoped(
                toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest, environment: { $0 },
                result: { $0.drinks >= 3 ? .said("\($0.name) had \($0.drinks)") : nil }))
        let waiter = PassthroughSubject<Int, Never>()
        let store = Store(reducer: house, initialState: Visit(guest: Guest(name: "Ann")), environment: waiter)
        let states = Recorder<Bool>()
        let watch = store.states.sink { [weak store] state in
            states.append(state.guest != nil)
            if state.guest == nil, state.seen.isEmpty { store?.send(.said("gone")) }
        }
        store.send(.guest(0))
        store.send(.guest(2))
        waiter.send(1)
        waiter.send(1)
        expectEqual(store.state, Visit(guest: nil, seen: ["Ann had 3", "gone"]))
        expectEqual(states.all, [true, true, false, false, false])
        withExtendedLifetime(watch) {}
    }

    @Test("An optional child with a result is removed with its effects even if its parent ignores the result")
    func unansweredResult() {
        for hasID in [false, true] {
            let result: @Sendable (Guest) -> Event? = { $0.drinks >= 3 ? .wait : nil }
            let house: House =
                hasID
                ? guest.scoped(
                    toOptional: \Visit.guest, id: \.name, event: Event.guest, effect: Effect.guest, environment: { $0 },
                    result: result)
                : guest.scoped(
                    toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest, environment: { $0 }, result: result)
            let store = Store(
                reducer: house, initialState: Visit(guest: Guest(name: "Ann")), environment: PassthroughSubject())
            store.send(.guest(0))
            store.send(.guest(2))
            expectEqual(store.inFlight.count, 1)
            store.send(.guest(1))
            expectEqual(store.state, Visit())
            expect(store.inFlight.isEmpty)
        }
    }

    @Test("The result of a grandchild is handled by its parent, which is itself a child")
    func resultOfAGrandchild() {
        struct Estate: Equatable, Sendable { var visit = Visit(guest: Guest(name: "Ann")) }
        enum EstateEffect: Sendable {
            case visit(Effect)
            static let visit = CasePath(EstateEffect.visit) {
                switch $0 {
                case .visit(let effect): effect
                }
            }
        }
        let house = house.combined(
            with: guest.scoped(
                toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest, environment: { $0 },
                result: { $0.drinks >= 3 ? .said("enough") : nil }))
        let estate = Reducer<Estate, Event, EstateEffect, PassthroughSubject<Int, Never>>().combined(
            with: house.scoped(
                to: \Estate.visit, event: CasePath({ $0 }) { $0 }, effect: EstateEffect.visit, environment: { $0 }))
        let store = Store(reducer: estate, initialState: Estate(), environment: PassthroughSubject())
        store.send(.guest(2))
        store.send(.guest(1))
        expectEqual(store.state.visit, Visit(guest: nil, seen: ["enough"]))
    }

    @Test("The result of a child reaches its parent even if the mailbox is full")
    func fullMailbox() {
        let house = house.combined(
            with: guest.scoped(
                toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest, environment: { $0 },
                result: { $0.drinks >= 3 ? .said("enough") : nil }))
        let store = Store(
            reducer: house, initialState: Visit(guest: Guest(name: "Ann")), environment: PassthroughSubject(),
            options: LoopOptions(inbox: .reject(1)))
        let watch = store.states.filter { $0.guest?.drinks == 2 }.sink { [weak store] _ in
            // One waits, and the other exceeds the limit.
            store?.send(.guest(1))
            store?.send(.wait)
        }
        store.send(.guest(2))
        expectEqual(store.state, Visit(guest: nil, seen: ["enough"]))
        withExtendedLifetime(watch) {}
    }

    @Test("`Reducer.apply` returns the event for the result of a child, without a loop")
    func pureResult() throws {
        let house = house.combined(
            with: guest.scoped(
                toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest, environment: { $0 },
                result: { $0.drinks >= 3 ? .said("enough") : nil }))
        var state = Visit(guest: Guest(name: "Ann"))
        try expect(house.apply(.guest(1), to: &state).isEmpty)
        let events = try house.apply(.guest(2), to: &state)
        expectEqual(events.count, 1)
        expect(state.guest == nil)
    }

    @Test("The body of a `run` is cancelled when the child that began it is removed")
    func runBody() async {
        let started = AsyncStream<Void>.makeStream()
        let cancelled = AsyncStream<Void>.makeStream()
        let guest = Reducer<Guest, Int, Int, PassthroughSubject<Int, Never>>(
            transform: { _, _, _ in
                .run { send in
                    started.continuation.yield()
                    await withTaskCancellationHandler {
                        // Never returns; only the cancellation ends it.
                        for await _ in AsyncStream<Void>.makeStream().stream {}
                    } onCancel: {
                        cancelled.continuation.yield()
                    }
                    send(1)
                }
            },
            apply: { $0.drinks += $1 })
        let house = house.combined(
            with: guest.scoped(toOptional: \Visit.guest, event: Event.guest, effect: Effect.guest, environment: { $0 }))
        let store = Store(
            reducer: house, initialState: Visit(guest: Guest(name: "Ann")), environment: PassthroughSubject())
        let send = { (event: Event) in _ = store.send(event) }
        send(.guest(0))
        for await _ in started.stream { break }
        send(.go)
        for await _ in cancelled.stream { break }
        expectEqual(store.state, Visit())
    }
}
