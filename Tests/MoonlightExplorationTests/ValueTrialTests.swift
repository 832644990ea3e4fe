import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct TooFar: Error {}

/// Squares on a board of 40 by 40, from which steps lead further; a step to a given square may be rejected, or lead on.
private func walking(_ isRefused: @escaping @Sendable (Int) -> Bool = { _ in false }) -> Exploration<Int, Int, Int, Void> {
    Exploration(
        Reducer(
            transform: { state, step, _ in
                if isRefused(state + step) { throw TooFar() }
                return step == 40 ? [20, 20].publisher.eraseToAnyPublisher() : .just(step)
            }, apply: { (state: inout Int, step: Int) in state = (state + step) % 1_600 }), given: 0
    ) { _ in }
    .events([1, 40])
}

@Suite("Exploration by values: trials and full expansion agree")
struct ValueTrialTests {
    // The coverage is not supported by trials.
    private func same(_ exploration: Exploration<Int, Int, Int, Void>) throws -> ExplorationReport {
        let (quick, careful) = (try exploration.run(), try exploration.covered().run())
        expectEqual(quick.description, careful.description)
        expectEqual(quick.levels, careful.levels)
        return quick
    }

    @Test("Trials find the same states, nodes and transitions as the full expansion")
    func numbers() throws {
        let report = try same(walking())
        expectEqual(report.states, 1_600)
        expectEqual(report.transitions, 3_200)
    }

    @Test("Trials on all cores find the same states as the full expansion")
    func allCores() throws { try expectEqual(same(walking().onAllCores()).states, 1_600) }

    @Test("Trials find the same states as the full expansion if some events are rejected, as expected")
    func refused() throws {
        let report = try same(walking { $0 % 7 == 3 }.allowingRefusals())
        expect(report.states < 1_600)
    }

    @Test("Trials find the same counterexample as the full expansion")
    func violations() {
        for exploration in [
            walking().never("here") { $0 == 1_222 },
            walking().always("not on the way") { $0 != 1_541 },
            walking().whenQuiet("not at rest") { $0 != 777 },
            walking { $0 == 999 },
        ] {
            let quick = #expect(throws: ExplorationFailure.self) { try exploration.run() }
            let careful = #expect(throws: ExplorationFailure.self) { try exploration.covered().run() }
            expectEqual(quick?.message, careful?.message)
            expectEqual(quick?.name, careful?.name)
            expectEqual(quick?.name.isEmpty, false)
        }
    }

    @Test("A property of quiet states is not checked in an intermediate state")
    func onTheWay() throws {
        // The double step alone passes 20.
        let report = try Exploration(
            Reducer<Int, Int, Int, Void>(
                transform: { _, _, _ in [1, 1].publisher.eraseToAnyPublisher() },
                apply: { (state: inout Int, step: Int) in state = (state + step) % 1_000 }), given: 0
        ) { _ in }
        .events([0]).whenQuiet("even") { $0 % 2 == 0 }.run()
        expectEqual(report.states, 500)
    }

    @Test("Events from several lists are tried as one list")
    func lists() throws {
        let report = try same(walking().events([3]).events { $0 % 2 == 0 ? [5] : [] })
        expectEqual(report.transitions, 3 * 1_600 + 800)
    }
}
