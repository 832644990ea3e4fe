// The original loop of MoonKit, the predecessor of Moonlight, on OpenCombine's operators.
enum Moonlight {
    static func start<State, Event, Effect, Environment>(
        initialState: State, environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping (State, Event, Environment) -> AnyPublisher<Effect, Never>,
        apply: @escaping (State, Effect) -> State
    ) -> AnyCancellable {
        let effects = PassthroughSubject<Effect, Never>()
        let states = CurrentValueSubject<State, Never>(initialState)
        let applying = effects.scan(initialState, apply).sink(receiveValue: states.send)
        let transforming = feedback(states.share().eraseToAnyPublisher())
            .flatMap { transform(states.value, $0, environment) }
            .sink(receiveValue: effects.send)
        return AnyCancellable {
            applying.cancel()
            transforming.cancel()
        }
    }
}
