import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// An action on a lamp, alone or as a child.
private enum Move {
    case event(Lamp.Event)
    /// Makes one of the requested streams send, or finish.
    case note(Int, String)
    case finish(Int)
}

/// The pending requests, which a script answers.
private final class Answers: Sendable {
    private let subjects = Lock<[PassthroughSubject<String, Never>]>([])

    func ask() -> AnyPublisher<String, Never> {
        let subject = PassthroughSubject<String, Never>()
        subjects.withLock { $0.append(subject) }
        return subject.eraseToAnyPublisher()
    }

    subscript(number: Int) -> PassthroughSubject<String, Never>? {
        subjects.withLock { $0.isEmpty ? nil : $0[number % $0.count] }
    }

    var count: Int { subjects.withLock { $0.count } }
}

/// A job's id without the path of its child.
private func nameAlone(_ id: JobID) -> String { String("\(id)".split(separator: "/").last ?? "") }

private func script(_ seed: Int) -> [Move] {
    var dice = Dice(seed: seed)
    return (0..<50).map { step in
        switch dice.roll(12) {
        case 0...2: .event(.up(dice.roll(3)))
        case 3: .event(.twice)
        case 4, 5: .event(.load)
        case 6: .event(.watch)
        case 7: .event(.stop)
        case 8: .event(.refuse)
        case 9: .finish(dice.roll(100))
        default: .note(dice.roll(100), "\(step)")
        }
    }
}

/// The observable behavior of a lamp during a script: its states, the refusals with their reasons, its jobs.
private func watch<State: Equatable & Sendable, Event: Sendable, Effect, World>(
    _ reducer: Reducer<State, Event, Effect, World>, from state: State, _ seed: Int,
    lamp: @escaping @Sendable (State) -> Lamp?, event: (Lamp.Event) -> Event, world: (Lamp.World) -> World
) -> [String] {
    let seen = Recorder<String>()
    let answers = Answers()
    let store = Store(
        reducer: reducer, initialState: state, environment: world(Lamp.World(notes: { answers.ask() })),
        options: LoopOptions(journal: { record in
            switch record.step {
            case .rejected(_, let error): seen.append((error as? Rejection)?.reason ?? "\(error)")
            case .effect(_, let before, let after): seen.append("\(lamp(before)!) -> \(lamp(after)!)")
            case .job(let job): seen.append("\(nameAlone(job.id)) \(job.step)")
            default: break
            }
        }))
    let subscription = store.states.sink { seen.append("\(lamp($0)!)") }
    for move in script(seed) {
        switch move {
        case .event(let lampEvent): store.send(event(lampEvent))
        case .note(let number, let text): answers[number]?.send(text)
        case .finish(let number): answers[number]?.send(completion: .finished)
        }
        seen.append("\(store.jobs.map { nameAlone($0.id) })")
    }
    withExtendedLifetime(subscription) {}
    return seen.all
}

private func alone(_ seed: Int) -> [String] {
    watch(Lamp.reducer, from: Lamp(), seed, lamp: { $0 }, event: { $0 }, world: { $0 })
}

@Suite("Laws of composition")
struct LawTests {
    @Test("A reducer that is scoped along the identity behaves as it does alone", arguments: Budget.seeds(25, least: 2))
    func identity(seed: Int) {
        let scoped = Lamp.reducer.scoped(to: \Lamp.self, event: .identity, effect: .identity, environment: { $0 })
        expectEqual(watch(scoped, from: Lamp(), seed, lamp: { $0 }, event: { $0 }, world: { $0 }), alone(seed))
    }

    private struct Inner: Equatable, Sendable { var lamp = Lamp() }
    private struct Outer: Equatable, Sendable {
        var before = 1
        var inner = Inner()
    }
    private enum Wrapped<Content: Sendable>: Sendable {
        case content(Content)
        case nothing
    }
    private static func wrapped<Content>(_ type: Content.Type = Content.self) -> CasePath<Wrapped<Content>, Content> {
        CasePath(Wrapped.content) { if case .content(let content) = $0 { content } else { nil } }
    }

    @Test(
        "A reducer that is scoped twice behaves as one that is scoped along the composed path",
        arguments: Budget.seeds(25, least: 2))
    func path(seed: Int) {
        let twice =
            Lamp.reducer
            .scoped(to: \Inner.lamp, event: Self.wrapped(), effect: Self.wrapped(), environment: { $0 })
            .scoped(to: \Outer.inner, event: Self.wrapped(), effect: Self.wrapped(), environment: { $0 })
        let once = Lamp.reducer.scoped(
            to: \Outer.inner.lamp, event: Self.wrapped().appending(Self.wrapped()),
            effect: Self.wrapped().appending(Self.wrapped()), environment: { $0 })
        let event = { (event: Lamp.Event) in Wrapped.content(Wrapped.content(event)) }
        let seen = watch(twice, from: Outer(), seed, lamp: \.inner.lamp, event: event, world: { $0 })
        expectEqual(seen, watch(once, from: Outer(), seed, lamp: \.inner.lamp, event: event, world: { $0 }))
        expectEqual(seen, alone(seed))
    }

