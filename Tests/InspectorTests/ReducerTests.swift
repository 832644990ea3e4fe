import MoonPresentation
import Moonlight
import MoonlightExploration
import MoonlightRecording
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightInspector

private let look = Stub<Look.Question, Look, RecordingError>("look")
private let find = Stub<StepSearch, StepSearch.Hit?, RecordingError>("search")
private let bisect = Stub<Bisection, Bisection.Answer?, RecordingError>("bisect")
private let read = Stub<Reading.Question, Reading, RecordingError>("read")
private let news = Stub<Void, News, Never>("news")

@Sendable private func environment(_ stubs: Stubs) -> InspectorEnvironment {
    InspectorEnvironment(
        look: stubs.async(look), search: stubs.async(find), bisect: stubs.async(bisect), read: stubs.async(read),
        news: stubs.publisher(news))
}

@Suite("Inspector: pending looks, searches and texts")
struct InspectorReducerTests {
    private let steps = shortDay().steps

    private func question(_ number: Int, mark: Int? = nil) -> Look.Question { .init(steps: steps, number: number, mark: mark) }

    private func plan(_ inspector: Inspector? = nil) -> Plan<Inspector, InspectorEvent, InspectorEffect, InspectorEnvironment> {
        Plan(
            Inspector.reducer, given: inspector ?? Inspector(steps),
            feedback: { states, environment in Inspector.feedback(states, environment) }, environment: environment)
    }

    @Test("The selection moves at once, and only the last of several looks goes on")
    func latest() throws {
        try plan()
            .expect(look(question(1)))
            .when(.move(.down))
            .then(\.selected, equals: 2)
            .cancelled(look(question(1)))
            .when(.move(.down))
            .then(\.selected, equals: 3)
            .cancelled(look(question(2)))
            .resolve(look(question(3)), with: try Look(question(3)))
            .then(\.look?.number, equals: 3)
            .run()
    }

    @Test("A look at a step that was left is ignored")
    func late() throws {
        var inspector = Inspector(steps)
        inspector.apply(.selected(2, isJump: false))
        inspector.apply(.looked(try Look(question(1))))
        expect(inspector.look == nil)
        inspector.apply(.marked(1))
        inspector.apply(.looked(try Look(question(2))))
        expect(inspector.look == nil)
        inspector.apply(.looked(try Look(question(2, mark: 1))))
        expect(inspector.look?.number == 2 && inspector.look?.mark == 1)
    }

    @Test("A step that cannot be read shows an error, and the look before it stays")
    func failure() throws {
        try plan()
            .resolve(look(question(1)), with: try Look(question(1)))
            .when(.move(.down))
            .fail(look(question(2)), with: .damaged(byte: 7, reason: "it ends too early"))
            .then(\.look?.number, equals: 1)
            .then(\.message, equals: .init("the recording is damaged at byte 7: it ends too early", isError: true))
            .run()
    }

    @Test("A pending search is shown, ends by Escape, and holds up nothing else")
    func search() throws {
        let text = StepSearch(steps: steps, target: .text("milk"), start: 1, isForward: true)
        try plan()
            .resolve(look(question(1)), with: try Look(question(1)))
            .when(.ask(.search)).when(.edit(.insert("milk"))).when(.submit)
            .then(\.work, equals: "a search for \"milk\"").then(\.question, equals: nil)
            .fork("Escape") { plan in
                plan.when(.cancel).cancelled(find(text)).then(\.work, equals: nil).then(\.selected, equals: 1)
            }
            .when(.move(.down))
            .resolve(look(question(2)), with: try Look(question(2)))
            .resolve(find(text), with: .init(number: 4, isAround: false))
            .then(\.selected, equals: 4).then(\.trail, equals: [2])
            .resolve(look(question(4)), with: try Look(question(4)))
            .then(\.work, equals: nil).then(\.look?.number, equals: 4)
            .run()
    }

