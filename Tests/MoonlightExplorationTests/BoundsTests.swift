import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Calls: Sendable { var ask: @Sendable (Int) async -> Int }
private let ask = Stub<Int, Int, Never>("ask")

@Suite("Exploration: limits that end it")
struct BoundsTests {
    @Test("An exploration ends at its memory limit, and its verdict names the limit")
    func memory() throws {
        let reducer = Reducer<[Int], Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout [Int], effect: Int) in state.append(effect) })
        let report = try Exploration(reducer, given: []) { _ in }.events([1, 2])
            .limited(nodes: 400_000, memory: 4_000_000).run()
        guard case .bounded(let limit, let left) = report.extent else {
            Issue.record("it is exhaustive")
            return
        }
        expectEqual(limit, "4000000 bytes of memory")
        expect(left > 0)
    }

    @Test(
        "A loop that was cancelled violates neither `canAlways` nor `eventually`"
    )
    func cancelled() throws {
        let reducer = Reducer<Int, Int, Int, Calls>(
            transform: { _, event, calls in
                AnyPublisher<Int, Never>.run { send in send(await calls.ask(event)) }.prepend(1).job("ask", .latest)
                    .eraseToAnyPublisher()
            }, apply: { (state: inout Int, effect: Int) in state = effect })
        let exploration = Exploration(reducer, given: 0) { Calls(ask: $0.async(ask)) }
            .events([5]).answers(ask, with: [2]).cancelsAnywhere()
        #expect(throws: Never.self) { try exploration.canAlways("be answered", to: { $0 == 2 }).run() }
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration.eventually("it is answered", after: { $0 == 1 }, until: { $0 == 2 }).run()
        }
        // The counterexample is not the end of the loop, `e0 x`, but the end of the effect.
        expectEqual(failure?.name, "e0 c0")
    }
}