    @Test("A child in a parent behaves as it does alone", arguments: Budget.seeds(25, least: 2))
    func child(seed: Int) {
        let expected = alone(seed)
        expectEqual(
            watch(
                parlour, from: Parlour(), seed, lamp: \.lamp, event: { .lamp($0) },
                world: { ParlourWorld(lamp: $0) }), expected)
    }

    @Test("An optional child behaves as it does alone while it is present", arguments: Budget.seeds(25, least: 2))
    func optional(seed: Int) {
        expectEqual(
            watch(
                parlour, from: Parlour(guest: Lamp()), seed, lamp: \.guest, event: { .guest($0) },
                world: { ParlourWorld(guest: $0) }), alone(seed))
    }

    @Test("A child of a list or of a dictionary behaves as it does alone", arguments: Budget.seeds(25, least: 2))
    func each(seed: Int) {
        var rows = IdentifiedList<Int, Lamp>()
        for id in 0..<5 { rows.append(Lamp(), id: id) }
        expectEqual(
            watch(
                tableOfList, from: Table(rows: rows), seed, lamp: { $0.rows[id: 3] }, event: { .row(3, $0) },
                world: { $0 }), alone(seed))
        expectEqual(
            watch(
                tableOfDictionary, from: Table(rows: [3: Lamp(), 4: Lamp()]), seed, lamp: { $0.rows[3] },
                event: { .row(3, $0) }, world: { $0 }), alone(seed))
    }

    private enum Either: Equatable, Sendable {
        case lamp(Lamp)
        case none
        static let lamp = CasePath(Either.lamp) { if case .lamp(let lamp) = $0 { lamp } else { nil } }
    }

    @Test("A child that is a case of an enum behaves as it does alone", arguments: Budget.seeds(25, least: 2))
    func enumCase(seed: Int) {
        let reducer = Lamp.reducer.scoped(
            toCase: Either.lamp, event: .identity, effect: .identity, environment: { (world: Lamp.World) in world })
        expectEqual(
            watch(
                reducer, from: .lamp(Lamp()), seed, lamp: { Either.lamp.extract($0) }, event: { $0 }, world: { $0 }), alone(seed))
    }

    /// Records its inputs, so that their order can be compared.
    private func scribe(_ name: String) -> Reducer<[String], Int, String, PassthroughSubject<Int, Never>> {
        Reducer(
            transform: { _, event, later in
                switch event % 4 {
                case 0: Just("\(name)\(event)").eraseToAnyPublisher()
                case 1: ["\(name)\(event)", "\(name)again"].publisher.eraseToAnyPublisher()
                case 2: Empty().eraseToAnyPublisher()
                default: later.map { "\(name)\(event)\($0)" }.prepend("\(name)waits").eraseToAnyPublisher()
                }
            },
            apply: { state, effect in state.append("\(name):\(effect)") })
    }

    @Test("Combining reducers is associative", arguments: Budget.seeds(25, least: 2))
    func associative(seed: Int) {
        let (a, b, c) = (scribe("a"), scribe("b"), scribe("c"))
        let results = [a.combined(with: b).combined(with: c), a.combined(with: b.combined(with: c)), .combine(a, b, c)]
            .map { reducer in
                var dice = Dice(seed: seed)
                let later = PassthroughSubject<Int, Never>()
                let store = Store(reducer: reducer, initialState: [], environment: later)
                for step in 0..<30 { if dice.roll(4) == 0 { later.send(step) } else { store.send(dice.roll(40)) } }
                return store.state
            }
        expectEqual(results[0], results[1])
        expectEqual(results[0], results[2])
    }

    @Test("A reducer that is combined with an empty one behaves as it does alone", arguments: Budget.seeds(10, least: 2))
    func neutral(seed: Int) {
        for reducer in [Lamp.reducer.combined(with: Reducer()), Reducer().combined(with: Lamp.reducer)] {
            expectEqual(watch(reducer, from: Lamp(), seed, lamp: { $0 }, event: { $0 }, world: { $0 }), alone(seed))
        }
    }

    @Test("The effects of the first of two combined reducers come first, and its `apply` runs first")
    func order() {
        let store = Store(
            reducer: scribe("a").combined(with: scribe("b")), initialState: [], environment: PassthroughSubject())
        store.send(0)
        expectEqual(store.state, ["a:a0", "b:a0", "a:b0", "b:b0"])
    }
}
