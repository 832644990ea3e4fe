import Moonlight
import Streams

// The upper levels: projects, the account, and the app with its feedback.

extension Five {
    struct Project: Equatable, Sendable {
        var note = ""
        var dialog: Dialog?
        var tasks: [String] = []

        enum Event: Equatable, Sendable {
            case dialog(Dialog.Event)
            case open, close
            case made(String)
            case load
            case heard(String)
            static let dialog = CasePath(Event.dialog) { if case .dialog(let event) = $0 { event } else { nil } }
        }
        enum Effect: Equatable, Sendable {
            case dialog(Dialog.Effect)
            case opened, closed
            case added(String)
            case noted(String)
            static let dialog = CasePath(Effect.dialog) { if case .dialog(let effect) = $0 { effect } else { nil } }
        }

        private static let itself = Reducer<Project, Event, Effect, World>(
            transform: { _, event, world in
                switch event {
                case .open: Just(.opened).eraseToAnyPublisher()
                case .close: Just(.closed).eraseToAnyPublisher()
                case .made(let task): Just(.added(task)).eraseToAnyPublisher()
                case .load: world.load("project", Effect.noted)
                case .heard(let note): Just(.noted(note)).eraseToAnyPublisher()
                case .dialog: Empty().eraseToAnyPublisher()
                }
            },
            apply: { state, effect in
                switch effect {
                case .opened: state.dialog = Dialog()
                case .closed: state.dialog = nil
                case .added(let task): state.tasks.append(task)
                case .noted(let note): state.note = note
                case .dialog: break
                }
            })

        static let reducer = itself.combined(
            with: Dialog.reducer.scoped(
                toOptional: \.dialog, event: Event.dialog, effect: Effect.dialog, environment: { $0 },
                result: { $0.task.map(Event.made) })
        )
        .middleware { state, event, world, next in
            world.log("project: \(event)")
            return try next(state, event, world)
        }
    }

    struct Account: Equatable, Sendable {
        var name = ""
        var projects = IdentifiedList<Int, Project>()

        enum Event: Equatable, Sendable {
            case project(Int, Project.Event)
            case add(Int)
            case remove(Int)
            case reverse, load
            static let project = CasePath(Event.project) { if case .project(let id, let event) = $0 { (id, event) } else { nil } }
        }
        enum Effect: Equatable, Sendable {
            case project(Int, Project.Effect)
            case added(Int)
            case removed(Int)
            case reversed
            case named(String)
            static let project = CasePath(Effect.project) {
                if case .project(let id, let effect) = $0 { (id, effect) } else { nil }
            }
        }

        private static let itself = Reducer<Account, Event, Effect, World>(
            transform: { _, event, world in
                switch event {
                case .add(let id): Just(.added(id)).eraseToAnyPublisher()
                case .remove(let id): Just(.removed(id)).eraseToAnyPublisher()
                case .reverse: Just(.reversed).eraseToAnyPublisher()
                case .load: world.load("account", Effect.named)
                case .project: Empty().eraseToAnyPublisher()
                }
            },
            apply: { state, effect in
                switch effect {
                case .added(let id): state.projects.append(Project(), id: id)
                case .removed(let id): state.projects.remove(id: id)
                case .reversed: for id in state.projects.ids { state.projects.move(id: id, to: 0) }
                case .named(let name): state.name = name
                case .project: break
                }
            })

        static let reducer = itself.combined(
            with: Project.reducer.scoped(
                toEach: \.projects, event: Event.project, effect: Effect.project, environment: { $0 })
        )
        .middleware { state, event, world, next in
            world.log("account: \(event)")
            return try next(state, event, world)
        }
    }

    struct App: Equatable, Sendable {
        var account: Account? = Account()
        var watched: [Int] = []
        var title = ""

        enum Event: Equatable, Sendable {
            case account(Account.Event)
            case logOut, logIn
            case watch([Int])
            case load
            case tell(String)
            static let account = CasePath(Event.account) { if case .account(let event) = $0 { event } else { nil } }
        }
        enum Effect: Equatable, Sendable {
            case account(Account.Effect)
            case loggedOut, loggedIn
            case watching([Int])
            case titled(String)
            static let account = CasePath(Effect.account) { if case .account(let effect) = $0 { effect } else { nil } }
        }

        private static let itself = Reducer<App, Event, Effect, World>(
            transform: { _, event, world in
                switch event {
                case .logOut: Just(.loggedOut).eraseToAnyPublisher()
                case .logIn: Just(.loggedIn).eraseToAnyPublisher()
                case .watch(let ids): Just(.watching(ids)).eraseToAnyPublisher()
                case .load: world.load("app", Effect.titled)
                case .tell(let title): Just(.titled(title)).eraseToAnyPublisher()
                case .account: Empty().eraseToAnyPublisher()
                }
            },
            apply: { state, effect in
                switch effect {
                case .loggedOut: state.account = nil
                case .loggedIn: state.account = Account()
                case .watching(let ids): state.watched = ids
                case .titled(let title): state.title = title
                case .account: break
                }
            })

        static let reducer = itself.combined(
            with: Account.reducer.scoped(
                toOptional: \.account, event: Event.account, effect: Effect.account, environment: { $0 })
        )
        .middleware { state, event, world, next in
            world.log("app: \(event)")
            return try next(state, event, world)
        }

        private static let rules: [Rule.Complete<App, Event>] = [
            Rule("praise")
                .when(.changing { (project: Project) in project.tasks.count })
                .given { count in if count.to > 2 { throw Rejection("too many tasks") } else { count.to > 0 } }
                .then { Project.Event.heard("task \($0.to)") }
                .scoped(toEach: \Account.projects, event: Account.Event.project)
                .scoped(to: \App.account, event: Event.account),
            Rule("title")
                .when(.changing { (app: App) in app.account?.name })
                .compactMap { $0.to }
                .then { Event.tell("of \($0)") },
        ]

        static func feedback(_ states: AnyPublisher<App, Never>, _ world: World) -> [AnyPublisher<Event, Never>] {
            [
                states.react(toEach: \.watched) { id in
                    world.ask("watch \(id)").map { Event.account(.project(id, .heard($0))) }
                }
                .located(at: .root.child("account")),
                Rule.events(of: rules, from: states),
                Empty(completeImmediately: false).eraseToAnyPublisher(),
            ]
        }
    }
}
