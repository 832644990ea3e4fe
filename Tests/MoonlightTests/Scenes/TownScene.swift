import Moonlight
import MoonlightTestSupport
import Streams
import Testing

// An app of five levels below its root, each of a different kind: streets by id, a house in each, an optional guest in the house,
// who is awake or asleep, and has a lamp when awake.

private typealias World = Lamp.World

private enum Guest: Equatable, Sendable {
    case awake(Lamp)
    case asleep
}

private struct House: Equatable, Sendable { var guest: Guest? }
private struct Street: Equatable, Sendable {
    var house = House()
    var name = ""
}
private struct Town: Equatable, Sendable { var streets = IdentifiedList<Int, Street>() }
private struct Country: Equatable, Sendable { var town = Town() }

/// All events as one enum: a level's event is the part that concerns that level.
private enum Happening: Sendable {
    case lamp(Lamp.Event)
    case sleep, wake, come, go
    case rename(String)
    case open(Int)
    case close(Int)
    indirect case inside(Happening)
    indirect case street(Int, Happening)

    static let inside = CasePath(Happening.inside) { if case .inside(let inner) = $0 { inner } else { nil } }
    static let street = CasePath(Happening.street) { if case .street(let id, let inner) = $0 { (id, inner) } else { nil } }
    static let lamp = CasePath(Happening.lamp) { if case .lamp(let event) = $0 { event } else { nil } }
}

private enum Outcome: Sendable {
    case lamp(Lamp.Effect)
    case did(Happening)
    indirect case inside(Outcome)
    indirect case street(Int, Outcome)

    static let inside = CasePath(Outcome.inside) { if case .inside(let inner) = $0 { inner } else { nil } }
    static let street = CasePath(Outcome.street) { if case .street(let id, let inner) = $0 { (id, inner) } else { nil } }
    static let lamp = CasePath(Outcome.lamp) { if case .lamp(let effect) = $0 { effect } else { nil } }
}

/// The behavior of one level.
private func level<State: Equatable & Sendable>(
    _ change: @escaping @Sendable (inout State, Happening) -> Void
) -> Reducer<State, Happening, Outcome, World> {
    Reducer(
        transform: { _, event, _ in
            switch event {
            case .inside, .street, .lamp: Empty().eraseToAnyPublisher()
            default: Just(.did(event)).eraseToAnyPublisher()
            }
        },
        apply: { state, effect in if case .did(let what) = effect { change(&state, what) } })
}

private let guest = Reducer.combine(
    level { (state: inout Guest, what) in
        switch what {
        case .sleep: state = .asleep
        case .wake: state = .awake(Lamp())
        default: break
        }
    },
    Lamp.reducer.scoped(
        toCase: CasePath(Guest.awake, name: "awake") { if case .awake(let lamp) = $0 { lamp } else { nil } },
        event: Happening.lamp, effect: Outcome.lamp, environment: { $0 }))

private let house = Reducer.combine(
    level { (state: inout House, what) in
        switch what {
        case .come: state.guest = .awake(Lamp())
        case .go: state.guest = nil
        default: break
        }
    },
    guest.scoped(toOptional: \.guest, event: Happening.inside, effect: Outcome.inside, environment: { $0 }))

private let street = Reducer.combine(
    level { (state: inout Street, what) in if case .rename(let name) = what { state.name = name } },
    house.scoped(to: \.house, event: Happening.inside, effect: Outcome.inside, environment: { $0 }))

private let town = Reducer.combine(
    level { (state: inout Town, what) in
        switch what {
        case .open(let id): state.streets.append(Street(), id: id)
        case .close(let id): state.streets.remove(id: id)
        default: break
        }
    },
    street.scoped(toEach: \.streets, event: Happening.street, effect: Outcome.street, environment: { $0 }))

private let country = Reducer.combine(
    level { (state: inout Country, _) in },
    town.scoped(to: \.town, event: Happening.inside, effect: Outcome.inside, environment: { $0 }))

@Suite("A town of five levels without middleware")
struct TownScene {
    private let notes = PassthroughSubject<String, Never>()

    private func makeStore(streets: Int = 2) -> Store<Country, Happening> {
        var start = Country()
        for id in 0..<streets { start.town.streets.append(Street(), id: id) }
        let notes = notes
        return Store(
            reducer: country, initialState: start, environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
    }

    private func at(_ street: Int, _ what: Happening) -> Happening { .inside(.street(street, .inside(.inside(what)))) }
    private func lamp(_ street: Int, _ event: Lamp.Event) -> Happening { at(street, .lamp(event)) }
    private func inHouse(_ street: Int, _ what: Happening) -> Happening { .inside(.street(street, .inside(what))) }

    @Test("An event of the deepest level changes that level, and its rejection has the path")
    func bottom() async throws {
        let store = makeStore()
        let send = { (event: Happening) in _ = store.send(event) }
        send(inHouse(1, .come))
        send(lamp(1, .up(3)))
        expectEqual(store.state.town.streets[id: 1]?.house.guest, .awake(Lamp(level: 3)))
        expectEqual(store.state.town.streets[id: 0], Street())
        for (event, path) in [
            (lamp(0, .up(1)), "town.streets[0].house.guest"), (lamp(1, .refuse), "town.streets[1].house.guest.awake"),
            (lamp(9, .up(1)), "town.streets[9]"),
        ] {
            guard case .failure(.rejected(let error)) = await store.send(event) else {
                Issue.record("not refused")
                continue
            }
            expectEqual((error as? Rejection)?.path.description, path)
        }
        send(at(1, .sleep))
        guard case .failure(.rejected(let error)) = await store.send(lamp(1, .up(1))) else {
            Issue.record("not refused")
            return
        }
        expectEqual((error as? Rejection)?.path.description, "town.streets[1].house.guest.awake")
    }

    @Test("Removing a child on any level cancels everything in flight below it, and nothing of its sibling")
    func leaving() {
        let ways: [(name: String, leave: Happening, comeBack: [Happening])] = [
            ("falls asleep", at(1, .sleep), [at(1, .wake)]),
            ("goes", inHouse(1, .go), [inHouse(1, .come)]),
            ("street is closed", .inside(.close(1)), [.inside(.open(1)), inHouse(1, .come)]),
        ]
        for way in ways {
            let store = makeStore()
            for id in 0..<2 {
                store.send(inHouse(id, .come))
                store.send(lamp(id, .load))
                store.send(lamp(id, .watch))
            }
            let path = { (id: Int) in "town.streets[\(id)].house.guest.awake/watch" }
            expectEqual(Set(store.jobs.map(\.id.description)), [path(0), path(1)])
            store.send(.inside(.street(1, .rename("Elm Street"))))
            expectEqual(store.jobs.count, 2)
            store.send(way.leave)
            expectEqual(store.jobs.map(\.id.description), [path(0)], "\(way.name)")
            for event in way.comeBack { store.send(event) }
            notes.send("late")
            expectEqual(store.state.town.streets[id: 1]?.house.guest, .awake(Lamp()), "\(way.name)")
            expectEqual(store.state.town.streets[id: 0]?.house.guest, .awake(Lamp(note: "late")), "\(way.name)")
        }
    }
}
