import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// An upload is cancelled on the screen, but continues: its next progress shows it as running again.
enum UploadGoesOn: Fault {
    enum Phase: Hashable, Sendable {
        case idle
        case running(percent: Int)
        case cancelled
    }
    struct State: Hashable {
        var phase = Phase.idle
        var wasCancelled = false
    }
    enum Event: Hashable, Sendable { case start, cancel }
    enum Effect: Sendable { case phase(Phase) }
    struct World: Sendable { var upload: @Sendable () -> AnyPublisher<Int, Unreachable> }

    static let upload = Stub<Void, Int, Unreachable>("upload")
    static let property = "a cancelled upload does not run"
    static let trace = "e0 e1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .start where state.phase == .idle:
                    world.upload().map { .phase(.running(percent: $0)) }.replaceError(with: .phase(.idle))
                        .prepend(.phase(.running(percent: 0))).job("upload").eraseToAnyPublisher()
                case .start: .nothing
                case .cancel where isMended: AnyPublisher.cancelJob("upload").append(.phase(.cancelled)).eraseToAnyPublisher()
                case .cancel: .just(.phase(.cancelled))
                }
            },
            apply: { (state: inout State, effect: Effect) in
                guard case .phase(let phase) = effect else { return }
                state.phase = phase
                if phase == .cancelled { state.wasCancelled = true }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(upload: $0.publisher(upload)) }
            .events([.start, .cancel], atMost: 2)
            .answers(upload, atMost: 2) { _ in [.send(50), .send(90), .answer(100), .failure(Unreachable())] }
            .always("a cancelled upload does not run") { state in
                if state.wasCancelled, case .running = state.phase { false } else { true }
            }
    }
}

/// A download is started under the file's id, and cancelled under the id's text: two different jobs.
enum CancelledUnderAnotherID: Fault {
    struct State: Hashable {
        var files: [Int: String] = [:]
        var unwanted: Set<Int> = []
    }
    enum Event: Hashable, Sendable {
        case download(Int)
        case cancel(Int)
    }
    enum Effect: Sendable {
        case wanted(Int)
        case unwanted(Int)
        case got(Int, String)
    }
    struct World: Sendable { var download: @Sendable (Int) async throws -> String }

    static let download = Stub<Int, String, any Error>("download")
    static let property = "no file is there that was cancelled"
    static let trace = "e0 e2 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                switch event {
                case .download(let file):
                    return .run { send in
                        send(.wanted(file))
                        send(.got(file, try await world.download(file)))
                    } catch: { _ in
                        nil
                    }.job(file, .ignoreNew).eraseToAnyPublisher()
                case .cancel(let file):
                    let cancel: AnyPublisher<Effect, Never> = isMended ? .cancelJob(file) : .cancelJob("\(file)")
                    return cancel.append(.unwanted(file)).eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .wanted(let file): state.unwanted.remove(file)
                case .unwanted(let file): (_, state.files[file]) = (state.unwanted.insert(file), nil)
                case .got(let file, let text): state.files[file] = text
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(download: $0.async(download)) }
            .events([.download(1), .download(2), .cancel(1)], atMost: 3)
            .answers(download) { [.answer("file \($0)")] }
            .whenQuiet("no file is there that was cancelled") { $0.unwanted.isDisjoint(with: $0.files.keys) }
    }
}

/// A screen polls for news every minute, and continues after it was closed.
enum PollingBehindAClosedScreen: Fault {
    struct State: Hashable {
        var isOpen = false
        var asks = 0
        var asksWhileClosed = 0
    }
    enum Event: Hashable, Sendable { case open, close }
    enum Effect: Sendable { case opened, closed, asked }
    struct World: Sendable {
        var news: @Sendable () async throws -> String
        var clock: any Clock<Duration>
    }

    static let news = Stub<Void, String, any Error>("news")
    static let property = "nothing is asked for behind a closed screen"
    static let trace = "e0 e1 t"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .open:
                    return .run { send in
                        send(.opened)
                        for _ in 0..<2 {
                            try await world.clock.sleep(for: .seconds(60))
                            send(.asked)
                            _ = try await world.news()
                        }
                    } catch: { _ in
                        nil
                    }.job("news").eraseToAnyPublisher()
                case .close:
                    let closed = AnyPublisher<Effect, Never>.just(.closed)
                    return isMended ? AnyPublisher.cancelJob("news").append(closed).eraseToAnyPublisher() : closed
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .opened: state.isOpen = true
                case .closed: state.isOpen = false
                case .asked: if state.isOpen { state.asks += 1 } else { state.asksWhileClosed += 1 }
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(news: $0.async(news), clock: $0.clock) }
            .events(atMost: 2) { $0.isOpen ? [.open, .close] : [.open] }
            .answers(news, with: ["none", "much"], failing: [Unreachable()])
            .always("nothing is asked for behind a closed screen") { $0.asksWhileClosed == 0 }
    }
}

