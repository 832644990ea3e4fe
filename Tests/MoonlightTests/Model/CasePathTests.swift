import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

private enum Screen: Equatable, Sendable {
    case lamp(Lamp)
    case dark

    static let lamp = CasePath(Screen.lamp) { if case .lamp(let lamp) = $0 { lamp } else { nil } }
}

private enum ScreenEvent: Sendable {
    case lamp(Lamp.Event)
    case off, on
    static let lamp = CasePath(ScreenEvent.lamp) { if case .lamp(let event) = $0 { event } else { nil } }
}

private enum ScreenEffect: Sendable {
    case lamp(Lamp.Effect)
    case off, on
    static let lamp = CasePath(ScreenEffect.lamp) { if case .lamp(let effect) = $0 { effect } else { nil } }
}

@Suite("Case paths, and children in enum cases")
struct CasePathTests {
    private let screen = Reducer<Screen, ScreenEvent, ScreenEffect, Lamp.World>(
        transform: { _, event, _ in
            switch event {
            case .off: Just(.off).eraseToAnyPublisher()
            case .on: Just(.on).eraseToAnyPublisher()
            case .lamp: Empty().eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            switch effect {
            case .off: state = .dark
            case .on: state = .lamp(Lamp())
            case .lamp: break
            }
        }
    )
    .combined(
        with: Lamp.reducer.scoped(
            toCase: Screen.lamp, event: ScreenEvent.lamp, effect: ScreenEffect.lamp, environment: { $0 }))

    @Test("A child in an enum case is active while the state is in the case, and its events are refused otherwise")
    func works() throws {
        var state = Screen.lamp(Lamp())
        try screen.apply(.lamp(.added(2)), to: &state)
        expectEqual(state, .lamp(Lamp(level: 2)))
        state = .dark
        #expect(throws: Rejection.self) { try screen.transform(state, .lamp(.up(1)), Lamp.World()) }
        try screen.apply(.lamp(.added(2)), to: &state)
        expectEqual(state, .dark)
    }

    @Test("A child in an enum case loses its effects when the state leaves the case")
    func leaving() {
        let notes = PassthroughSubject<String, Never>()
        let store = Store(
            reducer: screen, initialState: .lamp(Lamp()),
            environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        store.send(.lamp(.watch))
        notes.send("a")
        expectEqual(store.state, .lamp(Lamp(note: "a")))
        expectEqual(store.jobs.map(\.id.description), ["Lamp/watch"])
        store.send(.off)
        expect(store.jobs.isEmpty)
        store.send(.on)
        notes.send("b")
        expectEqual(store.state, .lamp(Lamp()))
    }

    @Test("Case paths can be appended to each other, and the identity path extracts the whole")
    func cases() {
        enum Outer: Equatable { case inner(ScreenEvent2) }
        enum ScreenEvent2: Equatable {
            case number(Int)
            case none
        }
        let number = CasePath(ScreenEvent2.number) { if case .number(let number) = $0 { number } else { nil } }
        let inner = CasePath(Outer.inner) { if case .inner(let event) = $0 { event } else { nil } }
        let both = inner.appending(number)
        expectEqual(both.embed(3), .inner(.number(3)))
        expectEqual(both.extract(.inner(.number(4))), 4)
        expect(both.extract(.inner(.none)) == nil)
        expect(CasePath<Int, Int>.identity.extract(5) == 5)
        expect(CasePath(ScreenEvent2.none) { $0 == .none }.extract(.none) != nil)
    }

    @Test("An appended case path has the names of both; without given names, that of the type of the value that it carries")
    func appendedNames() {
        enum Load: Equatable, Sendable {
            case running
            case loaded(Int)
        }
        enum Page: Equatable, Sendable { case home(Load) }
        let running = CasePath(Load.running) { $0 == .running }
        let loaded = CasePath(Load.loaded) { if case .loaded(let number) = $0 { number } else { nil } }
        let home = CasePath(Page.home) { if case .home(let load) = $0 { load } else { nil } }
        let named = CasePath(Page.home, name: "home") { if case .home(let load) = $0 { load } else { nil } }
        expectEqual(named.appending(running).name, "home.running")
        expectEqual(named.appending(loaded).name, "home.Int")
        expectEqual(home.appending(running).name, "Load.running")
        expectEqual(home.appending(loaded).name, "Int")
        let slot = Slot<Page>(.home(.loaded(1)))
        let error = #expect(throws: Rejection.self) { try slot.require(named.appending(running)) }
        expect(error.map { "\($0)".hasPrefix("Page: expected home.running, was home") } ?? false)
    }

    @Test("A case path matches only its own case")
    func matching() {
        expect(Screen.lamp.extract(.lamp(Lamp())) != nil)
        expect(Screen.lamp.extract(.dark) == nil)
    }

    @Test("The name of a value that is no enum is its type or description; a case has its own name, whatever its description")
    func names() {
        struct Point { let x: Int }
        enum Shape: CustomStringConvertible {
            case circle(Int)
            case none
            var description: String { "a shape" }
        }
        expectEqual(caseName(of: Point(x: 1)), "Point")
        expectEqual(caseName(of: Shape.circle(1)), "circle")
        expectEqual(caseName(of: Shape.none), "none")
        expectEqual(caseName(of: 7), "7")
    }
}
