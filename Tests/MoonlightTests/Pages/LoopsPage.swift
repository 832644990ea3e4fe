import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Tally: Equatable {
    var count = 0
    var last: [String] = []
}

private enum Key { case plus, minus, reset, boom }

private enum Change {
    case add(Int)
    case note(String)
}

private struct Clock: Sendable { var time: @Sendable () -> String }

@Suite("Page: Loops")
struct LoopsPage {
    @Test("A loop turns keys into states")
    func wholeLoop() {
        let shown = Recorder<Int>()
        let keys = PassthroughSubject<Key, Never>()
        var subscriptions = Set<AnyCancellable>()
        let loop = Moonlight.start(
            initialState: Tally(),
            environment: Clock(time: { "noon" }),
            feedback: { states in
                states.map(\.count).sink { shown.append($0) }.store(in: &subscriptions)
                return keys.eraseToAnyPublisher()
            },
            transform: { (state, key: Key, clock) in
                switch key {
                case .plus: return [.add(1), .note(clock.time())].publisher.eraseToAnyPublisher()
                case .minus: return Just(.add(-1)).eraseToAnyPublisher()
                case .reset: return Just(.add(-state.count)).eraseToAnyPublisher()
                case .boom: throw Rejection("nothing must explode")
                }
            },
            apply: { (state, change: Change) in
                var next = state
                switch change {
                case .add(let number): next.count += number
                case .note(let text): next.last.append(text)
                }
                return next
            })
        for key in [Key.plus, .plus, .minus, .boom, .reset] { keys.send(key) }
        loop.cancel()
        #expect(shown.all == [0, 1, 1, 2, 2, 1, 0])
    }
}
