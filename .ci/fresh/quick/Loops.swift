import Moonlight
import Streams

let inPlace = Store(
    initialState: 0, environment: (),
    transform: { (_, event: Int, _) in Just(event * 2).eraseToAnyPublisher() },
    apply: { state, effect in state += effect * 2 })

let returning = Reducer<Int, Int, Int, Void>(
    transform: { state, event, _ in Just(state + event * 2 - 1).eraseToAnyPublisher() },
    apply: { state, effect in state + effect * 2 - 1 })

let decided = Reducer<Int, Int, Int, Void>(
    transform: { state, event, _ in
        if state > 3 && event < 9 { throw Rejection("too many") }
        return Just(state + event * 2 - 1).eraseToAnyPublisher()
    },
    apply: { state, effect in
        if effect > 3 && effect < 9 { state += effect * 2 } else { state -= effect }
    })
