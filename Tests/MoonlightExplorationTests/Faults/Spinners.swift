import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// The failure is shown, and the spinner beside it continues.
enum SpinnerAfterError: Fault {
    enum Problem: Error, Hashable {
        case badPassword
        case locked(minutes: Int, reason: String?)
    }
    struct State: Hashable {
        var isLoading = false
        var message: String?
    }
    enum Event: Hashable, Sendable { case logIn(user: String, password: String) }
    enum Effect: Sendable {
        case began
        case loggedIn
        case failed(Problem)
    }
    struct World: Sendable { var logIn: @Sendable (String, String) async throws(Problem) -> Void }

    static let logIn = Stub<(String, String), Void, Problem>("logIn")
    static let property = "a login has an outcome"
    static let trace = "e0 a0.2"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard !state.isLoading, case .logIn(let user, let password) = event else { return .nothing }
                return AnyPublisher<Effect, Problem>.run { send throws(Problem) in
                    send(.began)
                    try await world.logIn(user, password)
                    send(.loggedIn)
                }.catch { Just(.failed($0)) }.eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state = State(isLoading: true)
                case .loggedIn, .failed(.badPassword): state = State(message: "\(effect)")
                case .failed(.locked(let minutes, _)):
                    state.message = "locked for \(minutes) minutes"
                    if isMended { state.isLoading = false }
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(logIn: $0.async(logIn)) }
            .events([.logIn(user: "ann", password: "\u{1F511}")], atMost: 2)
            .answers(logIn, with: [()], failing: [.badPassword, .locked(minutes: 5, reason: nil)])
            .eventually("a login has an outcome", after: { $0.isLoading }, until: { !$0.isLoading })
    }
}

/// A stream that finishes without a value is taken for a pending one.
enum SpinnerAfterNothing: Fault {
    struct State: Hashable {
        var isLoading = false
        var hits: [String] = []
    }
    enum Event: Hashable, Sendable { case search }
    enum Effect: Sendable {
        case began
        case hits([String])
    }
    struct World: Sendable { var search: @Sendable () -> AnyPublisher<String, Never> }

    static let search = Stub<Void, String, Never>("search")
    static let property = "nothing is left spinning"
    static let trace = "e0 a0.2"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                let hits = world.search().map { Effect.hits([$0]) }
                return (isMended ? hits.replaceEmpty(with: .hits([])).eraseToAnyPublisher() : hits.eraseToAnyPublisher())
                    .prepend(.began).job("search").eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state = State(isLoading: true)
                case .hits(let hits): (state.isLoading, state.hits) = (false, state.hits + hits)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(search: $0.publisher(search)) }
            .events([.search], atMost: 2)
            .answers(search, atMost: 2) { _ in [.send("a"), .answer("b"), .finish] }
            .whenQuiet("nothing is left spinning") { !$0.isLoading }
    }
}

/// Spinners are counted, but a request that is replaced by a newer one never decrements the count.
enum SpinnersCounted: Fault {
    struct State: Hashable {
        var spinners = 0
        var text = ""
    }
    enum Event: Hashable, Sendable { case refresh(Int) }
    enum Effect: Sendable {
        case began
        case ended(String)
    }
    struct World: Sendable { var load: @Sendable (Int) async throws -> String }

    static let load = Stub<Int, String, any Error>("load")
    static let property = "nothing spins when all is done"
    static let trace = "e0 e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .refresh(let page) = event else { return .nothing }
                return .run { send in
                    send(.began)
                    send(.ended(try await world.load(page)))
                } catch: {
                    .ended("\($0)")
                }.job("refresh", .latest).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state.spinners = isMended ? 1 : state.spinners + 1
                case .ended(let text): state = State(spinners: isMended ? 0 : state.spinners - 1, text: text)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(load: $0.async(load)) }
            .events([.refresh(-1)], atMost: 3)
            .answers(load) { [.answer("page \($0)"), .failure(Unreachable())] }
            .whenQuiet("nothing spins when all is done") { $0.spinners == 0 }
    }
}

