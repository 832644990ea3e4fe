import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightExploration

private enum Phase: Hashable { case open, shut }
private struct Door: Hashable {
    var phase = Phase.open
    var knocks = 0
}
private enum Event: Hashable { case knock, shut }

private let door = Reducer<Door, Event, Event, Void>(
    transform: { _, event, _ in .just(event) },
    apply: { (door: inout Door, event: Event) in
        switch event {
        case .knock: door.knocks = min(2, door.knocks + 1)
        case .shut: door.phase = .shut
        }
    })

private var exploration: Exploration<Door, Event, Event, Void> { Exploration(door, given: Door()) { _ in } }

@Suite("Exploration: possible events and kinds of states")
struct OfferTests {
    @Test("A list of events that has reached its limit offers nothing more, and the other lists still offer theirs")
    func exhausted() {
        let two = exploration.events([.knock], atMost: 1).events([.shut]).events([.knock], atMost: 2)
        let all = two.offers(in: Door(), sent: [0, 0])
        expectEqual(all.events, [.knock, .shut, .knock])
        expectEqual(all.counters, [0, nil, 1])
        expect(!all.isExhausted)
        let fewer = two.offers(in: Door(), sent: [1, 1])
        expectEqual(fewer.events, [.shut, .knock])
        expectEqual(fewer.counters, [nil, 1])
        expect(fewer.isExhausted)
        expectEqual(fewer.sent(after: 0, [1, 1]), [1, 1])
        expectEqual(fewer.sent(after: 1, [1, 1]), [1, 2])
        expectEqual(fewer.sent(after: 2, [1, 1]), [1, 1])
    }

    @Test("A list of events at its limit counts as exhausted only if it would still offer an event")
    func nothingOffered() {
        expect(!exploration.events(atMost: 0) { _ in [] }.offers(in: Door(), sent: [0]).isExhausted)
        expect(exploration.events([.knock], atMost: 0).offers(in: Door(), sent: [0]).isExhausted)
    }

    @Test("The kind of a state is its case, or the cases of its fields with their names, or any")
    func kinds() {
        expectEqual(exploration.kind(of: Door()), "phase: open")
        let phases = Exploration(Reducer<Phase, Event, Event, Void>(), given: .open) { _ in }
        expectEqual(phases.kind(of: .shut), "shut")
        let numbers = Exploration(Reducer<Int, Event, Event, Void>(), given: 0) { _ in }
        expectEqual(numbers.kind(of: 7), "any")
        expectEqual(exploration.covered { "\($0.knocks)" }.kind(of: Door()), "0")
        expectEqual(exploration.drawn { "\($0.knocks)" }.label(of: Door()), "0")
        expectEqual(numbers.label(of: 7), "7")
    }

    @Test("A coverage contains the first state, and names the calls that were never made")
    func coverage() throws {
        let none = try exploration.covered().run()
        expectEqual(none.coverage?.states, ["phase: open"])
        let ask = Stub<Int, Int, Never>("ask")
        let asking = try exploration.answers(ask, with: [1]).covered().run()
        expectEqual(asking.coverage?.callsNeverMade, ["ask"])
    }

    @Test("A coverage contains outcomes that are offered and never given")
    func outcomes() throws {
        let ask = Stub<Int, Int, Never>("ask")
        let asking = Reducer<Int, Int, Int, @Sendable (Int) -> AnyPublisher<Int, Never>>(
            transform: { _, event, ask in ask(event) }, apply: { (state: inout Int, effect: Int) in state = effect })
        let report = try Exploration(asking, given: 0) { $0.publisher(ask) }.events([1], atMost: 1)
            .answers(ask, with: [5, 6]).covered().limited(depth: 2).run()
        expectEqual(report.coverage?.calls, ["ask": ["answers 5": 1, "answers 6": 1]])
        let untried = try Exploration(asking, given: 0) { $0.publisher(ask) }.events([1]).answers(ask) { _ in [] }
            .covered().limited(depth: 2).run()
        expectEqual(untried.coverage?.calls, ["ask": [:]])
    }

    @Test("The plan for a violated `never` checks in its last step that the condition is false")
    func plans() {
        let never = #expect(throws: ExplorationFailure.self) {
            try exploration.events([.shut]).never("shut") { $0.phase == .shut }.run()
        }
        expectEqual(
            never?.plan.contains("\n    .holds(\"shut\", in: .lastStep, is: false) { $0.phase == .shut }\n"), true)
    }
}
