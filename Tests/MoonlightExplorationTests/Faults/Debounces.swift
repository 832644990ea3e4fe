import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// The return key searches for the debounced text instead of the text in the field.
enum LastKeyEaten: Fault {
    struct State: Hashable {
        var text = ""
        var debounced = ""
        var searched: String?
    }
    enum Event: Hashable, Sendable {
        case typed(String)
        case returned
    }
    enum Effect: Sendable {
        case typed(String)
        case debounced(String)
        case searched(String)
    }
    struct World: Sendable { var time: VirtualTimeScheduler }

    static let property = "the text in the field is searched for"
    static let trace = "e0 e1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .typed(let text):
                    Just(Effect.debounced(text)).delay(for: .milliseconds(300), scheduler: world.time).prepend(.typed(text))
                        .job("typing", .latest).eraseToAnyPublisher()
                case .returned: .just(.searched(isMended ? state.text : state.debounced))
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .typed(let text): (state.text, state.searched) = (text, nil)
                case .debounced(let text): state.debounced = text
                case .searched(let text): state.searched = text
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(time: $0.scheduler) }
            .events([.typed("m"), .returned], atMost: 4)
            .always("the text in the field is searched for") { [nil, $0.text].contains($0.searched) }
    }
}

/// A slider sends its first value and is then throttled for a second: its last position is lost.
enum ThrottleWithoutEnd: Fault {
    struct State: Hashable {
        var volume = 0
        var heard = 0
    }
    enum Event: Hashable, Sendable { case move(to: Int) }
    enum Effect: Sendable {
        case moved(Int)
        case heard(Int)
    }
    struct World: Sendable {
        var set: @Sendable (Int) async -> Void
        var clock: any Clock<Duration>
    }

    static let set = Stub<Int, Void, Never>("set")
    static let property = "the player is as loud as it is shown"
    static let trace = "e0 e1 a0.0 t"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .move(let volume) = event else { return .nothing }
                let send = AnyPublisher<Effect, Never>.run { send in
                    if isMended { try await world.clock.sleep(for: .seconds(1)) }
                    await world.set(volume)
                    send(.heard(volume))
                    if !isMended { try await world.clock.sleep(for: .seconds(1)) }
                } catch: { _ in
                    nil
                }
                return send.job("volume", isMended ? .latest : .ignoreNew).prepend(.moved(volume)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .moved(let volume): state.volume = volume
                case .heard(let volume): state.heard = volume
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(set: $0.async(set), clock: $0.clock) }
            .events([.move(to: 5), .move(to: 9)], atMost: 3)
            .answers(set, with: [()])
            .whenQuiet("the player is as loud as it is shown") { $0.volume == $0.heard }
    }
}

/// A note is saved two seconds after the last key; a user who leaves earlier loses that key.
enum LeftBeforeSaved: Fault {
    struct State: Hashable {
        var text = ""
        var saved = ""
        var isOpen = true
    }
    enum Event: Hashable, Sendable {
        case type(Character)
        case leave
    }
    enum Effect: Sendable {
        case typed(Character)
        case saved(String)
        case left
    }
    struct World: Sendable {
        var save: @Sendable (String) -> AnyPublisher<Void, Never>
        var time: VirtualTimeScheduler
    }

    static let save = Stub<String, Void, Never>("save")
    static let property = "a note is saved as it was left"
    static let trace = "e0 e1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                let save: @Sendable (String) -> AnyPublisher<Effect, Never> = { text in
                    world.save(text).map { .saved(text) }.eraseToAnyPublisher()
                }
                switch event {
                case .type(let key):
                    let text = state.text + String(key)
                    return Just(()).delay(for: .seconds(2), scheduler: world.time).flatMap { save(text) }.prepend(.typed(key))
                        .job("autosave", .latest).eraseToAnyPublisher()
                case .leave:
                    return AnyPublisher<Effect, Never>.cancelJob("autosave").append(.left)
                        .append(isMended ? save(state.text) : .nothing).eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .typed(let key): state.text.append(key)
                case .saved(let text): state.saved = text
                case .left: state.isOpen = false
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(save: $0.publisher(save), time: $0.scheduler) }
            .events(atMost: 3) { $0.isOpen ? [.type("\\"), .leave] : [] }
            .answers(save, with: [()])
            .whenQuiet("a note is saved as it was left") { $0.text == $0.saved }
    }
}

/// Restoring the saved text needs no save, but the save that is already pending then writes another text.
enum TypedBack: Fault {
    struct State: Hashable {
        var text = "a"
        var saved = "a"
    }
    enum Event: Hashable, Sendable { case type(String) }
    enum Effect: Sendable {
        case typed(String)
        case saved(String)
    }
    struct World: Sendable { var clock: any Clock<Duration> }

    static let property = "the saved text is the current one"
    static let trace = "e1 e0 t"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard case .type(let text) = event else { return .nothing }
                let typed = AnyPublisher<Effect, Never>.just(.typed(text))
                if text == state.saved {
                    return isMended ? AnyPublisher.cancelJob("save").append(typed).eraseToAnyPublisher() : typed
                }
                let save = AnyPublisher<Effect, Never>.run { send in
                    try await world.clock.sleep(for: .milliseconds(500))
                    send(.saved(text))
                } catch: { _ in
                    nil
                }
                return typed.append(save.job("save", .latest)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .typed(let text): state.text = text
                case .saved(let text): state.saved = text
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(clock: $0.clock) }
            .events([.type("a"), .type("b"), .type("c")], atMost: 4)
            .whenQuiet("the saved text is the current one") { $0.saved == $0.text }
    }
}

/// The text counts as clean when a save has ended, including what was typed meanwhile.
enum CleanTooEarly: Fault {
    struct State: Hashable {
        var text = ""
        var saved = ""
        var isDirty = false
    }
    enum Event: Hashable, Sendable {
        case type(String)
        case save
    }
    enum Effect: Sendable {
        case typed(String)
        case saved(String)
    }
    struct World: Sendable { var save: @Sendable (String) async throws -> Void }

    static let save = Stub<String, Void, any Error>("save")
    static let property = "never: unsaved text looks clean"
    static let trace = "e2 e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .type(let text): .just(.typed(text))
                case .save:
                    .run { send in
                        try await world.save(state.text)
                        send(.saved(state.text))
                    } catch: { _ in
                        nil
                    }.job("save", .latest).eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .typed(let text): (state.text, state.isDirty) = (text, text != state.saved)
                case .saved(let text):
                    state.saved = text
                    state.isDirty = isMended && state.text != text
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(save: $0.async(save)) }
            .events([.type("a"), .type("ab"), .save], atMost: 3)
            .answers(save, with: [()], failing: [Unreachable()])
            .never("unsaved text looks clean") { $0.text != $0.saved && !$0.isDirty }
    }
}
