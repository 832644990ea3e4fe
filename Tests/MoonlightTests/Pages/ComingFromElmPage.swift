import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Page: ComingFromElm")
struct ComingFromElmPage {
    struct Dice: Equatable { var face = 1 }

    enum Msg { case roll }

    enum Rolled { case newFace(Int) }

    struct DiceEnvironment: Sendable { var random: @Sendable (ClosedRange<Int>) -> AnyPublisher<Int, Never> }

    @Test("The dice of Elm's guide show a new face")
    func guide() {
        let dice = Reducer<Dice, Msg, Rolled, DiceEnvironment>(
            transform: { _, event, environment in
                switch event {
                case .roll: environment.random(1...6).map(Rolled.newFace).eraseToAnyPublisher()
                }
            },
            apply: { model, effect in
                switch effect {
                case .newFace(let face): model.face = face
                }
            })
        let store = Store(
            reducer: dice, initialState: Dice(),
            environment: DiceEnvironment(random: { Just($0.upperBound).eraseToAnyPublisher() }))
        store.send(.roll)
        #expect(store.state.face == 6)
    }

    struct Clock: Equatable { var isRunning = false }
    enum Tick: Equatable, Sendable { case tick }

    @Test("A subscription runs while the state requires it")
    func subscription() {
        let (states, ticks) = (PassthroughSubject<Clock, Never>(), PassthroughSubject<Void, Never>())
        let (seen, seconds) = (Recorder<Tick>(), { @Sendable in ticks })
        func subscriptions(_ states: AnyPublisher<Clock, Never>) -> AnyPublisher<Tick, Never> {
            states.react(when: \.isRunning) { seconds().map { .tick } }
        }
        let watching = subscriptions(states.eraseToAnyPublisher()).sink { seen.append($0) }
        ticks.send()
        states.send(Clock(isRunning: true))
        ticks.send()
        states.send(Clock(isRunning: false))
        ticks.send()
        #expect(seen.all == [.tick])
        watching.cancel()
    }
}
