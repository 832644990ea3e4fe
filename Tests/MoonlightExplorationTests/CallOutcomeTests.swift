import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightExploration

private struct Offline: Error, Equatable {}
private enum Problem: Error { case down(Int) }
private struct World: Sendable {
    var feed: @Sendable (Int) -> AnyPublisher<Int, Offline>
    var load: @Sendable (Int) -> AnyPublisher<Int, any Error>
    var save: @Sendable (Int) -> AnyPublisher<Void, Never>
}
private enum Event: Hashable { case feed, load, save }

private let feed = Stub<Int, Int, Offline>("feed")
private let load = Stub<Int, Int, any Error>("load")
private let save = Stub<Int, Void, Never>("save")

private let lines = Reducer<[String], Event, String, World>(
    transform: { _, event, world in
        switch event {
        case .feed:
            world.feed(1).map { "\($0)" }.append("end").catch { _ in Just("failed") }.eraseToAnyPublisher()
        case .load: world.load(1).map { "\($0)" }.catch { _ in Just("failed") }.eraseToAnyPublisher()
        case .save: world.save(1).map { "saved" }.eraseToAnyPublisher()
        }
    }, apply: { (state: inout [String], line: String) in state.append(line) })

private var exploration: Exploration<[String], Event, String, World> {
    Exploration(lines, given: []) {
        World(feed: $0.publisher(feed), load: $0.publisher(load), save: $0.publisher(save))
    }
    .events([.feed, .load, .save])
    .answers(feed) { _ in [.send(10), .finish, .failure(Offline()), .answer(20)] }
    .answers(load) { _ in [.failure(Offline())] }
    .answers(save, with: [()])
}

private var feeding: Exploration<[String], Event, String, World> {
    Exploration(lines, given: []) {
        World(feed: $0.publisher(feed), load: $0.publisher(load), save: $0.publisher(save))
    }.events([.feed], atMost: 2)
}

/// The steps of a plan that answer calls.
private func steps(
    _ goal: [String], _ exploration: Exploration<[String], Event, String, World> = exploration
) -> [String] {
    let failure = #expect(throws: ExplorationFailure.self) {
        try exploration.never("here") { $0 == goal }.limited(depth: 5).run()
    }
    return (failure?.plan.split(separator: "\n") ?? []).filter { $0.contains("ifItWaits") }
        .map { String($0.drop { $0 == " " }) }
}

@Suite("Exploration: outcomes of calls")
struct CallOutcomeTests {
    @Test("A stream that has sent a value still receives its end, and one that was answered receives nothing more")
    func ends() throws {
        let trace = try exploration.replay("e0 a0.0 a0.0")
        expect(trace.hasSuffix("feed(1) finishes\n    [1]: nothing → \"end\""))
        expect(trace.contains("feed(1) sends 10\n    [0]: nothing → \"10\""))
        #expect(throws: ExplorationFailure.self) { try exploration.replay("e0 a0.3 a0.0") }
        #expect(throws: ExplorationFailure.self) { try exploration.replay("e0 a0.1 a0.0") }
        try expect(exploration.replay("e0 a0.2").hasSuffix("feed(1) fails: Offline()\n    [0]: nothing → \"failed\""))
        // After the last value that is allowed: finish, failure, answer.
        try expect(exploration.replay("e0 a0.0 a0.1").contains("feed(1) fails: Offline()"))
        try expect(exploration.replay("e0 a0.0 a0.2").contains("feed(1) answers 20"))
        #expect(throws: ExplorationFailure.self) { try exploration.replay("e0 a0.0 a0.3") }
    }

    @Test("A stream sends as many values as its rule allows, and no more")
    func mostValues() throws {
        let two = exploration.answers(feed, atMost: 2) { _ in [.finish, .send(10)] }
        try expect(two.replay("e0 a0.1 a0.1 a0.0").hasSuffix("[2]: nothing → \"end\""))
        #expect(throws: ExplorationFailure.self) { try two.replay("e0 a0.1 a0.1 a0.1") }
    }

    @Test("Values that one call has sent do not count towards the limit of another")
    func eachItsOwn() throws {
        try expect(exploration.replay("e0 e0 a0.0 a1.0").hasSuffix("feed(1) sends 10\n    [1]: nothing → \"10\""))
    }

    @Test("The source of an outcome is the plan's step that gives it")
    func source() {
        expectEqual(steps(["10", "end"]), [".send(10, from: feed(1), ifItWaits: true)", ".finish(feed(1), ifItWaits: true)"])
        expectEqual(steps(["20", "end"]), [".resolve(feed(1), with: 20, ifItWaits: true)"])
        expectEqual(steps(["saved"]), [".resolve(save(1), ifItWaits: true)"])
        expectEqual(steps(["failed"]), [".fail(feed(1), with: Offline(), ifItWaits: true)"])
    }

    @Test("A plan names one of several equal calls by its number")
    func numbers() {
        let two = feeding.answers(feed) { _ in [.answer(20), .send(10), .finish] }.always("it holds") { _ in true }
        let both: [Choice] = [.event(0), .event(0), .answer(call: 1, outcome: 0), .answer(call: 0, outcome: 1)]
        let plan = two.planSource(of: both, violating: two.properties[0]) ?? ""
        expectEqual(
            plan.split(separator: "\n").filter { $0.contains("ifItWaits") },
            [
                "    .resolve(feed(1), with: 20, ifItWaits: true, number: 2)",
                "    .send(10, from: feed(1), ifItWaits: true, number: 1)",
            ])
        let one = two.planSource(of: [.event(0), .answer(call: 0, outcome: 2)], violating: two.properties[0]) ?? ""
        expect(one.contains("\n    .finish(feed(1), ifItWaits: true)\n"))
    }

    @Test("A step that fails a stub of any error names the type of the error")
    func anyError() {
        let failing = exploration.answers(load) { _ in [.failure(Problem.down(1))] }.answers(feed) { _ in [] }
        expectEqual(steps(["failed"], failing), [".fail(load(1), with: Problem.down(1), ifItWaits: true)"])
    }

    @Test("A step that fails a stub with a custom error type names only the case")
    func typedError() {
        let ask = Stub<Int, Int, Problem>("ask")
        let asking = Reducer<Int, Int, Int, @Sendable (Int) -> AnyPublisher<Int, Problem>>(
            transform: { _, event, ask in ask(event).catch { _ in Just(7) }.eraseToAnyPublisher() },
            apply: { (state: inout Int, effect: Int) in state = effect })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(asking, given: 0) { $0.publisher(ask) }.events([1]).answers(ask, failing: [.down(2)])
                .never("seven") { $0 == 7 }.limited(depth: 2).run()
        }
        expectEqual(failure?.plan.contains("\n    .fail(ask(1), with: .down(2), ifItWaits: true)\n"), true)
    }
}
