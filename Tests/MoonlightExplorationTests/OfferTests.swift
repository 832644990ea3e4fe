import Moonlight
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

@Suite("Exploration: which events are offered, and how states are named")
struct OfferTests {
    @Test("of a list that has come as often as it may nothing is offered, but of the lists behind it")
    func exhausted() {
        let two = exploration.events([.knock], atMost: 1).events([.shut]).events([.knock], atMost: 2)
        let all = two.offers(in: Door(), sent: [0, 0])
        #expect(all.events == [.knock, .shut, .knock])
        #expect(all.counters == [0, nil, 1])
        #expect(!all.isExhausted)
        let fewer = two.offers(in: Door(), sent: [1, 1])
        #expect(fewer.events == [.shut, .knock])
        #expect(fewer.counters == [nil, 1])
        #expect(fewer.isExhausted)
        #expect(fewer.sent(after: 0, [1, 1]) == [1, 1])
        #expect(fewer.sent(after: 1, [1, 1]) == [1, 2])
        #expect(fewer.sent(after: 2, [1, 1]) == [1, 1])
    }

    @Test("a list that has come as often as it may, and would offer nothing, is not exhausted")
    func nothingOffered() {
        #expect(!exploration.events(atMost: 0) { _ in [] }.offers(in: Door(), sent: [0]).isExhausted)
        #expect(exploration.events([.knock], atMost: 0).offers(in: Door(), sent: [0]).isExhausted)
    }

    @Test("the kind of a state is its case, the cases of its fields with their names, or any")
    func kinds() {
        #expect(exploration.kind(of: Door()) == "phase: open")
        let phases = Exploration(Reducer<Phase, Event, Event, Void>(), given: .open) { _ in }
        #expect(phases.kind(of: .shut) == "shut")
        let numbers = Exploration(Reducer<Int, Event, Event, Void>(), given: 0) { _ in }
        #expect(numbers.kind(of: 7) == "any")
        #expect(exploration.covered { "\($0.knocks)" }.kind(of: Door()) == "0")
        #expect(exploration.drawn { "\($0.knocks)" }.label(of: Door()) == "0")
        #expect(numbers.label(of: 7) == "7")
    }

    @Test("the coverage counts the first state, and names the rules of which no call came")
    func coverage() throws {
        let none = try exploration.covered().run()
        #expect(none.coverage?.states == ["phase: open"])
        let ask = Stub<Int, Int, Never>("ask")
        let asking = try exploration.answers(ask, with: [1]).covered().run()
        #expect(asking.coverage?.callsNeverMade == ["ask"])
    }

    @Test("an outcome that is offered and never given is in the coverage")
    func outcomes() throws {
        let ask = Stub<Int, Int, Never>("ask")
        let asking = Reducer<Int, Int, Int, @Sendable (Int) -> AnyPublisher<Int, Never>>(
            transform: { _, event, ask in ask(event) }, apply: { (state: inout Int, effect: Int) in state = effect })
        let report = try Exploration(asking, given: 0) { $0.publisher(ask) }.events([1], atMost: 1)
            .answers(ask, with: [5, 6]).covered().limited(depth: 2).run()
        #expect(report.coverage?.calls == ["ask": ["answers 5": 1, "answers 6": 1]])
        let untried = try Exploration(asking, given: 0) { $0.publisher(ask) }.events([1]).answers(ask) { _ in [] }
            .covered().limited(depth: 2).run()
        #expect(untried.coverage?.calls == ["ask": [:]])
    }

    @Test("the plan of what must never be asks that it is not so, and of what is owed at rest asks there")
    func plans() {
        let never = #expect(throws: ExplorationFailure.self) {
            try exploration.events([.shut]).never("shut") { $0.phase == .shut }.run()
        }
        #expect(
            never?.plan.contains("\n    .holds(\"shut\", in: .lastStep, is: false) { $0.phase == .shut }\n") == true)
    }
}
