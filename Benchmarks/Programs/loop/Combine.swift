var observers: [AnyCancellable] = []
let loop = Moonlight.start(
    initialState: 0, environment: (),
    feedback: { states in
        observers.append(states.sink { print($0) })
        return [1, 2, 3].publisher.eraseToAnyPublisher()
    },
    transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
    apply: { state, effect in state + effect })
