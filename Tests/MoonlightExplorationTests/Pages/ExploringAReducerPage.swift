import Foundation
import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams
import Testing

// The blocks of the page "Exploring a reducer", line for line, compiled and run.

/// The reducer with the fault.
private enum Faulty {
    struct Search: Hashable, Sendable {
        var query = ""
        var found: [String] = []
        var problem: String?
    }

    enum Event: Sendable {
        case typed(String)
        case clear
    }

    enum Effect: Sendable {
        case typed(String)
        case found([String])
        case failed(String)
    }

    struct World: Sendable {
        var find: @Sendable (String) async throws -> [String]
    }

    static let search = Reducer<Search, Event, Effect, World>(
        transform: { state, event, world in
            switch event {
            case .typed(let text):
                return .run { send in
                    send(.found(try await world.find(text)))
                } catch: { error in
                    .failed("\(error)")
                }.prepend(.typed(text))
            case .clear:
                if state.query.isEmpty { throw Rejection("there is nothing to clear") }
                return .just(.typed(""))
            }
        },
        apply: { state, effect in
            switch effect {
            case .typed(let text): state = Search(query: text)
            case .found(let lines): state.found = lines
            case .failed(let problem): state.problem = problem
            }
        })
}

private typealias Search = Faulty.Search
private typealias Event = Faulty.Event
private typealias Effect = Faulty.Effect
private typealias World = Faulty.World

/// The corrected reducer.
private enum Mended {
    static let search = Reducer<Search, Event, Effect, World>(
        transform: { state, event, world in
            switch event {
            case .typed(let text):
                return .run { send in
                    send(.found(try await world.find(text)))
                } catch: { error in
                    .failed("\(error)")
                }.prepend(.typed(text)).job("search", .latest)
            case .clear:
                if state.query.isEmpty { throw Rejection("there is nothing to clear") }
                return .cancelJob("search").append(.typed(""))
            }
        },
        apply: { state, effect in
            switch effect {
            case .typed(let text): state = Search(query: text)
            case .found(let lines): state.found = lines
            case .failed(let problem): state.problem = problem
            }
        })
}

private struct Offline: Error {}
private let find = Stub<String, [String], any Error>("find")

private func exploring(_ search: Reducer<Search, Event, Effect, World>) -> Exploration<Search, Event, Effect, World> {
    Exploration(search, given: Search()) { World(find: $0.async(find)) }
        .events([.typed("mo"), .typed("moon")], atMost: 2)
        .answers(find) { text in [.answer([text + "light"]), .failure(Offline())] }
        .always("every result begins with the query") { search in
            search.found.allSatisfy { $0.hasPrefix(search.query) }
        }
}

/// The folder of the page, also if this file is a link.
private let docc = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/MoonlightExploration/MoonlightExploration.docc")

private func page() throws -> String {
    try String(contentsOf: docc.appendingPathComponent("ExploringAReducer.md"), encoding: .utf8)
}

@Suite("Page: Exploring a reducer")
struct ExploringAReducerPage {
    @Test("The race is found, and the page shows the printed failure")
    func race() throws {
        let search = Faulty.search
        let failure = try #require(throws: ExplorationFailure.self) { try exploring(search).run() }
        let printed = failure.description.dropFirst("\(failure.place): ".count)
        #expect(try page().contains("```\n\(printed)\n```"))
        #expect(throws: ExplorationFailure.self) { try exploring(search).replay("e0 e1 a0.0") }
    }

    @Test("The plan that is printed fails before the race is fixed, and passes afterwards")
    func plan() throws {
        func play(_ search: Reducer<Search, Event, Effect, World>) throws {
            try Plan(search, given: Search()) { World(find: $0.async(find)) }
                .ignoringRefusals()
                .when(.typed("mo"))
                .when(.typed("moon"))
                .resolve(find("mo"), with: ["molight"], ifItWaits: true)
                .holds("every result begins with the query", in: .lastStep) { search in
                    search.found.allSatisfy { $0.hasPrefix(search.query) }
                }
                .ignoringCalls().ignoringInFlight().ignoringRelease()
                .run()
        }
        #expect(throws: PlanFailure.self) { try play(Faulty.search) }
        try play(Mended.search)
    }

    @Test("An exploration of the fixed reducer finds nothing, and the page shows its verdict")
    func mended() throws {
        let report = try exploring(Mended.search).run()
        #expect(report.extent == .exhaustive)
        #expect(try page().contains("```\n\(report)\n```"))
    }

    @Test("An event that is rejected is a violation")
    func rejected() throws {
        let failure = try #require(throws: ExplorationFailure.self) {
            try exploring(Mended.search).events([.clear], atMost: 1).run()
        }
        #expect(failure.name == "e2")
        #expect(try page().contains("```\n\(failure.message)\n```"))
    }

    /// An exploration with any number of events.
    private func further() -> Exploration<Search, Event, Effect, World> {
        let search = Mended.search
        let exploration = exploring(search)
            .events { state in
                state.query.isEmpty ? [.typed("mo"), .typed("moon")] : [.typed("mo"), .typed("moon"), .clear]
            }
            .eventually(
                "a question is answered", after: { !$0.query.isEmpty },
                until: { $0.query.isEmpty || !$0.found.isEmpty || $0.problem != nil }
            )
            .canAlways("come back to the start", to: { $0 == Search() })
        return exploration
    }

    @Test("An exploration with any number of events ends, and draws the picture and the text that the page shows")
    func picture() throws {
        let exploration = further()
        let report =
            try exploration
            .drawn { state in
                if state.query.isEmpty { return "empty" }
                return state.problem != nil ? "failed" : state.found.isEmpty ? "searching" : "found"
            }
            .run()
        let mermaid = report.picture?.mermaid()
        #expect(report.extent == .exhaustive)
        #expect(report.picture?.text.contains("found --When clear--> empty") == true)
        #expect(mermaid?.contains(#"s0["empty"]"#) == true)
    }

    @Test("The coverage of an exploration with any number of events lists each effect")
    func coverage() throws {
        let exploration = further()
        let coverage = try exploration.covered { $0.query.isEmpty ? "empty" : "asking" }.run().coverage
        #expect(coverage?.effects.keys.sorted() == ["failed", "found", "typed"])
    }
}
