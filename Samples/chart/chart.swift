// A view that a timer updates. The timer runs while the state requires it.
//
//     swift run chart                Space pauses, q quits
import MoonPresentation
import Moonlight
import Streams

struct Tide: Equatable {
    var levels: [Double] = []
    var ticks = 0
    var isPaused = false
}

enum Event {
    case tick
    case pause
}

struct World: Sendable {
    var clock: any Clock<Duration>
}

let tide = Reducer<Tide, Event, Event, World> { _, event, _ in
    .just(event)
} apply: { state, effect in
    switch effect {
    case .tick:
        state.ticks += 1
        // A triangle wave with a period of forty ticks.
        state.levels = (state.levels + [Double(20 - abs(20 - state.ticks % 40))]).suffix(200)
    case .pause: state.isPaused.toggle()
    }
}

func program(_ world: World) -> Program<Tide, Event, Event, World> {
    Program(tide, initialState: Tide(), environment: world) { state, screen in
        screen.add(
            Rows {
                Chart(state.levels, range: 0...20, style: Style(foreground: .cyan)).length(.share())
                Chart(state.levels, range: 0...20).length(.cells(1))
                Columns(spacing: 2) {
                    Spinner(step: state.ticks, label: state.isPaused ? "paused" : "rising and falling")
                    Text("Space pause  q quit", style: .dim)
                }
            })
    }
    .keys([" ": .pause], quit: ["q"])
    .feedback { states, world in
        [
            states.react(when: { !$0.isPaused }) {
                AnyPublisher<Event, Never>.run { send in
                    while (try? await world.clock.sleep(for: .milliseconds(100))) != nil { send(.tick) }
                }
                .untilDraining()
            }
        ]
    }
}

@main struct Main {
    static func main() throws { try program(World(clock: ContinuousClock())).run() }
}
