import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@testable import HistorySample

@Suite("History: the reducer")
struct HistoryReducerTests {
    @Test("An answer becomes the last line")
    func answerBecomesLastLine() {
        let first = HistoryReducer.apply(state: HistoryState(), effect: .numberReceived(4))
        let second = HistoryReducer.apply(state: first, effect: .textReceived("A line."))
        expectEqual(second, HistoryState(history: ["Number: 4", "String: A line."]))
    }

    @Test("The last ten lines are kept, and no others")
    func keepsTen() {
        let state = (1...25).reduce(HistoryState()) { state, number in
            HistoryReducer.apply(state: state, effect: .numberReceived(number))
        }
        expectEqual(state.history, (16...25).map { "Number: \($0)" })
    }

    @Test(
        "Each event asks its dependency, once, and no other",
        arguments: [
            (HistoryEvent.numberRequested, ["number"], [HistoryEffect.numberReceived(7)]),
            (HistoryEvent.textRequested, ["text"], [HistoryEffect.textReceived("seven")]),
        ])
    func asksTheRightDependency(event: HistoryEvent, asked: [String], effects: [HistoryEffect]) {
        let calls = Mutex<[String]>([])
        let environment = HistoryEnvironment(
            number: {
                calls.withLock { $0.append("number") }
                return Just(7).eraseToAnyPublisher()
            },
            text: {
                calls.withLock { $0.append("text") }
                return Just("seven").eraseToAnyPublisher()
            })
        var received: [HistoryEffect] = []
        let cancellable = HistoryReducer.transform(state: HistoryState(), event: event, environment: environment)
            .sink { received.append($0) }
        expectEqual(calls.withLock { $0 }, asked)
        expectEqual(received, effects)
        cancellable.cancel()
    }
}
