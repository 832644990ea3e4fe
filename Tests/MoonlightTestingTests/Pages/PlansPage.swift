import Moonlight
import MoonlightTesting
import Streams
import Testing

struct Search: Equatable {
    var query = ""
    var found: [String] = []
    var problem: String?
}

enum SearchEvent { case typed(String) }
enum SearchEffect: Equatable {
    case typed(String)
    case found([String])
    case failed(Offline)
}
struct Offline: Error, Equatable {}

struct SearchEnvironment {
    var find: @Sendable (String) -> AnyPublisher<[String], Offline>
    var scheduler: AnyScheduler<TimePoint, Never>
}

let search = Reducer<Search, SearchEvent, SearchEffect, SearchEnvironment>(
    transform: { _, event, environment in
        guard case .typed(let text) = event else { return .none }
        return Just(text).delay(for: .milliseconds(300), scheduler: environment.scheduler)
            .setFailureType(to: Offline.self)
            .flatMap { environment.find($0) }
            .effects(SearchEffect.found) { .failed($0) }
            .job("search", .latest)
            .prepend(.typed(text))
    },
    apply: { (state: inout Search, effect: SearchEffect) in
        switch effect {
        case .typed(let text): state.query = text
        case .found(let found): (state.found, state.problem) = (found, nil)
        case .failed: state.problem = "offline"
        }
    })

private struct Plus: Equatable { var count = 0 }
private enum PlusEvent { case plus }
private struct App: Equatable { var counter = Plus() }
private enum AppEvent {
    case counter(PlusEvent)
    static let counterCase = CasePath(AppEvent.counter) { if case .counter(let event) = $0 { event } else { nil } }
}
private let app = Reducer<Plus, PlusEvent, Int, Void>(
    transform: { _, _, _ in Just(1).eraseToAnyPublisher() },
    apply: { (state: inout Plus, step: Int) in state.count += step }
).scoped(
    to: \App.counter, event: AppEvent.counterCase, effect: .identity, environment: { $0 })

let find = Stub<String, [String], Offline>("find")

func plan() -> Plan<Search, SearchEvent, SearchEffect, SearchEnvironment> {
    Plan(search, given: Search()) { stubs in
        SearchEnvironment(find: stubs.publisher(find), scheduler: stubs.scheduler.eraseToAnyScheduler())
    }
}

/// This file contains the blocks of the page "Plans", line for line.
@Suite("Page: Plans")
struct PlansPage {
    @Test("A plan with given, when and then passes")
    func trace() throws {
        try plan()
            .when(.typed("moon"))
            .then(\.query, equals: "moon")
            .advance(by: .milliseconds(300))
            .resolve(find("moon"), with: ["moonlight"])
            .emits(.found(["moonlight"]))
            .then(\.found, equals: ["moonlight"])
            .run()
    }

    @Test("A plan advances virtual time")
    func time() throws {
        try plan()
            .when(.typed("m"))
            .advance(by: .milliseconds(299))
            .expectNoCalls()
            .when(.typed("mo"))
            .advance(by: .milliseconds(299))
            .expectNoCalls()
            .advance(by: .milliseconds(1))
            .resolve(find("mo"), with: [])
            .run()
    }

    @Test("A plan with forks has more than one end")
    func forks() throws {
        try plan()
            .when(.typed("moon"))
            .advance(by: .milliseconds(300))
            .fork("the network is down") {
                $0.fail(find("moon"), with: Offline())
                    .then(\.problem, equals: "offline")
            }
            .fork("a second query") {
                $0.when(.typed("sun"))
                    .cancelled(find("moon"))
                    .inFlight("search")
                    .advance(by: .milliseconds(300))
                    .resolve(find("sun"), with: ["sunlight"])
            }
            .resolve(find("moon"), with: ["moonlight"])
            .then(\.problem, equals: nil)
            .run()
    }

    @Test("A plan fails on a call that it does not mention")
    func unasked() {
        let failure = #expect(throws: PlanFailure.self) {
            try plan().when(.typed("moon")).advance(by: .milliseconds(300)).run()
        }
        #expect(
            failure?.message == """
                find("moon") was called, but no step mentions it; it waits for its answer
                Write .resolve(find("moon"), with: …), .fail(find("moon"), with: …) or, if it does not matter, .ignoringCalls(of: "find")
                """)
    }

    @Test("A plan has steps on children")
    func children() throws {
        try Plan(app, given: App(), environment: ())
            .scoped(to: \.counter, event: AppEvent.counterCase, effect: .identity) {
                $0.when(.plus).emits(1).then(\.count, equals: 1)
            }
            .then(\.counter.count, equals: 1)
            .run()
        try Plan(app, given: App(), environment: ())
            .scoped(to: \.counter, event: AppEvent.counter) {
                $0.when(.plus).then(\.count, equals: 1)
            }
            .run()
    }

    @Test("A failure is recorded at the line of its step")
    func issues() {
        withKnownIssue {
            plan().when(.typed("")).run { failure in
                Issue.record(
                    "\(failure.message)",
                    sourceLocation: SourceLocation(
                        fileID: "\(failure.place.fileID)", filePath: "\(failure.place.file)",
                        line: Int(failure.place.line), column: Int(failure.place.column)))
            }
        }
    }

    @Test("A plan returns its trace")
    func text() throws {
        let trace = try plan()
            .when(.typed("moon"))
            .advance(by: .milliseconds(300))
            .resolve(find("moon"), with: ["moonlight"])
            .run()
        print(trace)
        #expect(
            trace.description == """
                Given
                    query is ""
                    found is []
                    problem is nil
                When typed("moon")
                    query: "" → "moon"
                After 0.3 seconds
                    calls find("moon")
                find("moon") answers ["moonlight"]
                    found[0]: nothing → "moonlight"
                """)
    }
}
