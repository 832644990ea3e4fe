import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams
import Testing

@Suite("Exploration: `eventually` in a replay")
struct ObligationTests {
    @Test("A goal that is reached in passing within a replayed cycle counts as reached")
    func passes() throws {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, _, _ in [1, 0].publisher.eraseToAnyPublisher() },
            apply: { (state: inout Int, effect: Int) in state = effect })
        let exploration = Exploration(reducer, given: 0) { _ in }.events([1])
        #expect(throws: Never.self) { try exploration.eventually("one", until: { $0 == 1 }).replay("* e0") }
        #expect(throws: ExplorationFailure.self) { try exploration.eventually("two", until: { $0 == 2 }).replay("* e0") }
    }
}
