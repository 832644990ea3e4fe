import Moonlight
import Streams

// An app of five levels: an account, its projects by id, an optional dialog in each that creates a task, and a wizard of two
// steps in the dialog. Each level runs `load` in a job of the same id.

enum Five {
    struct World: Sendable {
        /// The requesting level, and its answers.
        var ask: @Sendable (String) -> AnyPublisher<String, Never> = { _ in Empty().eraseToAnyPublisher() }
        var log: @Sendable (String) -> Void = { _ in }

        func load<Effect>(_ level: String, _ effect: @escaping @Sendable (String) -> Effect) -> AnyPublisher<Effect, Never> {
            ask(level).map(effect).job("load").eraseToAnyPublisher()
        }
    }
}

// MARK: The steps

extension Five {
    /// The step that names the task.
    struct Naming: Equatable, Sendable {
        var name = ""
        enum Event: Equatable, Sendable {
            case type(String)
            case load, next
        }
        enum Effect: Equatable, Sendable { case named(String) }

        static let reducer = Reducer<Naming, Event, Effect, World>(
            transform: { state, event, world in
                switch event {
                case .type(let name): return Just(.named(name)).eraseToAnyPublisher()
                case .load: return world.load("naming", Effect.named)
                case .next:
                    if state.name.isEmpty { throw Rejection("a task needs a name") }
                    return Empty().eraseToAnyPublisher()
                }
            },
            apply: { state, effect in
                switch effect {
                case .named(let name): state.name = name
                }
            })
    }

    /// The step that assigns the task.
    struct Assigning: Equatable, Sendable {
        var name: String
        var person: String?
        enum Event: Equatable, Sendable {
            case pick(String)
            case load
        }
        enum Effect: Equatable, Sendable { case picked(String) }

        static let reducer = Reducer<Assigning, Event, Effect, World>(
            transform: { _, event, world in
                switch event {
                case .pick(let person): Just(.picked(person)).eraseToAnyPublisher()
                case .load: world.load("assigning", Effect.picked)
                }
            },
            apply: { state, effect in
                switch effect {
                case .picked(let person): state.person = person
                }
            })
    }

    enum Wizard: Equatable, Sendable {
        case naming(Naming)
        case assigning(Assigning)
        static let naming = CasePath(Wizard.naming) { if case .naming(let step) = $0 { step } else { nil } }
        static let assigning = CasePath(Wizard.assigning) { if case .assigning(let step) = $0 { step } else { nil } }

        enum Event: Equatable, Sendable {
            case naming(Naming.Event)
            case assigning(Assigning.Event)
            static let naming = CasePath(Event.naming) { if case .naming(let event) = $0 { event } else { nil } }
            static let assigning = CasePath(Event.assigning) { if case .assigning(let event) = $0 { event } else { nil } }
        }
        enum Effect: Equatable, Sendable {
            case naming(Naming.Effect)
            case assigning(Assigning.Effect)
            case named(String)
            static let naming = CasePath(Effect.naming) { if case .naming(let effect) = $0 { effect } else { nil } }
            static let assigning = CasePath(Effect.assigning) { if case .assigning(let effect) = $0 { effect } else { nil } }
        }

        private static let itself = Reducer<Wizard, Event, Effect, World>(
            transform: { state, event, _ in
                guard case .naming(let step) = state, event == .naming(.next) else { return Empty().eraseToAnyPublisher() }
                return Just(.named(step.name)).eraseToAnyPublisher()
            },
            apply: { state, effect in
                if case .named(let name) = effect { state = .assigning(Assigning(name: name)) }
            })

        static let reducer = Reducer.combine(
            itself,
            Naming.reducer.scoped(
                toCase: Wizard.naming, event: Event.naming, effect: Effect.naming, environment: { $0 }, name: "naming"),
            Assigning.reducer.scoped(
                toCase: Wizard.assigning, event: Event.assigning, effect: Effect.assigning, environment: { $0 },
                name: "assigning"))
    }
}

// MARK: The dialog

extension Five {
    struct Dialog: Equatable, Sendable {
        var wizard = Wizard.naming(Naming())
        var hint = ""
        /// Nil until both steps are done.
        var task: String? {
            guard case .assigning(let step) = wizard, let person = step.person else { return nil }
            return "\(step.name) by \(person)"
        }

        enum Event: Equatable, Sendable {
            case wizard(Wizard.Event)
            case load
            static let wizard = CasePath(Event.wizard) { if case .wizard(let event) = $0 { event } else { nil } }
        }
        enum Effect: Equatable, Sendable {
            case wizard(Wizard.Effect)
            case hinted(String)
            static let wizard = CasePath(Effect.wizard) { if case .wizard(let effect) = $0 { effect } else { nil } }
        }

        static let reducer = Reducer<Dialog, Event, Effect, World>(
            transform: { _, event, world in
                event == .load ? world.load("dialog", Effect.hinted) : Empty().eraseToAnyPublisher()
            },
            apply: { state, effect in if case .hinted(let hint) = effect { state.hint = hint } }
        )
        .combined(
            with: Wizard.reducer.scoped(
                to: \.wizard, event: Event.wizard, effect: Effect.wizard, environment: { $0 }))
    }
}
