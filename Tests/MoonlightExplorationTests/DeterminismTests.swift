import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Calls: Sendable { var ask: @Sendable (Int) async -> Int }
private let ask = Stub<Int, Int, Never>("ask")

/// The sources of nondeterminism.
private enum Source: CaseIterable {
    case random, clock, smallSet, set, largeSet, hugeSet

    func numbers(of event: Int) -> [Int] {
        func order(of count: Int) -> [Int] { Array(Set((0..<count).map { $0 * event })) }
        return switch self {
        case .random: [.random(in: 0..<1_000_000)]
        case .clock: [Int(truncatingIfNeeded: (ContinuousClock.now - Self.start).components.attoseconds)]
        case .smallSet: order(of: 4)
        case .set: order(of: 12)
        case .largeSet: order(of: 200)
        case .hugeSet: order(of: 5_000)
        }
    }

    private static let start = ContinuousClock.now
}

@Suite("Exploration: programs that are not deterministic")
struct DeterminismTests {
    @Test(
        "An exploration by values detects a random number, the clock, and the order of a Set of any size",
        arguments: Source.allCases)
    fileprivate func byValues(source: Source) {
        let reducer = Reducer<[Int], Int, [Int], Void>(
            transform: { _, event, _ in .just(source.numbers(of: event)) },
            apply: { (state: inout [Int], effect: [Int]) in state = effect })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(reducer, given: []) { _ in }.events(Array(1...10), atMost: 2).run()
        }
        expectEqual(failure?.message.contains("is not deterministic: played twice"), true)
    }

    @Test(
        "An exploration that plays a loop detects a random number, the clock, and the order of a Set of any size",
        arguments: Source.allCases)
    fileprivate func played(source: Source) {
        let reducer = Reducer<[Int], Int, [Int], Calls>(
            transform: { _, event, calls in
                .run { send in
                    _ = await calls.ask(event)
                    send(source.numbers(of: event))
                }
            }, apply: { (state: inout [Int], effect: [Int]) in state = effect })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(reducer, given: []) { Calls(ask: $0.async(ask)) }.events(Array(1...10), atMost: 2)
                .answers(ask, with: [1]).run()
        }
        expectEqual(failure?.message.contains("is not deterministic: played twice"), true)
    }

    @Test("A state that is not equal to itself is an error that says so, by values and in a loop", arguments: [true, false])
    func notANumber(isByValues: Bool) {
        let reducer = Reducer<Double, Int, Double, Calls>(
            transform: { _, event, calls in
                if isByValues { return .just(event == 3 ? .nan : 1) }
                return .run { send in send(await calls.ask(event) == 3 ? .nan : 1) }
            },
            apply: { (state: inout Double, effect: Double) in state = effect })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(reducer, given: 0) { Calls(ask: $0.async(ask)) }.events([1, 3])
                .answers(ask) { [.answer($0)] }.limited(nodes: 1000).run()
        }
        expectEqual(failure?.message.contains("is not equal to itself"), true, "\(String(describing: failure))")
    }
}
