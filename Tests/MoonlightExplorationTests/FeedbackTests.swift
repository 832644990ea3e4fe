import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Synchronization
import Testing

private struct Offline: Error, Hashable {}
private let fetch = Stub<Int, Int, Offline>("fetch")

/// A page that is fetched while it is wanted; the number of failed answers counts from zero to two, and then again.
private struct Page: Hashable {
    var wanted: Int?
    var content: Int?
    var failures = 0
}

private enum Event: Hashable {
    case open(Int)
    case fetched(Int)
    case failed
}
private typealias Fetch = @Sendable (Int) -> AnyPublisher<Int, Offline>

private let page = Reducer<Page, Event, Event, Fetch>(
    transform: { _, event, _ in .just(event) },
    apply: { (page: inout Page, event: Event) in
        switch event {
        case .open(let number): page = Page(wanted: number)
        case .fetched(let content): (page.wanted, page.content) = (nil, content)
        case .failed: page.failures = (page.failures + 1) % 3
        }
    })

/// A query that changes with each failure, so that it is sent again.
private struct Query: Hashable {
    let number: Int
    let attempt: Int
}

private func exploring(
    _ feedback: @escaping @Sendable (AnyPublisher<Page, Never>, @escaping Fetch) -> [AnyPublisher<Event, Never>]
) -> Exploration<Page, Event, Event, Fetch> {
    Exploration(page, given: Page(), feedback: feedback) { $0.publisher(fetch) }
        .events([.open(1)], atMost: 1).answers(fetch, with: [7], failing: [Offline()])
}

private var reacting: Exploration<Page, Event, Event, Fetch> {
    exploring { states, ask in
        [
            states.react(to: { page in page.wanted.map { Query(number: $0, attempt: page.failures) } }) { query in
                ask(query.number).map { .fetched($0) }.catch { _ in Just(.failed) }
            }
        ]
    }
}

