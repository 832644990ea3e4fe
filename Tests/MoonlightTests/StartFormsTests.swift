import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The forms of `Moonlight.start`: one stream of events, with and without `store:`, or an array of them.
@Suite("Forms of `Moonlight.start`")
struct StartFormsTests {
    private struct Odd: Error {}
    private let events = PassthroughSubject<Int, Never>()
    private let more = PassthroughSubject<Int, Never>()
    private let seen = Recorder<Int>()
    private let observers = Keeper()

    private func one(_ states: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
        observers.keep(states.sink { [seen] in seen.append($0) })
        return events.eraseToAnyPublisher()
    }

    private func several(_ states: AnyPublisher<Int, Never>) -> [AnyPublisher<Int, Never>] {
        observers.keep(states.sink { [seen] in seen.append($0) })
        return [events.eraseToAnyPublisher(), more.eraseToAnyPublisher()]
    }

    /// Adds the environment to an event, and rejects odd sums.
    @Sendable
    private static func transform(state: Int, event: Int, bonus: Int) throws -> AnyPublisher<Int, Never> {
        guard event.isMultiple(of: 2) else { throw Odd() }
        return Just(event + bonus).eraseToAnyPublisher()
    }

    /// Selects the forms that run on the calling actor.
    private final class Bonus { let value = 100 }

    @Sendable
    private static func transform(state: Int, event: Int, bonus: Bonus) throws -> AnyPublisher<Int, Never> {
        try transform(state: state, event: event, bonus: bonus.value)
    }

    @Test(
        "Each form of `start` runs a loop: with one stream, with `store`, or with several streams",
        arguments: 0..<6)
    func all(form: Int) {
        let (loops, returned) = (Keeper(), Recorder<Int>())
        let sum: @Sendable (Int, Int) -> Int = { $0 + $1 }
        var states: AnyPublisher<Int, Never>?
        switch form {
        case 0:
            loops.keep(
                Moonlight.start(
                    initialState: 1, environment: 100, feedback: one, transform: Self.transform, apply: sum))
        case 1:
            states = Moonlight.start(
                initialState: 1, environment: 100, feedback: one, transform: Self.transform, apply: sum,
                store: { loops.keep($0) })
        case 2:
            loops.keep(
                Moonlight.start(
                    initialState: 1, environment: 100, feedback: several, transform: Self.transform, apply: sum))
        case 3:
            loops.keep(
                Moonlight.start(
                    initialState: 1, environment: Bonus(), feedback: one, transform: Self.transform, apply: sum))
        case 4:
            states = Moonlight.start(
                initialState: 1, environment: Bonus(), feedback: one, transform: Self.transform, apply: sum,
                store: { loops.keep($0) })
        case 5:
            loops.keep(
                Moonlight.start(
                    initialState: 1, environment: Bonus(), feedback: several, transform: Self.transform, apply: sum))
        default: Issue.record("there are six")
        }
        events.send(2)
        if let states { observers.keep(states.sink { returned.append($0) }) }
        events.send(5)
        (form % 3 == 2 ? more : events).send(4)
        expectEqual(seen.all, [1, 103, 207])
        expect(returned.all == (form % 3 == 1 ? [103, 207] : []))
        loops.cancel()
        events.send(2)
        expectEqual(seen.count, 3)
    }

    @Test("A loop accepts an environment, events, effects and states that are not Sendable")
    func nothingSendable() {
        final class Box { var words: [String] = [] }
        final class Event {}
        final class Effect {}
        final class State: Equatable {
            let count: Int
            init(_ count: Int) { self.count = count }
            static func == (left: State, right: State) -> Bool { left.count == right.count }
        }
        let (box, events) = (Box(), PassthroughSubject<Event, Never>())
        var counts: [Int] = []
        var subscriptions: Set<AnyCancellable> = []
        Moonlight.start(
            initialState: State(0),
            environment: box,
            feedback: { states in
                states.sink { counts.append($0.count) }.store(in: &subscriptions)
                return events.eraseToAnyPublisher()
            },
            transform: { _, _, box in
                box.words.append("transformed")
                return Just(Effect()).eraseToAnyPublisher()
            },
            apply: { state, _ in State(state.count + 1) }
        ).store(in: &subscriptions)
        events.send(Event())
        expectEqual(box.words, ["transformed"])
        expectEqual(counts, [0, 1])
    }
}
