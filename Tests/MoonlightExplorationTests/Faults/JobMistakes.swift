import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// A profile and its picture are loaded under the same name: the second job cancels the first.
enum TwoJobsOneID: Fault {
    struct State: Hashable {
        var isOpen = false
        var name: String?
        var picture: [UInt8]?
    }
    enum Event: Hashable, Sendable { case open }
    enum Effect: Sendable {
        case opened
        case name(String)
        case picture([UInt8])
    }
    struct World: Sendable {
        var name: @Sendable () async throws -> String
        var picture: @Sendable () async throws -> [UInt8]
    }

    static let name = Stub<Void, String, any Error>("name")
    static let picture = Stub<Void, [UInt8], any Error>("picture")
    static let property = "there are a name and a picture"
    static let trace = "e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                let name = AnyPublisher<Effect, Never>.run { send in
                    send(.opened)
                    send(.name(try await world.name()))
                } catch: { _ in
                    nil
                }
                let picture = AnyPublisher<Effect, Never>.run { send in
                    send(.picture(try await world.picture()))
                } catch: { _ in
                    nil
                }
                return name.job("load").merge(with: picture.job(isMended ? "picture" : "load")).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .opened: state.isOpen = true
                case .name(let name): state.name = name
                case .picture(let picture): state.picture = picture
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(name: $0.async(name), picture: $0.async(picture)) }
            .events([.open], atMost: 2)
            .answers(name, with: ["Ann"])
            .answers(picture, with: [[0xff, 0xd8]])
            .whenQuiet("there are a name and a picture") { $0 == State() || $0.name != nil && $0.picture != nil }
    }
}

/// Autosave and the save button use one name with two policies: while one is in flight, the other is rejected.
enum TwoPoliciesOneID: Fault {
    struct State: Hashable {
        var text = ""
        var saved = ""
    }
    enum Event: Hashable, Sendable {
        case type(String)
        case save
    }
    enum Effect: Sendable {
        case typed(String)
        case saved(String)
    }
    struct World: Sendable { var write: @Sendable (String) -> AnyPublisher<Void, Never> }

    static let write = Stub<String, Void, Never>("write")
    static let property = "nothing is refused"
    static let trace = "e0 e2"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .type(let text):
                    return world.write(text).map { .saved(text) }.job("save", .latest).prepend(.typed(text)).eraseToAnyPublisher()
                case .save:
                    let text = state.text
                    return world.write(text).map { .saved(text) }.job("save", isMended ? .latest : .queue).eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .typed(let text): state.text = text
                case .saved(let text): state.saved = text
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(write: $0.publisher(write)) }
            .events([.type("a"), .type("ab"), .save], atMost: 3)
            .answers(write, with: [()])
            .whenQuiet("all is saved that was typed") { $0.text == $0.saved }
    }
}

/// The queue of messages has a limit, and messages beyond it are rejected silently: they stay pending forever.
enum FullQueue: Fault {
    struct State: Hashable {
        var sending: [Int] = []
        var sent: [Int] = []
    }
    enum Event: Hashable, Sendable { case send(Int?) }
    enum Effect: Sendable {
        case sending(Int)
        case sent(Int)
    }
    struct World: Sendable { var send: @Sendable (Int) async -> Void }

    static let send = Stub<Int, Void, Never>("send")
    static let property = "nothing is refused"
    static let trace = "e0 e0 e0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .send(let message?) = event else { return .nothing }
                let send = AnyPublisher<Effect, Never>.run { send in
                    await world.send(message)
                    send(.sent(message))
                }
                return send.job("send", isMended ? .queue : .queue(limit: 1)).prepend(.sending(message)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .sending(let message): state.sending.append(message)
                case .sent(let message):
                    state.sending.removeAll { $0 == message }
                    state.sent.append(message)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(send: $0.async(send)) }
            .events(atMost: 3) { [.send($0.sending.count + $0.sent.count + 1), .send(nil)] }
            .answers(send, with: [()])
            .eventually("all messages are sent", after: { !$0.sending.isEmpty }, until: { state in state.sending.isEmpty })
    }
}

/// Items are added to a cart under the policy of a search: of two, the first is cancelled.
enum LatestForWrites: Fault {
    struct State: Hashable {
        var wanted: [String: Int] = [:]
        var cart: [String: Int] = [:]
    }
    enum Event: Hashable, Sendable { case put(String) }
    enum Effect: Sendable {
        case wanted(String)
        case put(String)
    }
    struct World: Sendable { var put: @Sendable (String, [String: Int]) -> AnyPublisher<Void, Never> }

    static let put = Stub<(String, [String: Int]), Void, Never>("put")
    static let property = "the cart holds what was put into it"
    static let trace = "e0 e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard case .put(let item) = event else { return .nothing }
                return world.put(item, state.cart).map { .put(item) }.job("put", isMended ? .queue : .latest).prepend(
                    .wanted(item)
                )
                .eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .wanted(let item): state.wanted[item, default: 0] += 1
                case .put(let item): state.cart[item, default: 0] += 1
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(put: $0.publisher(put)) }
            .events([.put("tea"), .put("milk")], atMost: 3)
            .answers(put, with: [()])
            .whenQuiet("the cart holds what was put into it") { $0.wanted == $0.cart }
    }
}

