import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// A like is shown at once, and stays if the request fails.
enum LikeNotTakenBack: Fault {
    struct State: Hashable {
        var isLiked = false
        var isLikedOnServer = false
    }
    enum Event: Hashable, Sendable { case like }
    enum Effect: Sendable { case liked, stored, failed }
    struct World: Sendable { var like: @Sendable () async throws -> Void }

    static let like = Stub<Void, Void, any Error>("like")
    static let property = "the heart is that of the server"
    static let trace = "e0 a0.1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, _, world in
                if state.isLiked { return .nothing }
                return .run { send in
                    send(.liked)
                    try await world.like()
                    send(.stored)
                } catch: { _ in
                    isMended ? .failed : nil
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .liked: state.isLiked = true
                case .stored: state.isLikedOnServer = true
                case .failed: state.isLiked = false
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(like: $0.async(like)) }
            .events([.like], atMost: 2)
            .answers(like, with: [()], failing: [Unreachable()])
            .whenQuiet("the heart is that of the server") { $0.isLiked == $0.isLikedOnServer }
    }
}

/// A failed change is undone by restoring the whole earlier state, including what has changed since.
enum RestoresTooMuch: Fault {
    struct Todo: Hashable, Sendable {
        var title = "buy"
        var isDone = false
    }
    struct State: Hashable {
        var todo = Todo()
        var onServer = Todo()
    }
    enum Event: Hashable, Sendable {
        case rename(to: String)
        case finish
    }
    enum Effect: Sendable {
        case renamed(String)
        case finished
        case storedTitle(String)
        case storedFinish
        case failed(Todo)
        case failedTitle(String)
    }
    struct World: Sendable { var store: @Sendable (String) -> AnyPublisher<Void, Unreachable> }

    static let store = Stub<String, Void, Unreachable>("store")
    static let property = "the shown state is stored"
    static let trace = "e0 e0 a0.1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .rename(let title):
                    return world.store(title).map { .storedTitle(title) }
                        .catch { _ in Just(isMended ? .failedTitle(state.todo.title) : .failed(state.todo)) }
                        .prepend(.renamed(title)).eraseToAnyPublisher()
                case .finish:
                    return world.store("done").map { .storedFinish }.catch { _ in Empty<Effect, Never>() }.prepend(.finished)
                        .eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .renamed(let title): state.todo.title = title
                case .finished: state.todo.isDone = true
                case .storedTitle(let title): state.onServer.title = title
                case .storedFinish: state.onServer.isDone = true
                case .failed(let todo): state.todo = todo
                case .failedTitle(let title): state.todo.title = title
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(store: $0.publisher(store)) }
            .events(atMost: 2) { state in
                (state.todo.title == "buy" ? [.rename(to: "sell")] : []) + (state.todo.isDone ? [] : [.finish])
            }
            .answers(store) { $0 == "done" ? [.answer(())] : [.answer(()), .failure(Unreachable())] }
            .whenQuiet("the shown state is stored") { state in
                state.todo == state.onServer
            }
    }
}

/// A comment is shown under a temporary id until the server has assigned one; then both are shown.
enum TemporaryIDStays: Fault {
    enum ID: Hashable, Sendable {
        case own(Int)
        case server(String)
    }
    struct State: Hashable { var comments: [ID] = [] }
    enum Event: Hashable, Sendable { case write }
    enum Effect: Sendable {
        case wrote(ID)
        case stored(ID, as: ID)
        case failed(ID)
    }
    struct World: Sendable { var store: @Sendable (ID) async throws -> ID }

    static let store = Stub<ID, ID, any Error>("store")
    static let property = "all comments are the server's"
    static let trace = "e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, _, world in
                let id = ID.own(state.comments.count)
                return .run { send in
                    send(.wrote(id))
                    send(.stored(id, as: try await world.store(id)))
                } catch: { _ in
                    .failed(id)
                }.job("write", .ignoreNew).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .wrote(let id): state.comments.append(id)
                case .stored(let id, let new):
                    if isMended { state.comments.removeAll { $0 == id } }
                    state.comments.append(new)
                case .failed(let id): state.comments.removeAll { $0 == id }
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(store: $0.async(store)) }
            .events(atMost: 2) { $0.comments.count < 2 ? [.write] : [] }
            .answers(store) { id in [.answer(.server("\(id)")), .failure(Unreachable())] }
            .whenQuiet("all comments are the server's") { state in
                state.comments.allSatisfy { if case .server = $0 { true } else { false } }
            }
    }
}

/// A row whose removal fails is restored, but at the end.
enum ComesBackElsewhere: Fault {
    struct State: Hashable { var rows = ["a", "b", "c"] }
    enum Event: Hashable, Sendable { case delete(row: String) }
    enum Effect: Sendable {
        case deleted(String)
        case restored(String, at: Int?)
    }
    struct World: Sendable { var delete: @Sendable (String) -> AnyPublisher<Never, Unreachable> }

    static let delete = Stub<String, Never, Unreachable>("delete")
    static let property = "the rows are in their order"
    static let trace = "e0 a0.1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard case .delete(let row) = event else { return .nothing }
                let place = isMended ? state.rows.firstIndex(of: row) : nil
                return world.delete(row).map { (_: Never) -> Effect in }.catch { _ in Just(.restored(row, at: place)) }
                    .prepend(.deleted(row)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .deleted(let row): state.rows.removeAll { $0 == row }
                case .restored(let row, let place): state.rows.insert(row, at: min(place ?? .max, state.rows.count))
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(delete: $0.publisher(delete)) }
            .events([.delete(row: "b")], atMost: 1)
            .answers(delete) { _ in [.finish, .failure(Unreachable())] }
            .whenQuiet("the rows are in their order") { $0.rows == $0.rows.sorted() }
    }
}

/// A message leaves the outbox when it is sent, and not when it has arrived.
enum OutboxEmptiedTooEarly: Fault {
    struct State: Hashable {
        var written: Set<String> = []
        var outbox: Set<String> = []
        var arrived: Set<String> = []
    }
    enum Event: Hashable, Sendable {
        case write(String)
        case flush
    }
    enum Effect: Sendable {
        case wrote(String)
        case left(String)
        case arrived(String)
    }
    struct World: Sendable { var post: @Sendable (String) async throws -> Void }

    static let post = Stub<String, Void, any Error>("post")
    static let property = "no message is lost"
    static let trace = "e0 e1 a0.1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .write(let text): return .just(.wrote(text))
                case .flush:
                    guard let text = state.outbox.min() else { return .nothing }
                    return .run { send in
                        if !isMended { send(.left(text)) }
                        try await world.post(text)
                        send(.arrived(text))
                        send(.left(text))
                    } catch: { _ in
                        nil
                    }.job("flush", .ignoreNew).eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .wrote(let text):
                    state.written.insert(text)
                    state.outbox.insert(text)
                case .left(let text): state.outbox.remove(text)
                case .arrived(let text): state.arrived.insert(text)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(post: $0.async(post)) }
            .events([.write("a\n\"b\""), .flush], atMost: 3)
            .answers(post, with: [()], failing: [Unreachable()])
            .whenQuiet("no message is lost") { $0.outbox.union($0.arrived) == $0.written }
    }
}
