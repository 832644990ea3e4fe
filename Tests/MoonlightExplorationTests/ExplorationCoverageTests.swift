import MoonlightTestSupport
import Testing

@testable import MoonlightExploration

private enum Event {
    case typed(String)
    case clear, pause
}
private enum Effect {
    case found([String])
    case failed
}

private func coverage() -> ExplorationCoverage {
    var coverage = ExplorationCoverage(of: Event.self, Effect.self, calls: ["find", "save"])
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
        expectEqual(coverage.untriedEvents(in: "loading"), ["clear", "pause"])
        expectEqual(coverage.states, ["idle", "loading"])
    }

    @Test("Events, effects, calls and outcomes that never occurred are listed, where the cases are known")
    func never() {
        let coverage = coverage()
        expectEqual(coverage.untriedEvents, ["pause"])
        expectEqual(coverage.effectsThatNeverHappened, ["failed"])
        expectEqual(coverage.callsNeverMade, ["save"])
        expectEqual(coverage.outcomesNeverGiven, ["find fails: Offline()"])
        let unknown = ExplorationCoverage(of: Int.self, String.self, calls: [])
        expect(unknown.untriedEvents == [] && unknown.effectsThatNeverHappened == [])
    }

    @Test("An outcome that is offered again keeps its count")
    func offeredAgain() {
        var coverage = coverage()
        coverage.note(call: "find", offering: ["answers", "finishes"])
        expectEqual(coverage.calls, ["find": ["answers": 1, "fails: Offline()": 0, "finishes": 0]])
    }

    @Test("The description is a table of states and events, followed by what never happened")
    func table() {
        var coverage = coverage()
        coverage.note(state: "done")
        expectEqual(
            coverage.description,
            """
                     typed  clear                       pause
            done     never  never                       never
            idle     2      2 (1 refused, 1 unchanged)  never
            loading  1      never                       never
            never tried: pause
            effects that never happened: failed
            calls never made: save
            outcomes never given: find fails: Offline()
            """)
    }

    @Test("Coverages that are merged add up, in whatever order")
    func merging() {
        var second = ExplorationCoverage(of: Event.self, Effect.self, calls: ["find", "save"])
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
        expect(one.untriedEvents == [] && one.effectsThatNeverHappened == [] && one.outcomesNeverGiven == [])
        expectEqual(one.states, ["done", "idle", "loading"])
    }
}
