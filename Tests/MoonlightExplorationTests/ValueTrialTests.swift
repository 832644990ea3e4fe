import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct TooFar: Error {}

/// Places on a board of 40 by 40, from which steps lead further; a step to a place that is asked for may be refused, or lead on.
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

@Suite("Exploration by values: the quick and the careful way agree")
struct ValueTrialTests {
    // A coverage asks for more than the quick way knows.
    private func same(_ exploration: Exploration<Int, Int, Int, Void>) throws -> ExplorationReport {
        let (quick, careful) = (try exploration.run(), try exploration.covered().run())
        expectEqual(quick.description, careful.description)
        expectEqual(quick.levels, careful.levels)
        return quick
    }

    @Test("The quick way finds the same states, nodes and transitions as the careful one")
    func numbers() throws {
        let report = try same(walking())
        expectEqual(report.states, 1_600)
        expectEqual(report.transitions, 3_200)
    }

    @Test("The quick way on all cores finds the same states as the careful one")
    func allCores() throws { try expectEqual(same(walking().onAllCores()).states, 1_600) }

    @Test("The quick way finds the same states as the careful one where some events are refused, as expected")
    func refused() throws {
        let report = try same(walking { $0 % 7 == 3 }.allowingRefusals())
        expect(report.states < 1_600)
    }

    @Test("The quick way finds the same shortest sequence of events to a violation as the careful one")
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

    @Test("A property that must hold at rest is not checked in a state on the way")
    func onTheWay() throws {
        // 20 is passed by the double step alone.
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
