import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Score: Equatable, Sendable {
    var points = 0

    enum Event: Sendable { case plus, load }
    enum Effect: Sendable {
        case added(Int)
        case loaded(Int)
    }
    struct Environment: Sendable { var load: @Sendable () -> AnyPublisher<Int, Never> }
}

private struct Login: Equatable, Sendable {
    var name: String?

    enum Event: Sendable { case typed(String) }
    enum Effect: Sendable { case named(String) }
}

private struct App: Equatable, Sendable {
    var score = Score()
    var login: Login?
    var user = "nobody"

    enum Event: Sendable {
        case score(Score.Event)
        case login(Login.Event)
        case enter
        case loggedIn(String)
    }
    enum Effect: Sendable {
        case score(Score.Effect)
        case login(Login.Effect)
        case asked
        case greeted(String)
    }
}

extension App {
    static let scoreEvent = CasePath(App.Event.score) { if case .score(let event) = $0 { event } else { nil } }
    static let scoreEffect = CasePath(App.Effect.score) { if case .score(let effect) = $0 { effect } else { nil } }
    static let loginEvent = CasePath(App.Event.login) { if case .login(let event) = $0 { event } else { nil } }
    static let loginEffect = CasePath(App.Effect.login) { if case .login(let effect) = $0 { effect } else { nil } }

    struct Environment: Sendable {
        var score: Score.Environment
        var log: @Sendable (String) -> Void
    }
}

@Suite("Page: Composition")
struct CompositionPage {
    private static let login = Reducer<Login, Login.Event, Login.Effect, Void>(
        transform: { _, event, _ in
            switch event {
            case .typed(let name): Just(.named(name)).eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            switch effect {
            case .named(let name): state.name = name
            }
        })

    private static let appItself = Reducer<App, App.Event, App.Effect, App.Environment>(
        transform: { _, event, _ in
            switch event {
            case .enter: Just(.asked).eraseToAnyPublisher()
            case .loggedIn(let name): Just(.greeted(name)).eraseToAnyPublisher()
            case .score, .login: Empty().eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            switch effect {
            case .asked: state.login = Login()
            case .greeted(let name): state.user = name
            case .score, .login: break
            }
        })

    private static func makeApp() -> Reducer<App, App.Event, App.Effect, App.Environment> {
        let score = Reducer<Score, Score.Event, Score.Effect, Score.Environment>(
            transform: { state, event, environment in
                switch event {
                case .plus: Just(.added(1)).eraseToAnyPublisher()
                case .load: environment.load().map(Score.Effect.loaded).job("load").eraseToAnyPublisher()
                }
            },
            apply: { state, effect in
                switch effect {
                case .added(let number): state.points += number
                case .loaded(let points): state.points = points
                }
            })
        let app = Reducer.combine(
            appItself,
            score.scoped(
                to: \App.score, event: App.scoreEvent, effect: App.scoreEffect, environment: \.score),
            login.scoped(
                toOptional: \App.login, event: App.loginEvent, effect: App.loginEffect, environment: { _ in },
                result: { $0.name.map(App.Event.loggedIn) }))
        return app
    }

    @Test("An app with a score and a login handles their jobs and results, and middleware logs their events")
    func app() {
        let app = Self.makeApp()
        let logged = app.middleware { state, event, environment, next in
            environment.log("\(event)")
            return try next(state, event, environment)
        }
        let lines = Recorder<String>()
        let answers = PassthroughSubject<Int, Never>()
        let environment = App.Environment(
            score: .init(load: { answers.eraseToAnyPublisher() }), log: { lines.append($0) })
        do {
            let store = Store(reducer: app, initialState: App(), environment: environment)
            store.send(.score(.plus))
            store.send(.score(.load))
            #expect(store.jobs.map(\.id.description) == ["score/load"])
            store.cancelJob("load", of: .root.child("score"))
            answers.send(8)
            #expect(store.state == App(score: Score(points: 1)))
        }
        let store = Store(reducer: logged, initialState: App(), environment: environment)
        for event in [App.Event.login(.typed("too early")), .enter, .login(.typed("Ann"))] { store.send(event) }
        #expect(store.state == App(user: "Ann"))
        #expect(
            lines.all
                == [
                    "login(MoonlightTests.Login.Event.typed(\"too early\"))", "enter",
                    "login(MoonlightTests.Login.Event.typed(\"Ann\"))", "loggedIn(\"Ann\")",
                ].map { $0.replacing("MoonlightTests.Login.Event", with: String(reflecting: Login.Event.self)) })
    }

    @Test("An awaited login returns once, and is cancelled with its parent")
    func awaited() {
        let login = Self.login
        typealias Effect = App.Effect
        let keys = PassthroughSubject<Login.Event, Never>()
        let starts = Recorder<Login>()
        let screen: @Sendable (AnyPublisher<Login, Never>) -> [AnyPublisher<Login.Event, Never>] = { states in
            let shown = states.handleEvents(receiveOutput: { starts.append($0) })
            return [keys.prefix(untilOutputFrom: shown.filter { _ in false }).eraseToAnyPublisher()]
        }
        let app = Reducer<App, App.Event, App.Effect, Void>(
            transform: { _, event, _ in
                guard case .enter = event else { return Empty().eraseToAnyPublisher() }
                return login.run(initialState: Login(), environment: (), feedback: screen) { $0.name }
                    .map(Effect.greeted)
                    .eraseToAnyPublisher()
            },
            apply: { state, effect in if case .greeted(let name) = effect { state.user += " " + name } })
        let store = Store(reducer: app, initialState: App(), environment: ())
        store.send(.enter)
        keys.send(.typed("Ann"))
        keys.send(.typed("Bob"))
        #expect(store.state.user == "nobody Ann")
        store.send(.enter)
        store.cancel()
        let before = starts.count
        keys.send(.typed("Cleo"))
        #expect(starts.count == before)
    }
}
