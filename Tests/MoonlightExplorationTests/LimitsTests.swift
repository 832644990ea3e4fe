import Moonlight
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightExploration

private let adding = Reducer<Int, Int, Int, Void>(
    transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in state = (state + event) % 5 })

private var exploration: Exploration<Int, Int, Int, Void> { Exploration(adding, given: 0) { _ in }.events([1]) }

@Suite("Exploration: limits and the words of a verdict")
struct LimitsTests {
    @Test("the limits, if none is given")
    func defaults() {
        let limits = ExplorationLimits()
        #expect(limits.moments == 10_000_000)
        #expect(limits.depth == .max && limits.memory == .max)
        #expect(limits.choice == .seconds(10))
        #expect(limits.mostWhole == 100_000)
        #expect(limits.chain == 100_000)
    }

    @Test("a limit that is given replaces that one, and leaves the others")
    func limited() {
        let limits = exploration.limited(moments: 1).limited(depth: 2).limited(memory: 3).limited(choice: .seconds(4)).limits
        #expect(limits.moments == 1 && limits.depth == 2 && limits.memory == 3 && limits.choice == .seconds(4))
        #expect(exploration.withoutFingerprints().limits.mostWhole == .max)
        #expect(exploration.threads == 1)
        #expect(exploration.onAllCores().threads == Crew.cores)
    }

    @Test("sixty-four properties can be asked of, and not one more")
    func properties() throws {
        func asking(_ count: Int) -> Exploration<Int, Int, Int, Void> {
            (0..<count).reduce(exploration) { exploration, number in exploration.always("\(number)") { $0 < 5 } }
        }
        #expect(try asking(64).run().states == 5)
        let failure = #expect(throws: ExplorationFailure.self) { try asking(65).run() }
        #expect(failure?.message == "there are 65 properties: 64 are the most")
    }

    @Test("the moments of each depth are counted, and the depth is the last of them")
    func levels() throws {
        let report = try exploration.run()
        #expect(report.levels == [1, 1, 1, 1, 1])
        #expect(report.depth == 4)
        #expect(report.description == "exhaustive: 5 states, 5 moments, 5 transitions, depth 4")
    }

    @Test("equal states are two moments if other numbers of events may still come")
    func counts() throws {
        let report = try Exploration(adding, given: 0) { _ in }.events([1, 4], atMost: 2).run()
        // 0; 1 and 4; and after two events 2, 0 and 3.
        #expect(report.moments == 6)
        #expect(report.states == 5)
        #expect(report.levels == [1, 2, 3])
    }

    @Test("each list of events has a limit of its own, and what is not limited goes on")
    func ownLimits() throws {
        let summing = Reducer<[Int], Int, Int, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout [Int], event: Int) in state[event] = min(3, state[event] + 1) })
        let report = try Exploration(summing, given: [0, 0, 0]) { _ in }
            .events([0], atMost: 1).events([1]).events([2], atMost: 2).run()
        #expect(report.states == 2 * 4 * 3)
        #expect(report.extent == .exhaustive)
    }

    @Test(
        "a probability has two digits",
        arguments: [(1.74e-6, "1.7e-6"), (9.96e-14, "1.0e-13"), (0.25, "2.5e-1"), (9.5e-3, "9.5e-3")])
    func probability(_ chance: Double, _ text: String) {
        let report = ExplorationReport(
            extent: .exhaustive, states: 1, moments: 2, transitions: 3, levels: [1, 1], isByValues: true, isReduced: false,
            chanceOfMiss: chance, coverage: nil)
        #expect(
            report.description
                == "exhaustive: 1 states, 2 moments, 3 transitions, depth 1, with a chance of \(text) that a moment was missed")
    }

    @Test("what is said of a part that was tried in one order, and of a limit")
    func words() {
        let report = ExplorationReport(
            extent: .bounded(by: "a depth of 1", left: 4), states: 1, moments: 2, transitions: 3, levels: [1, 1],
            isByValues: false, isReduced: true, chanceOfMiss: 0, coverage: nil)
        #expect(
            report.description == """
                bounded by a depth of 1: 1 states, 2 moments, 3 transitions, depth 1, independent choices in one order; the choices \
                of 4 moments were not tried
                """)
    }

    @Test("a failure without a story is its place and message; with one, the story and how to play it again")
    func failure() {
        let place = SourcePlace(fileID: "A/b.swift", file: "/A/b.swift", line: 7, column: 1)
        var failure = ExplorationFailure("It fails.", at: place)
        #expect(failure.description == "\(place): It fails.")
        (failure.name, failure.story) = ("e0", "Given\n    1")
        let story = "\(place): It fails.\nThe shortest story:\n    Given\n        1\nTo play it again: .replay(\"e0\")"
        #expect(failure.description == story)
        failure.plan = "try Plan()\n    .run()"
        #expect(failure.description == "\(story)\nAs a test:\n    try Plan()\n        .run()")
    }
}

@Suite("Exploration: choices and their names")
struct ChoiceTests {
    private static let all: [Choice] = [
        .event(0), .event((1 << 29) - 1), .answer(call: 0, outcome: 0), .answer(call: (1 << 14) - 1, outcome: (1 << 15) - 1),
        .answer(call: 3, outcome: 20_000), .time, .cancel(0), .cancel((1 << 29) - 1), .end,
    ]

    @Test("a choice is packed and unpacked, and read from its name", arguments: all)
    func roundTrip(_ choice: Choice) throws {
        let packed = try #require(choice.packed)
        #expect(Choice(packed: packed) == choice)
        #expect(Choice(Substring(choice.description)) == choice)
    }

    @Test("what does not fit is not packed")
    func tooLarge() {
        #expect(Choice.event(1 << 29).packed == nil)
        #expect(Choice.cancel(1 << 29).packed == nil)
        #expect(Choice.answer(call: 1 << 14, outcome: 0).packed == nil)
        #expect(Choice.answer(call: 0, outcome: 1 << 15).packed == nil)
    }

    @Test(
        "what is no name is no choice",
        arguments: ["", "e", "e-1", "c-1", "a1", "a-1.0", "a0.-1", "a1.2.3", "e1.0", "tt", "y", "ex"])
    func noName(_ name: String) { #expect(Choice(Substring(name)) == nil) }

    @Test("events, cancellations and the end come from outside; answers and time do not")
    func outside() {
        let inside: [Choice] = [.time, .answer(call: 0, outcome: 0)]
        #expect(inside.map(\.isFromOutside) == [false, false])
        #expect([Choice.event(0), .cancel(0), .end].map(\.isFromOutside) == [true, true, true])
    }
}
