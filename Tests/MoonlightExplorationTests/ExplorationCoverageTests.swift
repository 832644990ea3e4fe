import MoonlightTestSupport
import Testing

@testable import MoonlightExploration

private func coverage() -> ExplorationCoverage {
    var coverage = ExplorationCoverage(calls: ["find", "save"])
    coverage.note(event: "typed", in: "idle", outcome: .taken)
    coverage.note(event: "typed", in: "idle", outcome: .taken)
    coverage.note(event: "typed", in: "loading", outcome: .taken)
    coverage.note(event: "clear", in: "idle", outcome: .refused)
    coverage.note(event: "clear", in: "idle", outcome: .unchanged)
    coverage.note(effect: "found")
    coverage.note(call: "find", offering: ["answers", "fails: Offline()"])
    coverage.note(call: "find", outcome: "answers")
    return coverage
}

@Suite("Exploration: coverage")
struct ExplorationCoverageTests {
    @Test("Events are counted for each kind of state by their result: taken, refused or unchanged")
    func events() {
        let coverage = coverage()
        expectEqual(coverage.events["typed"], ["idle": .init(taken: 2), "loading": .init(taken: 1)])
        expectEqual(coverage.count(of: "clear", in: "idle"), .init(refused: 1, unchanged: 1))
        expectEqual(coverage.count(of: "clear", in: "loading").total, 0)
        expectEqual(coverage.untriedEvents(in: "loading"), ["clear"])
        expectEqual(coverage.states, ["idle", "loading"])
    }

    @Test("Calls and outcomes that never occurred are listed")
    func never() {
        let coverage = coverage()
        expectEqual(coverage.callsNeverMade, ["save"])
        expectEqual(coverage.outcomesNeverGiven, ["find fails: Offline()"])
    }

    @Test("The description escapes the characters that would steer a terminal")
    func escaped() {
        var coverage = ExplorationCoverage(calls: ["\u{1B}[2J"])
        coverage.note(event: "\u{1B}[2J", in: "\r", outcome: .taken)
        for line in coverage.description.split(separator: "\n") { expectEscaped(String(line)) }
    }

    @Test("An outcome that is offered again keeps its count")
    func offeredAgain() {
        var coverage = coverage()
        coverage.note(call: "find", offering: ["answers", "finishes"])
        expectEqual(coverage.calls, ["find": ["answers": 1, "fails: Offline()": 0, "finishes": 0]])
    }

    @Test("The description is a table of states and events, followed by the calls and outcomes that never occurred")
    func table() {
        var coverage = coverage()
        coverage.note(state: "done")
        expectEqual(
            coverage.description,
            """
                     clear                       typed
            done     never                       never
            idle     2 (1 refused, 1 unchanged)  2
            loading  never                       1
            calls never made: save
            outcomes never given: find fails: Offline()
            """)
    }

    @Test("Coverages can be merged in any order")
    func merging() {
        var second = ExplorationCoverage(calls: ["find", "save"])
        second.note(event: "pause", in: "idle", outcome: .taken)
        second.note(event: "typed", in: "idle", outcome: .unchanged)
        second.note(effect: "failed")
        second.note(call: "find", outcome: "fails: Offline()")
        second.note(state: "done")
        var (one, other) = (coverage(), second)
        one.merge(second)
        other.merge(coverage())
        expectEqual(one, other)
        expectEqual(one.count(of: "typed", in: "idle"), .init(taken: 2, unchanged: 1))
        expectEqual(one.outcomesNeverGiven, [])
        expectEqual(one.states, ["done", "idle", "loading"])
    }
}