/// The cancellation of the old work comes after the new work, and cancels that.
enum CancelsItself: Fault {
    struct State: Hashable {
        var isLoading = false
        var text = ""
    }
    enum Event: Hashable, Sendable { case reload }
    enum Effect: Sendable {
        case began
        case loaded(String)
    }
    struct World: Sendable { var load: @Sendable () async throws -> String }

    static let load = Stub<Void, String, any Error>("load")
    static let property = "it is loaded"
    static let trace = "e0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                let load = AnyPublisher<Effect, Never>.run { send in
                    send(.loaded(try await world.load()))
                } catch: { _ in
                    .loaded("no text")
                }.job("load", .merge).eraseToAnyPublisher()
                let began = AnyPublisher<Effect, Never>.just(.began)
                return isMended
                    ? began.append(AnyPublisher.cancelJob("load")).append(load).eraseToAnyPublisher()
                    : began.append(load.merge(with: .cancelJob("load"))).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state.isLoading = true
                case .loaded(let text): state = State(text: text)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(load: $0.async(load)) }
            .events([.reload], atMost: 2)
            .answers(load, with: ["text"], failing: [Unreachable()])
            .eventually("it is loaded", after: { $0.isLoading }, until: { !$0.isLoading })
    }
}

/// A rule warns of a full cart at each change, and not only when it becomes full. Feedback sends the warnings.
enum RuleForEachChange: Fault {
    struct State: Hashable {
        var items = 0
        var warnings = 0
    }
    enum Event: Hashable, Sendable { case put, warn }
    enum Effect: Sendable { case put, warned }
    struct World: Sendable { var put: @Sendable () -> AnyPublisher<Void, Never> }

    static let put = Stub<Void, Void, Never>("put")
    static let property = "one warning is enough"
    static let trace = "e0 e0 e0 a0.0 a0.0 a0.0"

    static let reducer = Reducer<State, Event, Effect, World>(
        transform: { _, event, world in
            switch event {
            case .put: world.put().map { .put }.eraseToAnyPublisher()
            case .warn: .just(.warned)
            }
        },
        apply: { (state: inout State, effect: Effect) in
            switch effect {
            case .put: state.items += 1
            case .warned: state.warnings += 1
            }
        })

    static func rule(isMended: Bool) -> Rule.Complete<State, Event> {
        isMended
            ? Rule("warn").when(.becoming { (state: State) in state.items >= 2 }).then { _ in .warn }
            : Rule("warn").when(.changing { (state: State) in state.items }).given { $0.to >= 2 }.then { _ in .warn }
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(
            reducer, given: State(), feedback: { states, _ in [Rule.events(of: [rule(isMended: isMended)], from: states)] },
            environment: { stubs in World(put: stubs.publisher(put)) }
        )
        .events([.put], atMost: 3)
        .answers(put, with: [()])
        .always("one warning is enough") { $0.warnings <= 1 }
    }
}

/// Feedback loads what the state requests, but observes only a part of it: the second page of a list is never loaded.
enum ReactionToTooLittle: Fault {
    struct Query: Hashable, Sendable {
        let list: String
        let page: UInt
    }
    struct State: Hashable {
        var wanted: Query?
        var shown: Query?
    }
    enum Event: Hashable, Sendable {
        case open(Query)
        case loaded(Query)
    }
    typealias Effect = Event
    struct World: Sendable { var load: @Sendable (Query) -> AnyPublisher<Query, Never> }

    static let load = Stub<Query, Query, Never>("load")
    static let property = "the requested content is shown"
    static let trace = "e1 a0.0"

    static let reducer = Reducer<State, Event, Effect, World>(
        transform: { _, event, _ in .just(event) },
        apply: { (state: inout State, effect: Effect) in
            switch effect {
            case .open(let query): state.wanted = query
            case .loaded(let query): state.shown = query
            }
        })

    @Sendable static func loading(
        _ states: AnyPublisher<State, Never>, _ world: World, isMended: Bool
    ) -> [AnyPublisher<Event, Never>] {
        let load: @Sendable (Query) -> AnyPublisher<Event, Never> = { world.load($0).map { .loaded($0) }.eraseToAnyPublisher() }
        if isMended { return [states.react(to: \.wanted) { load($0) }] }
        return [
            states.react(to: { $0.wanted?.list }, { list in load(Query(list: list, page: 1)) })
        ]
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer, given: State(), feedback: { loading($0, $1, isMended: isMended) }) { stubs in
            World(load: stubs.publisher(load))
        }
        .events([.open(Query(list: "a", page: 1)), .open(Query(list: "a", page: 2))], atMost: 2)
        .answers(load) { [.answer($0)] }
        .eventually("the requested content is shown") {
            $0.wanted != nil
        } until: {
            $0.wanted == $0.shown
        }
    }
}