/// Two parts of a screen load under one flag: the first to finish clears it for both.
enum FlagOfTwo: Fault {
    enum Part: Hashable, Sendable, CaseIterable { case head, list }
    struct State: Hashable {
        var isLoading = false
        var missing: Set<Part> = []
    }
    enum Event: Hashable, Sendable { case open }
    enum Effect: Sendable {
        case began
        case loaded(Part)
    }
    struct World: Sendable { var load: @Sendable (Part) -> AnyPublisher<Void, Never> }

    static let load = Stub<Part, Void, Never>("load")
    static let property = "it spins as long as something is missing"
    static let trace = "e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                AnyPublisher.just(.began)
                    .merge(with: Publishers.MergeMany(Part.allCases.map { part in world.load(part).map { Effect.loaded(part) } }))
                    .job("open", .ignoreNew).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state = State(isLoading: true, missing: Set(Part.allCases))
                case .loaded(let part):
                    state.missing.remove(part)
                    state.isLoading = isMended && !state.missing.isEmpty
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(load: $0.publisher(load)) }
            .events([.open])
            .answers(load, with: [()])
            .always("it spins as long as something is missing") { $0.isLoading == !$0.missing.isEmpty }
    }
}

/// The work is cancelled, and with it the effect that would have hidden the spinner.
enum SpinnerOfTheCancelled: Fault {
    struct State: Hashable {
        var isConverting = false
        var result: String?
    }
    enum Event: Hashable, Sendable { case convert, cancel }
    enum Effect: Sendable {
        case began
        case converted(String)
        case cancelled
    }
    struct World: Sendable { var convert: @Sendable () async throws -> String }

    static let convert = Stub<Void, String, any Error>("convert")
    static let property = "can always convert once more"
    static let trace = "e0 e1"
    static let hasPlan = false

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .convert:
                    if state.isConverting { return .nothing }
                    return .run { send in
                        send(.began)
                        send(.converted(try await world.convert()))
                    } catch: {
                        $0 is CancellationError ? nil : .cancelled
                    }.job("convert").eraseToAnyPublisher()
                case .cancel:
                    let cancel = AnyPublisher<Effect, Never>.cancelJob("convert")
                    return isMended ? cancel.append(.cancelled).eraseToAnyPublisher() : cancel
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state.isConverting = true
                case .converted(let result): state = State(isConverting: false, result: result)
                case .cancelled: state.isConverting = false
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(convert: $0.async(convert)) }
            .events([.convert, .cancel])
            .answers(convert, with: ["done"], failing: [Unreachable()])
            .canAlways("convert once more") { !$0.isConverting }
    }
}

/// A cached value need not be loaded again, but the spinner was shown before the cache was checked.
enum SpinnerBeforeCache: Fault {
    struct State: Hashable {
        var isLoading = false
        var cache: [String: Int] = [:]
    }
    enum Event: Hashable, Sendable { case weather(in: String) }
    enum Effect: Sendable {
        case began
        case loaded(String, Int)
    }
    struct World: Sendable { var degrees: @Sendable (String) -> AnyPublisher<Int, Never> }

    static let degrees = Stub<String, Int, Never>("degrees")
    static let property = "the weather is shown in the end"
    static let trace = "e0 a0.0 e0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard case .weather(let city) = event else { return .nothing }
                if state.cache[city] != nil { return isMended ? .nothing : .just(.began) }
                return world.degrees(city).map { .loaded(city, $0) }.prepend(.began).job(city, .ignoreNew).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state.isLoading = true
                case .loaded(let city, let degrees): (state.isLoading, state.cache[city]) = (false, degrees)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(degrees: $0.publisher(degrees)) }
            .events([.weather(in: "Oslo"), .weather(in: "Bari")], atMost: 3)
            .answers(degrees) { $0 == "Oslo" ? [.answer(-5), .answer(0)] : [.answer(21)] }
            .eventually("the weather is shown in the end", after: { $0.isLoading }, until: { state in !state.isLoading })
    }
}
