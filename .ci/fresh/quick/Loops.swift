import Moonlight
import Streams

struct Tank: Equatable, Sendable {
    var level = 0
    var heat = 0.5
}

let stated = Reducer<Int, Int, Int, Void>(
    transform: { state, event, _ in
        if state > 3 && event < 9 { throw Rejection("too many") }
        return Just(state + event * 2 - 1).eraseToAnyPublisher()
    },
    apply: { state, effect in
        if effect > 3 && effect < 9 { state += effect * 2 } else { state -= effect }
    })

let inferred = Reducer(
    transform: { (state: Tank, event: Int, _: Void) in Just(state.level + event * 2 - 1).eraseToAnyPublisher() },
    apply: { state, effect in
        state.level += effect * 2 - 1 + effect * 3
        state.heat = Double(effect) * 3 + state.heat / 2
    })

let store = Store(
    reducer: inferred, initialState: Tank(), environment: (),
    feedback: { states in
        [states.filter { $0.level > 3 && $0.level < 9 }.map { $0.level * 2 + 1 }.eraseToAnyPublisher()]
    })

let inOne = Store(
    reducer: Reducer<Tank, Int, Int, Void>(
        transform: { state, event, _ in Just(state.level + event * 2 - 1).eraseToAnyPublisher() },
        apply: { state, effect in state.level += effect * 2 - 1 + effect * 3 }),
    initialState: Tank(), environment: (),
    feedback: { states in
        [states.filter { $0.level > 3 && $0.level < 9 }.map { $0.level * 2 + 1 }.eraseToAnyPublisher()]
    })

let started = Moonlight.start(
    initialState: 0, environment: (),
    feedback: { states in states.filter { $0 > 3 && $0 < 9 }.map { $0 * 2 + 1 }.eraseToAnyPublisher() },
    transform: { (state, event: Int, _) in Just(state + event * 2 - 1).eraseToAnyPublisher() },
    apply: { state, effect in state + effect * 2 - 1 + effect * 3 })

let startedWithSeveral = Moonlight.start(
    initialState: 0, environment: (),
    feedback: { (states: AnyPublisher<Int, Never>) in
        [states.filter { $0 > 3 && $0 < 9 }.map { $0 * 2 + 1 }.eraseToAnyPublisher()]
    },
    transform: { (state, event: Int, _) in Just(state + event * 2 - 1).eraseToAnyPublisher() },
    apply: { state, effect in state + effect * 2 - 1 + effect * 3 })
