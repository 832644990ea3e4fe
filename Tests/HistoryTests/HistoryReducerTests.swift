import Streams
import Synchronization
import Testing

@testable import HistorySample

@Suite("The reducer of history")
struct HistoryReducerTests {
    @Test("An answer becomes the last line")
    func answerBecomesLastLine() {
        let first = HistoryReducer.apply(state: HistoryState(), effect: .numberReceived(4))
        let second = HistoryReducer.apply(state: first, effect: .textReceived("A line."))
        #expect(second == HistoryState(history: ["Number: 4", "String: A line."]))
    }

    @Test("Only the last ten lines are kept")
    func keepsTen() {
        let state = (1...25).reduce(HistoryState()) { state, number in
            HistoryReducer.apply(state: state, effect: .numberReceived(number))
        }
        #expect(state.history == (16...25).map { "Number: \($0)" })
    }

    @Test(
        "Each event asks the dependency that it is about, once, and no other",
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
        #expect(calls.withLock { $0 } == asked)
        #expect(received == effects)
        cancellable.cancel()
    }
}