/// The job ends when the ids have arrived; the pictures that are loaded for them downstream are not part of it.
enum JobUpstreamOfFlatMap: Fault {
    struct State: Hashable {
        var album = ""
        var pictures: [String] = []
    }
    enum Event: Hashable, Sendable { case open(album: String) }
    enum Effect: Sendable {
        case opened(String)
        case picture(String)
    }
    struct World: Sendable {
        var ids: @Sendable (String) -> AnyPublisher<Int, Never>
        var picture: @Sendable (String, Int) -> AnyPublisher<String, Never>
    }

    static let ids = Stub<String, Int, Never>("ids")
    static let picture = Stub<(String, Int), String, Never>("picture")
    static let property = "an album shows its own pictures"
    static let trace = "e0 a0.0 e1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .open(let album) = event else { return .nothing }
                let load: @Sendable (Int) -> AnyPublisher<Effect, Never> = {
                    world.picture(album, $0).map { .picture($0) }.eraseToAnyPublisher()
                }
                let opened = AnyPublisher<Effect, Never>.just(.opened(album))
                return isMended
                    ? opened.append(world.ids(album).flatMap(load)).job("album").eraseToAnyPublisher()
                    : opened.append(world.ids(album).job("album").flatMap(load)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .opened(let album): state = State(album: album)
                case .picture(let picture): state.pictures.append(picture)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(ids: $0.publisher(ids), picture: $0.publisher(picture)) }
            .events([.open(album: "sea"), .open(album: "sky")], atMost: 2)
            .answers(ids) { _ in [.send(1), .answer(2), .finish] }
            .answers(picture) { album, _ in [.answer(album)] }
            .always("an album shows its own pictures") { state in state.pictures.allSatisfy { $0 == state.album } }
    }
}

/// Money is withdrawn from one account before it is credited to the other: if the system cancels the task in between, it is
/// lost.
enum TransferCutInTwo: Fault {
    struct State: Hashable {
        var mine = 5
        var yours = 0
    }
    enum Event: Hashable, Sendable { case give(Int) }
    enum Effect: Sendable {
        case taken(Int)
        case given(Int)
        case moved(Int)
    }
    struct World: Sendable { var give: @Sendable (Int) async throws -> Void }

    static let give = Stub<Int, Void, any Error>("give")
    static let property = "no money is lost"
    static let trace = "e0 c0"
    static let hasPlan = false

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard case .give(let sum) = event, state.mine >= sum else { return .nothing }
                return .run { send in
                    if !isMended { send(.taken(sum)) }
                    try await world.give(sum)
                    send(isMended ? .moved(sum) : .given(sum))
                } catch: { _ in
                    isMended ? nil : .taken(-sum)
                }.job("give", .ignoreNew).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .taken(let sum): state.mine -= sum
                case .given(let sum): state.yours += sum
                case .moved(let sum): (state.mine, state.yours) = (state.mine - sum, state.yours + sum)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(give: $0.async(give)) }
            .events([.give(2)], atMost: 2)
            .answers(give, with: [()], failing: [Unreachable()])
            .cancelsAnywhere()
            .whenQuiet("no money is lost") { $0.mine + $0.yours == 5 }
    }
}

/// A stream appended to a job runs even if the job is cancelled or ignored: the backup is shown as done.
enum DoneAfterCancel: Fault {
    struct State: Hashable {
        var parts: [Bool] = []
        var isDone = false
    }
    enum Event: Hashable, Sendable { case backUp, cancel }
    enum Effect: Sendable { case part, done }
    struct World: Sendable { var backUp: @Sendable () -> AnyPublisher<Void, Never> }

    static let backUp = Stub<Void, Void, Never>("backUp")
    static let property = "never: it is done without its parts"
    static let trace = "e1 e0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .backUp:
                    guard state.parts.isEmpty else { return .nothing }
                    let parts = world.backUp().append(world.backUp()).map { _ in Effect.part }
                    return isMended
                        ? parts.append(.done).job("backup", .ignoreNew).eraseToAnyPublisher()
                        : parts.job("backup", .ignoreNew).append(.done).eraseToAnyPublisher()
                case .cancel: return .cancelJob("backup")
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .part: state.parts.append(true)
                case .done: state.isDone = true
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(backUp: $0.publisher(backUp)) }
            .events([.cancel, .backUp], atMost: 2)
            .answers(backUp, with: [()])
            .never("it is done without its parts") { $0.isDone && $0.parts.count < 2 }
    }
}
