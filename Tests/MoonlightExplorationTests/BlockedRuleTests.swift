import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private enum Event: Hashable {
    case add
    case pay
}

private struct Empty: Error {}

private let basket = Reducer<Int, Event, Event, Void>(
    transform: { _, event, _ in .just(event) },
    apply: { (count: inout Int, event: Event) in count = event == .add ? count + 1 : 0 })

private let rules: [Rule.Complete<Int, Event>] = [
    Rule("pay").when(.changing { (count: Int) in count }).given("the basket is full") { $0.to > 2 }.then { _ in .pay },
    Rule("wait").when(.changing { (count: Int) in count }).given { $0.to > 2 }.then { _ in .pay },
    Rule("count").when(.changing { (count: Int) in count }).given("it is known") { _ in throw Empty() }.then { _ in .pay },
]

@Suite("Rules that did not fire, in traces")
struct BlockedRuleTests {
    private let lines = [
        "rule pay blocked by: the basket is full", "rule wait blocked by given 1",
        "rule count failed in \"it is known\": Empty()",
    ]

    private func lines(of error: any Error) -> [String] {
        "\(error)".split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { $0.hasPrefix("rule ") }
    }

    @Test("A plan that fails says which given blocked or failed a rule")
    func plan() throws {
        let plan = Plan(basket, given: 0, environment: (), feedback: { states, _ in [Rule.events(of: rules, from: states)] })
            .when(.add)
        try expect("\(plan.run())".contains(lines[0]))
        let failure = #expect(throws: PlanFailure.self) { try plan.then(equals: 0).run() }
        try expectEqual(lines(of: #require(failure)), lines)
    }

    @Test("A failed property of an exploration says which given blocked or failed a rule")
    func exploration() throws {
        let failure = #expect(throws: (any Error).self) {
            try Exploration(basket, given: 0, feedback: { states, _ in [Rule.events(of: rules, from: states)] }) { _ in }
                .events([.add], atMost: 1).always("nothing is in the basket") { $0 == 0 }.run()
        }
        try expectEqual(lines(of: #require(failure)), lines)
    }
}
