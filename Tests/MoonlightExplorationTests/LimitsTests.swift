import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightExploration

private let adding = Reducer<Int, Int, Int, Void>(
    transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in state = (state + event) % 5 })

private var exploration: Exploration<Int, Int, Int, Void> { Exploration(adding, given: 0) { _ in }.events([1]) }

@Suite("Exploration: limits and the text of a verdict")
struct LimitsTests {
    @Test("An exploration without given limits has the default ones")
    func defaults() {
        let limits = ExplorationLimits()
        expectEqual(limits.nodes, 10_000_000)
        expect(limits.depth == .max && limits.memory == .max)
        expectEqual(limits.choice, .seconds(10))
        expectEqual(limits.mostWhole, 100_000)
        expectEqual(limits.chain, 100_000)
    }

    @Test("A limit replaces its default, and not the others")
    func limited() {
        let limits = exploration.limited(nodes: 1).limited(depth: 2).limited(memory: 3).limited(choice: .seconds(4)).limits
        expect(limits.nodes == 1 && limits.depth == 2 && limits.memory == 3 && limits.choice == .seconds(4))
        expectEqual(exploration.withoutFingerprints().limits.mostWhole, .max)
        expectEqual(exploration.threads, 1)
        expectEqual(exploration.onAllCores().threads, WatchedThreads.cores)
    }

    @Test("A limit of no nodes is one of a single node, and not exhaustive", arguments: [0, -1, 1])
    func noNodes(count: Int) throws {
        let report = try exploration.limited(nodes: count).run()
        expectEqual(report.extent, .bounded(by: "1 nodes", left: 1))
        expectEqual(report.levels, [1])
    }

    @Test("Sixty-four properties are accepted, and one more is an error")
    func properties() throws {
        func asking(_ count: Int) -> Exploration<Int, Int, Int, Void> {
            (0..<count).reduce(exploration) { exploration, number in exploration.always("\(number)") { $0 < 5 } }
        }
        try expectEqual(asking(64).run().states, 5)
        let failure = #expect(throws: ExplorationFailure.self) { try asking(65).run() }
        expectEqual(failure?.message, "there are 65 properties, but at most 64 are allowed")
    }

    @Test("A report counts the nodes of each depth, and its depth is the last of them")
    func levels() throws {
        let report = try exploration.run()
        expectEqual(report.levels, [1, 1, 1, 1, 1])
        expectEqual(report.depth, 4)
        expectEqual(report.description, "exhaustive: 5 states, 5 nodes, 5 transitions, depth 4")
    }

    @Test("Equal states are different nodes if different numbers of events are still possible")
    func counts() throws {
        let report = try Exploration(adding, given: 0) { _ in }.events([1, 4], atMost: 2).run()
        // 0; 1 and 4; and after two events 2, 0 and 3.
        expectEqual(report.nodes, 6)
        expectEqual(report.states, 5)
        expectEqual(report.levels, [1, 2, 3])
    }

    @Test("Each list of events has its own limit, and lists without one continue")
    func ownLimits() throws {
        let summing = Reducer<[Int], Int, Int, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout [Int], event: Int) in state[event] = min(3, state[event] + 1) })
        let report = try Exploration(summing, given: [0, 0, 0]) { _ in }
            .events([0], atMost: 1).events([1]).events([2], atMost: 2).run()
        expectEqual(report.states, 2 * 4 * 3)
        expectEqual(report.extent, .exhaustive)
    }

    @Test(
        "A probability is written with two digits",
        arguments: [(1.74e-6, "1.7e-6"), (9.96e-14, "1.0e-13"), (0.25, "2.5e-1"), (9.5e-3, "9.5e-3")])
    func probability(_ chance: Double, _ text: String) {
        let report = ExplorationReport(
            extent: .exhaustive, states: 1, nodes: 2, transitions: 3, levels: [1, 1], isByValues: true, isReduced: false,
            chanceOfMiss: chance, coverage: nil)
        expectEqual(
            report.description,
            "exhaustive: 1 states, 2 nodes, 3 transitions, depth 1, with a chance of \(text) that a node was missed")
    }

    @Test("A description says that independent choices were tried in one order, and which limit was reached")
    func words() {
        let report = ExplorationReport(
            extent: .bounded(by: "a depth of 1", left: 4), states: 1, nodes: 2, transitions: 3, levels: [1, 1],
            isByValues: false, isReduced: true, chanceOfMiss: 0, coverage: nil)
        expectEqual(
            report.description,
            """
            bounded by a depth of 1: 1 states, 2 nodes, 3 transitions, depth 1, independent choices in one order; the choices \
            of 4 nodes were not tried
            """)
    }

    @Test(
        "The description of a failure has its place and message and, if there are any, the steps, their short name, and a plan")
    func failure() {
        let place = SourcePlace(fileID: "A/b.swift", file: "/A/b.swift", line: 7, column: 1)
        var failure = ExplorationFailure("It fails.", at: place)
        expectEqual(failure.description, "\(place): It fails.")
        (failure.name, failure.trace) = ("e0", "Given\n    1")
        let trace = "\(place): It fails.\nThe shortest trace:\n    Given\n        1\nTo play it again: .replay(\"e0\")"
        expectEqual(failure.description, trace)
        failure.plan = "try Plan()\n    .run()"
        expectEqual(failure.description, "\(trace)\nAs a test:\n    try Plan()\n        .run()")
    }
}

@Suite("Exploration: choices and their names")
struct ChoiceTests {
    private static let all: [Choice] = [
        .event(0), .event((1 << 28) - 1), .answer(call: 0, outcome: 0), .answer(call: (1 << 13) - 1, outcome: (1 << 15) - 1),
        .answer(call: 3, outcome: 20_000), .time, .cancel(0), .cancel((1 << 28) - 1), .end, .followUps, .held(.event(7)),
        .held(.answer(call: 3, outcome: 20_000)), .held(.time), .held(.followUps), .held(.end),
    ]

    @Test("A choice can be packed and unpacked, and written and read", arguments: all)
    func roundTrip(_ choice: Choice) throws {
        let packed = try #require(choice.packed)
        expectEqual(Choice(packed: packed), choice)
        expectEqual(Choice(Substring(choice.description)), choice)
    }

    @Test("A choice whose numbers are too large is not packed")
    func tooLarge() {
        expect(Choice.event(1 << 28).packed == nil)
        expect(Choice.cancel(1 << 28).packed == nil)
        expect(Choice.answer(call: 1 << 13, outcome: 0).packed == nil)
        expect(Choice.held(.event(1 << 28)).packed == nil)
        expect(Choice.answer(call: 0, outcome: 1 << 15).packed == nil)
    }

    @Test(
        "An invalid name of a choice is rejected",
        arguments: ["", "e", "e-1", "c-1", "a1", "a-1.0", "a0.-1", "a1.2.3", "e1.0", "tt", "y", "ex", "h", "hhe1", "f1"])
    func noName(_ name: String) { expect(Choice(Substring(name)) == nil) }

    @Test("Events, cancellations and the end of the loop come from outside; answers and time do not")
    func outside() {
        let inside: [Choice] = [.time, .answer(call: 0, outcome: 0), .followUps, .held(.time)]
        expect(!inside.contains(where: \.isFromOutside))
        expectEqual([Choice.event(0), .cancel(0), .end, .held(.event(0))].allSatisfy(\.isFromOutside), true)
    }
}
