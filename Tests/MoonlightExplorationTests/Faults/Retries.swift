import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// The program retries after a while, and the user before that: both succeed, and the rows are there twice.
enum RetryBesideRetry: Fault {
    struct State: Hashable { var rows: [Int] = [] }
    enum Event: Hashable, Sendable { case load }
    enum Effect: Sendable { case loaded(Int) }
    struct World: Sendable {
        var load: @Sendable () -> AnyPublisher<Int, Unreachable>
        var time: VirtualTimeScheduler
    }

    static let load = Stub<Void, Int, Unreachable>("load")
    static let property = "each row is there once"
    static let trace = "e0 e0 a0.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, _, world in
                guard state.rows.isEmpty else { return .nothing }
                let again = world.load().delay(for: .seconds(5), scheduler: world.time)
                let load = world.load().catch { _ in again }.catch { _ in Empty<Int, Never>() }.map { Effect.loaded($0) }
                return isMended ? load.job("load", .latest).eraseToAnyPublisher() : load.eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                if case .loaded(let row) = effect { state.rows.append(row) }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(load: $0.publisher(load), time: $0.scheduler) }
            .events([.load], atMost: 2)
            .answers(load, with: [7], failing: [Unreachable()])
            .always("each row is there once") { Set($0.rows).count == $0.rows.count }
    }
}

/// The program gives up after two failures in a row, but counts all failures.
enum FailuresNotForgotten: Fault {
    struct State: Hashable {
        var failures = 0
        var wasLastGood = true
        var isOver = false
    }
    enum Event: Hashable, Sendable { case sync }
    enum Effect: Sendable { case synced, failed }
    struct World: Sendable { var sync: @Sendable () async throws -> Void }

    static let sync = Stub<Void, Void, any Error>("sync")
    static let property = "it ends only with two failures in a row"
    static let trace = "e0 a0.1 e0 a0.0 e0 a0.1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, _, world in
                if state.isOver { return .nothing }
                return .run { send in
                    try await world.sync()
                    send(.synced)
                } catch: { _ in
                    .failed
                }.job("sync", .ignoreNew).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .synced:
                    state.wasLastGood = true
                    if isMended { state.failures = 0 }
                case .failed:
                    state.failures += 1
                    // The property is about what the user sees.
                    if state.failures == 2 { state.isOver = true } else { state.wasLastGood = false }
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(sync: $0.async(sync)) }
            .events([.sync])
            .answers(sync, with: [()], failing: [Unreachable()])
            .always("it ends only with two failures in a row") { !$0.isOver || !$0.wasLastGood }
    }
}

/// A forbidden request is retried forever, as if the connection were bad.
enum RetriesWhatIsForbidden: Fault {
    enum Problem: Error, Hashable { case forbidden }
    struct Attempt: Hashable, Sendable { var hasFailed = false }
    struct State: Hashable {
        var attempt: Attempt?
        var text = ""
    }
    enum Event: Hashable, Sendable {
        case open
        case failed
        case attempt(Int)
    }
    enum Effect: Sendable {
        case began
        case failed(Bool)
        case shows(String)
    }
    struct World: Sendable { var read: @Sendable () -> AnyPublisher<String, Problem> }

    static let read = Stub<Void, String, Problem>("read")
    static let property = "something is shown"
    static let trace = "e0 a0.0 * a0.0"
    static let hasPlan = false

    /// A failed attempt is a result, which the program answers with another attempt.
    private static let attempt = Reducer<Attempt, Int, Bool, World>(
        transform: { _, _, _ in .nothing }, apply: { (attempt: inout Attempt, hasFailed: Bool) in attempt.hasFailed = hasFailed })

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer<State, Event, Effect, World>(
            transform: { state, event, world in
                switch event {
                case .attempt: return .nothing
                case .open where state != State(): return .nothing
                case .failed where isMended: return .just(.shows("You may not read this."))
                case .open, .failed:
                    return world.read().map { .shows($0) }.catch { _ in Just(.failed(true)) }.prepend(.began)
                        .eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state.attempt = Attempt()
                case .failed: break
                case .shows(let text): state = State(text: text)
                }
            }
        ).combined(
            with: attempt.scoped(
                toOptional: \.attempt, event: CasePath(Event.attempt) { if case .attempt(let event) = $0 { event } else { nil } },
                effect: CasePath(Effect.failed) { if case .failed(let hasFailed) = $0 { hasFailed } else { nil } },
                environment: { $0 }, result: { $0.hasFailed ? .failed : nil }))
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(read: $0.publisher(read)) }
            .events([.open], atMost: 1)
            .answers(read, failing: [.forbidden])
            .eventually("something is shown", after: { $0.attempt != nil }, until: { !$0.text.isEmpty })
    }
}

/// The delay before the next attempt is announced, but does not grow.
enum WaitDoesNotGrow: Fault {
    struct State: Hashable {
        var waits: [Duration] = []
        var text = ""
    }
    enum Event: Hashable, Sendable { case connect }
    enum Effect: Sendable {
        case waiting(Duration)
        case connected
    }
    struct World: Sendable {
        var connect: @Sendable (Int) async throws -> Void
        var clock: any Clock<Duration>
    }

