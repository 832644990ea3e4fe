import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Calls: Sendable {
    var ask: @Sendable (Int) -> AnyPublisher<Int, Never>
    var wait: @Sendable (Int) async -> Int
    var time: VirtualTimeScheduler
}

private let ask = Stub<Int, Int, Never>("ask")
private let wait = Stub<Int, Int, Never>("wait")

/// The handling of an event, drawn by a seed.
private enum Handling: CaseIterable {
    case ready, call, body, bodyTwice, late, callThenLate, latestCall, queuedCall, cancel
}

private func reducer(_ handlings: [Handling]) -> Reducer<[Int], Int, Int, Calls> {
    Reducer(
        transform: { state, event, calls in
            switch handlings[event] {
            case .ready: .just(event)
            case .call: calls.ask(event)
            case .body: .run { send in send(await calls.wait(event) + state.count) }
            case .bodyTwice: .run { send in send(await calls.wait(await calls.wait(event)) + event) }
            case .late: Just(event).delay(for: .seconds(event + 1), scheduler: calls.time).eraseToAnyPublisher()
            case .callThenLate: calls.ask(event).delay(for: 1, scheduler: calls.time).eraseToAnyPublisher()
            case .latestCall: calls.ask(event).job("job", .latest).eraseToAnyPublisher()
            case .queuedCall: calls.ask(event).job("job", .queue).eraseToAnyPublisher()
            case .cancel: .cancelJob("job")
            }
        },
        // The order is lost, so that traces meet in the same nodes.
        apply: { (state: inout [Int], effect: Int) in state = (state + [effect]).sorted() })
}

@Suite("Exploration: comparison with a brute force that merges nothing")
struct BruteForceTests {
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    /// Plays all orders of choices, and notes the traces that lead to each state; `replay` fails for a choice that does not
    /// exist.
    private func all(
        _ exploration: Exploration<[Int], Int, Int, Calls>, depth: Int
    ) -> (states: Set<[Int]>, shortest: [[Int]: Int]) {
        let (names, found) = (["e0", "e1", "e2", "t"] + (0..<3).flatMap { ["a\($0).0", "a\($0).1"] }, Recorder())
        let noting = exploration.always("noted") {
            found.last = $0
            return true
        }
        func play(_ trace: [String]) {
            guard (try? noting.replay(trace.joined(separator: " "))) != nil else { return }
            found.note(trace.count)
            if trace.count < depth { for name in names { play(trace + [name]) } }
        }
        play([])
        return (Set(found.shortest.keys), found.shortest)
    }

    private final class Recorder: @unchecked Sendable {
        // Sound: used by one thread.
        var last: [Int] = []
        var shortest: [[Int]: Int] = [:]
        func note(_ depth: Int) { shortest[last] = min(shortest[last] ?? .max, depth) }
    }

    @Test("An exploration finds the same states as the brute force, at the same depths", arguments: Budget.seeds(16, least: 2))
    func agrees(seed: Int) throws {
        let depth = Budget.size(4, quick: 3)
        var dice = Seeded(state: UInt64(seed))
        let handlings = (0..<3).map { _ in Handling.allCases.randomElement(using: &dice)! }
        let exploration = Exploration(reducer(handlings), given: []) {
            Calls(ask: $0.publisher(ask), wait: $0.async(wait), time: $0.scheduler)
        }
        .events([0, 1, 2], atMost: 2)
        .answers(ask, with: [10, 11])
        .answers(wait, with: [20, 21])
        .allowingRefusals { $0 is JobError }
        let brute = all(exploration, depth: depth)
        for state in brute.states where !state.isEmpty {
            let failure = #expect(throws: ExplorationFailure.self, "\(handlings) \(state)") {
                try exploration.never("here") { $0 == state }.limited(depth: depth).run()
            }
            expectEqual(failure?.name.split(separator: " ").count, brute.shortest[state], "\(handlings) \(state)")
        }
        try exploration.always("known") { brute.states.contains($0) }.limited(depth: depth).run()
    }
}
