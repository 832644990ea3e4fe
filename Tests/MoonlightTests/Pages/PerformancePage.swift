import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Tally: Equatable, Sendable { var total = 0 }

@Suite("Page: Performance")
struct PerformancePage {
    @Test("The time for an event is measured by sending many")
    func measure() {
        let reducer = Reducer<Tally, Int, Int, Void>(
            transform: { _, number, _ in Just(number).eraseToAnyPublisher() },
            apply: { tally, number in tally.total += number })
        let printed = Recorder<String>()
        func print(_ line: String) { printed.append(line) }

        let store = Store(reducer: reducer, initialState: Tally(), environment: ())
        let time = ContinuousClock().measure {
            for number in 1...100_000 { store.send(number) }
        }
        print("\(time / 100_000) an event, total \(store.state.total)")
        #expect(printed.last?.hasSuffix("an event, total 5000050000") == true)
    }
}