    static let connect = Stub<Int, Void, any Error>("connect")
    static let property = "each wait is longer than the one before"
    static let trace = "e0 a0.1 t a0.1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                .run { send in
                    for attempt in 1...3 {
                        do {
                            try await world.connect(attempt)
                            return send(.connected)
                        } catch is Unreachable {
                            let wait = Duration.milliseconds(250) * (isMended ? 1 << attempt : 2)
                            send(.waiting(wait))
                            try await world.clock.sleep(for: wait)
                        }
                    }
                } catch: { _ in
                    nil
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .waiting(let wait): state.waits.append(wait)
                case .connected: state.text = "connected"
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(connect: $0.async(connect), clock: $0.clock) }
            .events([.connect], atMost: 1)
            .answers(connect, with: [()], failing: [Unreachable()])
            .always("each wait is longer than the one before") { zip($0.waits, $0.waits.dropFirst()).allSatisfy { $0 < $1 } }
    }
}

/// An interrupted download starts again, and the chunks that had arrived stay.
enum ChunksTwice: Fault {
    struct State: Hashable { var chunks: [UInt8] = [] }
    enum Event: Hashable, Sendable { case download }
    enum Effect: Sendable {
        case began
        case chunk(UInt8)
    }
    struct World: Sendable { var download: @Sendable () -> AnyPublisher<UInt8, Unreachable> }

    static let download = Stub<Void, UInt8, Unreachable>("download")
    static let property = "never: a chunk is there twice"
    static let trace = "e0 a0.0 a0.1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                let chunks = world.download().map { Effect.chunk($0) }
                return
                    (isMended
                    ? chunks.prepend(.began).retry(1).eraseToAnyPublisher()
                    : chunks.retry(1).prepend(.began).eraseToAnyPublisher())
                    .catch { _ in Empty<Effect, Never>() }.eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state.chunks = []
                case .chunk(let chunk): state.chunks.append(chunk)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(download: $0.publisher(download)) }
            .events([.download], atMost: 1)
            .answers(download) { _ in [.send(0xff), .finish, .failure(Unreachable())] }
            .never("a chunk is there twice") { $0.chunks.count > 1 }
    }
}

/// Each request whose token has expired refreshes it, so that the second refresh invalidates the first token.
enum TwoRefreshes: Fault {
    enum Problem: Error, Hashable { case expired }
    struct State: Hashable {
        var refreshes = 0
        var pages: [String] = []
    }
    enum Event: Hashable, Sendable {
        case get(String)
        case refreshed
    }
    enum Effect: Sendable {
        case got(String)
        case refreshing
        case refreshed
    }
    struct World: Sendable {
        var get: @Sendable (String) -> AnyPublisher<String, Problem>
        var refresh: @Sendable () -> AnyPublisher<Void, Never>
    }

    static let get = Stub<String, String, Problem>("get")
    static let refresh = Stub<Void, Void, Never>("refresh")
    static let property = "one refresh at a time"
    static let trace = "e0 e0 a0.1 a1.1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .get(let page) = event else { return .nothing }
                let refresh = world.refresh().map { Effect.refreshed }.prepend(.refreshing)
                return world.get(page).map { .got($0) }
                    .catch { _ in
                        isMended ? refresh.job("refresh", .ignoreNew).eraseToAnyPublisher() : refresh.eraseToAnyPublisher()
                    }
                    .eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .got(let page): state.pages.append(page)
                case .refreshing: state.refreshes += 1
                case .refreshed: state.refreshes -= 1
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(get: $0.publisher(get), refresh: $0.publisher(refresh)) }
            .events([.get("/"), .get("/a?b=\"c\"\\d")], atMost: 2)
            .answers(get, with: ["page"], failing: [.expired])
            .answers(refresh, with: [()])
            .always("one refresh at a time") { $0.refreshes < 2 }
    }
}

/// The number of the next page is incremented on the request, so that a page that fails is never loaded.
enum PageSkipped: Fault {
    struct State: Hashable {
        var next = 0
        var pages: [Int] = []
    }
    enum Event: Hashable, Sendable { case more }
    enum Effect: Sendable {
        case asked
        case page(Int)
    }
    struct World: Sendable { var page: @Sendable (Int) async throws -> Int }

    static let page = Stub<Int, Int, any Error>("page")
    static let property = "no page is missing before another"
    static let trace = "e0 a0.1 e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, _, world in
                .run { send in
                    if !isMended { send(.asked) }
                    send(.page(try await world.page(state.next)))
                    if isMended { send(.asked) }
                } catch: { _ in
                    nil
                }.job("more", .ignoreNew).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .asked: state.next += 1
                case .page(let page): state.pages.append(page)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(page: $0.async(page)) }
            .events(atMost: 4) { $0.pages.count < 2 ? [.more] : [] }
            .answers(page) { [.answer($0), .failure(Unreachable())] }
            .always("no page is missing before another") { $0.pages == Array(0..<$0.pages.count) }
    }
}
