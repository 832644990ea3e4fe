import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Offline: Error, Equatable {}

private struct Search: Hashable {
    var query = ""
    var found: [String] = []
    var foundFor = ""
    var isLoading = false
    var hasFailed = false
}

private enum SearchEvent: Hashable, Sendable {
    case typed(String)
    case clear
}
private enum SearchEffect: Sendable {
    case began(String)
    case found(String, [String])
    case failed, cleared
}

private struct World: Sendable { var find: @Sendable (String) async throws -> [String] }

private let find = Stub<String, [String], any Error>("find")

/// The search of the README, with or without a job.
private func search(isLatest: Bool, forgetsSpinner: Bool = false) -> Reducer<Search, SearchEvent, SearchEffect, World> {
    Reducer(
        transform: { _, event, world in
            switch event {
            case .typed(let query):
                let search = AnyPublisher<SearchEffect, Never>.run { send in
                    send(.began(query))
                    send(.found(query, try await world.find(query)))
                } catch: {
                    $0 is CancellationError ? nil : .failed
                }
                return isLatest ? search.job("search", .latest).eraseToAnyPublisher() : search
            case .clear:
                let cleared = AnyPublisher<SearchEffect, Never>.just(.cleared)
                return isLatest ? cleared.merge(with: .cancelJob("search")).eraseToAnyPublisher() : cleared
            }
        },
        apply: { (state: inout Search, effect: SearchEffect) in
            switch effect {
            case .began(let query): state = Search(query: query, isLoading: true)
            case .found(let query, let found): (state.found, state.foundFor, state.isLoading) = (found, query, false)
            case .failed:
                state.hasFailed = true
                if !forgetsSpinner { state.isLoading = false }
            case .cleared: state = Search()
            }
        })
}

private func exploration(
    isLatest: Bool, forgetsSpinner: Bool = false, events: [SearchEvent] = [.typed("mo"), .typed("moon"), .clear],
    atMost most: Int = 3
) -> Exploration<Search, SearchEvent, SearchEffect, World> {
    Exploration(search(isLatest: isLatest, forgetsSpinner: forgetsSpinner), given: Search()) { World(find: $0.async(find)) }
        .events(events, atMost: most)
        .answers(find, with: [["moonlight"]], failing: [Offline()])
}

@Suite("Exploration: the README's search")
struct SearchExplorationTests {
    @Test("A search that keeps only the latest question never shows a stale answer and always stops loading")
    func rightOne() throws {
        let report = try exploration(isLatest: true)
            .always("every result belongs to the question") { $0.found.isEmpty || $0.foundFor == $0.query }
            .whenQuiet("nothing is left spinning") { !$0.isLoading }
            .eventually("a question is answered", after: { $0.isLoading }, until: { !$0.isLoading })
            .run()
        expectEqual(report.extent, .exhaustive)
        expect(!report.isByValues)
    }

    @Test("A search without a job shows an answer after its query was cleared")
    func race() throws {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration(isLatest: false)
                .whenQuiet("every result belongs to the question") { $0.found.isEmpty || $0.foundFor == $0.query }
                .run()
        }
        expectEqual(failure?.name, "e0 e2 a0.0")
        expectEqual(
            failure?.trace,
            """
            Given
                query is ""
                found is []
                foundFor is ""
                isLoading is false
                hasFailed is false
            When typed("mo")
                query: "" → "mo"
                isLoading: false → true
                calls find("mo")
            When clear
                query: "mo" → ""
                isLoading: true → false
            find("mo") answers ["moonlight"]
                found[0]: nothing → "moonlight"
                foundFor: "" → "mo"
            """)
    }

    @Test("A search without a job lets an older answer overwrite the newer one")
    func olderAnswer() throws {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration(isLatest: false, events: [.typed("mo"), .typed("moon")], atMost: 2)
                .answers(find, with: [["moonlight"]])
                .whenQuiet("every result belongs to the question") { $0.found.isEmpty || $0.foundFor == $0.query }
                .run()
        }
        expectEqual(failure?.name, "e0 e1 a1.0 a0.0")
    }

    @Test("A spinner that is left on after an error is found")
    func spinner() throws {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration(isLatest: true, forgetsSpinner: true)
                .eventually("a question is answered", after: { $0.isLoading }, until: { !$0.isLoading })
                .run()
        }
        expectEqual(failure?.name, "e0 a0.1")
        expectEqual(
            failure?.plan.split(separator: "\n").dropFirst().joined(separator: "\n"),
            """
                .ignoringRefusals()
                .when(.typed("mo"))
                .fail(find("mo"), with: Offline(), ifItWaits: true)
                .holds("a question is answered", in: .quiet) { !$0.isLoading }
                .ignoringCalls().ignoringInFlight().ignoringRelease()
                .run()
            """)
    }

    @Test(
        "The plan that a failure writes fails with the faulty program, and passes with the fixed one", arguments: [false, true])
    func plan(isMended: Bool) throws {
        let reducer = search(isLatest: isMended)
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(search(isLatest: false), given: Search()) { World(find: $0.async(find)) }
                .events([.typed("mo"), .typed("moon")], atMost: 2)
                .answers(find, with: [["moonlight"]])
                .whenQuiet("every result belongs to the question") { $0.found.isEmpty || $0.foundFor == $0.query }
                .run()
        }
        expectEqual(
            failure?.plan,
            """
            try Plan(search(isLatest: false), given: Search()) { World(find: $0.async(find)) }
                .ignoringRefusals()
                .when(.typed("mo"))
                .when(.typed("moon"))
                .resolve(find("moon"), with: ["moonlight"], ifItWaits: true)
                .resolve(find("mo"), with: ["moonlight"], ifItWaits: true)
                .holds("every result belongs to the question", in: .quiet) { $0.found.isEmpty || $0.foundFor == $0.query }
                .ignoringCalls().ignoringInFlight().ignoringRelease()
                .run()
            """)
        // The same plan as a test would contain it.
        let plan = Plan(reducer, given: Search()) { World(find: $0.async(find)) }
            .ignoringRefusals()
            .when(.typed("mo"))
            .when(.typed("moon"))
            .resolve(find("moon"), with: ["moonlight"], ifItWaits: true)
            .resolve(find("mo"), with: ["moonlight"], ifItWaits: true)
            .holds("every result belongs to the question", in: .quiet) { $0.found.isEmpty || $0.foundFor == $0.query }
            .ignoringCalls().ignoringInFlight().ignoringRelease()
        if isMended { try plan.run() } else { #expect(throws: PlanFailure.self) { try plan.run() } }
    }
}