@Suite("Exploration: feedback")
struct FeedbackTests {
    @Test("A program is not quiet while a call of its feedback is open")
    func quiet() throws {
        let exploration = exploring { states, ask in
            [
                states.compactMap(\.wanted).first().flatMap { ask($0).map { Event.fetched($0) }.catch { _ in Just(.failed) } }
                    .eraseToAnyPublisher()
            ]
        }
        #expect(throws: Never.self) {
            try exploration.whenQuiet("nothing is asked") { $0.wanted == nil || $0.failures > 0 }.run()
        }
        #expect(throws: ExplorationFailure.self) { try exploration.whenQuiet("it has not failed") { $0.failures == 0 }.run() }
    }

    @Test("A goal that is pending, or reached, after the first events of feedback is judged by the states that they lead to")
    func beginning() throws {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, effect: Int) in state = effect })
        let exploration = Exploration(
            reducer, given: 0, feedback: { _, _ in [Just(1).eraseToAnyPublisher()] }, environment: { _ in })
        let back = exploration.eventually("it goes back", after: { $0 == 1 }, until: { $0 == 0 })
        #expect(throws: ExplorationFailure.self) { try back.run() }
        #expect(throws: ExplorationFailure.self) { try back.replay("") }
        let one = exploration.eventually("it is one", until: { $0 == 1 })
        try one.run()
        try one.replay("")
    }

    @Test("An event with the name feedback is an ordinary event, whose effect is live and can be cancelled")
    func names() throws {
        let reducer = Reducer<Int, String, Int, Fetch>(
            transform: { _, _, fetch in fetch(1).catch { _ in Just(0) }.eraseToAnyPublisher() },
            apply: { (state: inout Int, effect: Int) in state = effect })
        let exploration = Exploration(reducer, given: 0) { $0.publisher(fetch) }
            .events(["feedback"], atMost: 1).answers(fetch, with: [7])
        #expect(throws: ExplorationFailure.self) { try exploration.whenQuiet("seven") { $0 == 7 }.run() }
        try expectEqual(exploration.run().nodes, 3)
        try expect(exploration.cancelsAnywhere().replay("e0 c0").contains("The effect of feedback is cancelled"))
    }

    @Test("An exploration of endless feedback that may remember everything is not exhaustive")
    func endless() throws {
        let report = try reacting.limited(depth: Budget.size(30, quick: 12)).run()
        expect(report.extent != .exhaustive)
    }

    @Test("An exploration of feedback that remembers only the last state is exhaustive, since it returns to earlier nodes")
    func exhaustive() throws {
        let report = try reacting.feedbackRemembersLastState().run()
        expectEqual(report.extent, .exhaustive)
        // Closed; and after none, one and two failures: open, and with its content.
        expectEqual(report.states, 7)
        try expectEqual(reacting.feedbackRemembersLastState().fromOneSender().run().nodes, 7)
    }

    @Test("A reaction that retries forever is reported as a cycle, which can be replayed after a star")
    func cycle() throws {
        let exploration = reacting.feedbackRemembersLastState()
            .eventually("the page is there", after: { $0.wanted != nil }, until: { $0.content != nil })
        let failure = try #require(throws: ExplorationFailure.self) { try exploration.run() }
        expectEqual(failure.message, "\"the page is there\" never happens")
        expectEqual(failure.name, "e0 * a0.1 a0.1 a0.1")
        expect(failure.trace.contains("And then, again and again"))
        let again = try #require(throws: ExplorationFailure.self) { try exploration.replay(failure.name) }
        expectEqual(again.message, failure.message)
        expectEqual(again.name, failure.name)
        // A trace that does not return to its start is no cycle, and after an answer the goal is reached.
        try exploration.replay("e0 * a0.1 a0.1")
        try exploration.replay("e0 a0.0")
        try exploration.replay("e0 a0.1 a0.1 a0.1")
    }

    @Test("Streams of a reaction to each key are distinguished by their keys")
    func toEach() throws {
        let exploration = exploring { states, ask in
            [
                states.react(toEach: { page in page.wanted.map { [$0, $0 + 1] } ?? [] }) { key in
                    ask(key).map { .fetched($0 + key) }.catch { _ in Empty() }
                }
            ]
        }.feedbackRemembersLastState()
        let report = try exploration.run()
        expectEqual(report.extent, .exhaustive)
        // Closed; both requested; the content of one or the other, as the first answer ends both; one, the other or both
        // failed.
        expectEqual(report.states, 4)
        try expectEqual(exploration.fromOneSender().run().nodes, 7)
    }

    @Test("A reaction inside of another is the same one each time that the other begins, so that an exploration ends")
    func inside() throws {
        let exploration = exploring { states, ask in
            [
                states.react(toEach: { page in [[1], [1, 2], [2]][page.failures] }) { key in
                    states.react(to: \.failures) { failures in
                        ask(failures).map { .fetched($0 + key) }.catch { _ in Empty() }
                    }
                }
            ]
        }
        .events([.failed]).feedbackRemembersLastState()
        try expectEqual(exploration.limited(nodes: 1000).run().extent, .exhaustive)
        // Their queries are equal, but not their streams.
        for content in [8, 9] {
            #expect(throws: ExplorationFailure.self) {
                try exploration.limited(nodes: 100).never("it has the content") { $0.failures == 1 && $0.content == content }
                    .run()
            }
        }
    }

    @Test("Two reactions with equal queries are distinguished, also if feedback remembers only the last state")
    func equalQueries() {
        let exploration = exploring { states, ask in
            [1, 2].map { number in
                states.react(when: { $0.wanted != nil || $0.failures > 0 }) {
                    ask(number).map { _ in .failed }.catch { _ in Just(number == 1 ? .fetched(1) : .fetched(2)) }
                }
            }
        }
        .feedbackRemembersLastState()
        for number in [1, 2] {
            // After an answer, which counts as a failure, the other call fails.
            #expect(throws: ExplorationFailure.self) {
                try exploration.never("it is \(number)") { $0.failures == 1 && $0.content == number }.run()
            }
        }
    }

    @Test("An operator below a reaction that waits for time is an error if feedback remembers only the last state")
    func belowReaction() throws {
        struct World: Sendable {
            let fetch: Fetch
            let scheduler: AnyScheduler<TimePoint, Never>
        }
        let exploration = Exploration(
            Reducer<Page, Event, Event, World>(
                transform: { _, event, _ in .just(event) },
                apply: { (page: inout Page, event: Event) in
                    if case .open(let number) = event { page.wanted = number } else { page.failures = 1 }
                }),
            given: Page(),
            feedback: { states, world in
                let answers = states.react(to: \.wanted) { number in
                    world.fetch(number).map { Event.fetched($0) }.catch { _ in Just(.failed) }
                }
                return [answers.debounce(for: .seconds(1), scheduler: world.scheduler).eraseToAnyPublisher()]
            },
            environment: { World(fetch: $0.publisher(fetch), scheduler: $0.scheduler.eraseToAnyScheduler()) }
        )
        .events([.open(1)], atMost: 1).answers(fetch, with: [7], failing: [Offline()])
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.feedbackRemembersLastState().run() }
        expectEqual(failure?.message.contains("feedback waits for a timer outside a reaction"), true)
        try exploration.run()
    }

    @Test("A reaction can be cancelled from outside, like an effect")
    func cancelled() throws {
        let exploration = reacting.feedbackRemembersLastState().cancelsAnywhere()
        try expect(exploration.replay("e0 c1").contains("is cancelled"))
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration.whenQuiet("nothing is wanted") { $0.wanted == nil }.run()
        }
        expectEqual(failure?.name, "e0 c1")
    }

    @Test(
        "Feedback that is declared to depend on the last state is an error if it waits for anything outside a reaction"
    )
    func remembers() {
        let calling = exploring { states, ask in
            [states.compactMap(\.wanted).flatMap { ask($0).map { .fetched($0) }.catch { _ in Empty() } }.eraseToAnyPublisher()]
        }
        let call = #expect(throws: ExplorationFailure.self) { try calling.feedbackRemembersLastState().run() }
        expectEqual(call?.message.hasPrefix("feedback waits for fetch(1) outside a reaction"), true)
        let scheduler = Mutex<VirtualTimeScheduler?>(nil)
        let late = Exploration(
            page, given: Page(),
            feedback: { states, _ in
                [
                    states.compactMap(\.wanted).delay(for: 1, scheduler: scheduler.withLock { $0! }).map { .fetched($0) }
                        .eraseToAnyPublisher()
                ]
            }
        ) { stubs in
            scheduler.withLock { $0 = stubs.scheduler }
            return stubs.publisher(fetch)
        }.events([.open(1)], atMost: 1)
        let timer = #expect(throws: ExplorationFailure.self) { try late.feedbackRemembersLastState().run() }
        expectEqual(timer?.message.hasPrefix("feedback waits for a timer outside a reaction"), true)
    }
}