    @Test("A search key that is pressed again before the answer means the next hit, and the other direction begins anew")
    func again() throws {
        func search(_ count: Int, isForward: Bool = true) -> StepSearch {
            StepSearch(steps: steps, target: .text("milk"), start: 1, isForward: isForward, count: count)
        }
        var inspector = Inspector(steps)
        inspector.pattern = "milk"
        try plan(inspector)
            .resolve(look(question(1)), with: try Look(question(1)))
            .when(.again(isForward: true)).when(.again(isForward: true)).when(.again(isForward: true))
            .cancelled(find(search(1))).cancelled(find(search(2)))
            .when(.again(isForward: false))
            .cancelled(find(search(3)))
            .resolve(find(search(1, isForward: false)), with: nil)
            .then(\.search, equals: nil)
            .when(.again(isForward: true))
            .resolve(find(search(1)), with: nil)
            .run()
    }

    @Test("A search that fails shows the reason, and is over")
    func searchFails() throws {
        let text = StepSearch(steps: steps, target: .text("milk"), start: 1, isForward: true)
        try plan()
            .resolve(look(question(1)), with: try Look(question(1)))
            .when(.ask(.search)).when(.edit(.insert("milk"))).when(.submit)
            .fail(find(text), with: .damaged(byte: 7, reason: "x"))
            .then(\.message, equals: .init("the recording is damaged at byte 7: x", isError: true)).then(\.work, equals: nil)
            .run()
    }

    @Test("A text is not shown when another one was asked for meanwhile")
    func reading() throws {
        try plan()
            .resolve(look(question(1)), with: try Look(question(1)))
            .when(.read(.story)).then(\.work, equals: "the story")
            .when(.read(.plan)).then(\.work, equals: "the plan")
            .cancelled(read(.story(steps, to: 1)))
            .resolve(read(.plan(steps, to: 1)), with: Reading(title: "a plan", lines: ["x"]))
            .then(\.reading?.title, equals: "a plan").then(\.work, equals: nil)
            .run()
    }

    @Test("A step that was found in a file that was replaced meanwhile becomes the nearest step")
    func replaced() {
        var inspector = Inspector(steps)
        inspector.apply(.file(.anew(ShopRecorder().send(.order("tea")).steps)))
        inspector.apply(.selected(17, isJump: true))
        expect(inspector.selected == 3 && inspector.trail == [1])
        inspector.apply(.file(.anew(ShopRecorder().steps)))
        inspector.apply(.selected(17, isJump: true))
        expectEqual(inspector.selected, 0)
    }

    @Test("The last hundred jumps can be returned from")
    func trail() {
        var inspector = Inspector(steps)
        for number in 1...300 { inspector.apply(.selected(number % 2 + 1, isJump: true)) }
        expectEqual(inspector.trail.count, 100)
        let trail = inspector.trail
        inspector.apply(.selected(inspector.selected, isJump: true))
        expectEqual(inspector.trail, trail)
    }

    @Test("The screen shows the selected step in the end, whatever is pressed while looks and searches are pending")
    func exploration() throws {
        struct Key: Hashable {
            let selected: Int
            let mark: Int?
            let look: [Int?]
            let work: String?
            let trail: [Int]
            let hits: Int?
            let message: String?
        }
        let steps = ShopRecorder().send(.order("tea")).steps
        let report = try Exploration(
            Inspector.reducer, given: Inspector(steps),
            key: { inspector in
                Key(
                    selected: inspector.selected, mark: inspector.mark, look: [inspector.look?.number, inspector.look?.mark],
                    work: inspector.work, trail: inspector.trail, hits: inspector.search?.count, message: inspector.message?.text)
            },
            feedback: { states, environment in Inspector.feedback(states, environment) },
            environment: environment
        )
        .feedbackRemembersLastState()
        .events([.move(.down), .mark, .toConsequence, .cancel], atMost: Budget.size(3, quick: 2))
        .answers(look) { question in (try? Look(question)).map { [.answer($0)] } ?? [] }
        .answers(find, with: [nil, .init(number: 3, isAround: false)])
        .whenQuiet("the look is that of the selected step") { inspector in
            inspector.look?.number == inspector.selected
                && inspector.look?.mark == (inspector.mark == inspector.selected ? nil : inspector.mark)
        }
        .whenQuiet("nothing is said to go on") { $0.work == nil }
        .run()
        expectEqual(report.extent, .exhaustive)
    }
}
