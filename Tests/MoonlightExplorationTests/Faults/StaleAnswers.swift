import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// Each key starts a search, and the answer to an earlier one may arrive last.
enum SearchWithoutJob: Fault {
    struct State: Hashable {
        var query = ""
        var found = ""
    }
    enum Event: Hashable, Sendable { case typed(String) }
    enum Effect: Sendable {
        case asked(String)
        case found(String)
    }
    struct World: Sendable { var find: @Sendable (String) async throws -> String }

    static let find = Stub<String, String, any Error>("find")
    static let property = "every result belongs to the question"
    static let trace = "e0 e1 a1.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .typed(let query) = event else { return .nothing }
                let search = AnyPublisher<Effect, Never>.run { send in
                    send(.asked(query))
                    send(.found(try await world.find(query)))
                } catch: { _ in
                    nil
                }
                return isMended ? search.job("search", .latest).eraseToAnyPublisher() : search
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .asked(let query): state = State(query: query)
                case .found(let found): state.found = found
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(find: $0.async(find)) }
            .events([.typed("mo"), .typed("moon")], atMost: 2)
            .answers(find) { [.answer("all of \($0)")] }
            .whenQuiet("every result belongs to the question") { $0.found.isEmpty || $0.found == "all of \($0.query)" }
    }
}

/// A row is selected, then another: the details of the first are shown under the title of the second.
enum DetailsOfAnotherRow: Fault {
    struct Details: Hashable, Sendable {
        let id: Int
        let text: String
    }
    struct State: Hashable {
        var selected: Int?
        var details: Details?
    }
    enum Event: Hashable, Sendable { case select(id: Int) }
    enum Effect: Sendable {
        case selected(Int)
        case loaded(Details)
    }
    struct World: Sendable { var details: @Sendable (Int) -> AnyPublisher<Details, Never> }

    static let details = Stub<Int, Details, Never>("details")
    static let property = "the details are those of the selected row"
    static let trace = "e0 e1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .select(let id) = event else { return .nothing }
                return world.details(id).map { .loaded($0) }.prepend(.selected(id)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .selected(let id): state = State(selected: id, details: state.details?.id == id ? state.details : nil)
                case .loaded(let details):
                    if isMended, details.id != state.selected { return }
                    state.details = details
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(details: $0.publisher(details)) }
            .events([.select(id: 1), .select(id: 2)], atMost: 3)
            .answers(details) { [.answer(Details(id: $0, text: "\"\($0)\""))] }
            .always("the details are those of the selected row") { state in
                guard let details = state.details else { return true }
                return details.id == state.selected  // A plan repeats this, with its comment.
            }
    }
}

/// A list is filtered while its next page is in flight: the page of the old filter is appended to the new list.
enum PageOfAnotherFilter: Fault {
    enum Filter: Hashable, Sendable { case all, unread }
    struct State: Hashable {
        var filter = Filter.all
        var rows: [String] = []
    }
    enum Event: Hashable, Sendable {
        case more
        case show(Filter)
    }
    enum Effect: Sendable {
        case page([String])
        case shows(Filter)
    }
    struct World: Sendable { var page: @Sendable (Filter, Int) -> AnyPublisher<[String], Never> }

    static let page = Stub<(Filter, Int), [String], Never>("page")
    static let property = "never: a row of another filter is shown"
    static let trace = "e0 e1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .more:
                    world.page(state.filter, state.rows.count).map { .page($0) }.job("page", .ignoreNew).eraseToAnyPublisher()
                case .show(let filter):
                    isMended
                        ? AnyPublisher.cancelJob("page").append(.shows(filter)).eraseToAnyPublisher() : .just(.shows(filter))
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .page(let rows): state.rows += rows
                case .shows(let filter): state = State(filter: filter)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(page: $0.publisher(page)) }
            .events(atMost: 3) { [.more, .show($0.filter == .all ? .unread : .all)] }
            .answers(page) { filter, number in [.answer(["\(filter) \(number)"]), .finish] }
            .never("a row of another filter is shown") { state in state.rows.contains { !$0.hasPrefix("\(state.filter)") } }
    }
}

/// The new sum is computed from the sum at the time of the event, and not at the time of the answer: of two additions, one is
/// lost.
enum SumOfAnOldState: Fault {
    struct State: Hashable {
        var items = 0
        var sum = 0.0
    }
    enum Event: Hashable, Sendable { case add(item: String) }
    enum Effect: Sendable {
        case added
        case sum(Double)
        case price(Double)
    }
    struct World: Sendable { var price: @Sendable (String) -> AnyPublisher<Double, Never> }

    static let price = Stub<String, Double, Never>("price")
    static let property = "each item costs 1.5"
    static let trace = "e0 e0 a0.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard case .add(let item) = event else { return .nothing }
                return world.price(item).map { isMended ? .price($0) : .sum(state.sum + $0) }.prepend(.added)
                    .eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .added: state.items += 1
                case .sum(let sum): state.sum = sum
                case .price(let price): state.sum += price
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(price: $0.publisher(price)) }
            .events([.add(item: "book")], atMost: 3)
            .answers(price, with: [1.5])
            .whenQuiet("each item costs 1.5") { $0.sum == 1.5 * Double($0.items) }
    }
}

/// The cached and the new value are requested at the same time, and the cache may be the slower one.
enum CacheAfterNetwork: Fault {
    enum Source: Hashable, Sendable { case cache, network }
    struct State: Hashable { var shown: Source? }
    enum Event: Hashable, Sendable { case open }
    enum Effect: Sendable { case got(Source) }
    struct World: Sendable {
        var read: @Sendable () -> AnyPublisher<Source, Never>
        var fetch: @Sendable () -> AnyPublisher<Source, Never>
    }

    static let read = Stub<Void, Source, Never>("read")
    static let fetch = Stub<Void, Source, Never>("fetch")
    static let property = "the fetched value is shown"
    static let trace = "e0 a1.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                let (cached, new) = (world.read().map { Effect.got($0) }, world.fetch().map { Effect.got($0) }.share())
                return isMended
                    // The fetched value ends the wait for the cache.
                    ? cached.prefix(untilOutputFrom: new).merge(with: new).eraseToAnyPublisher()
                    : cached.merge(with: new).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                guard case .got(let source) = effect else { return }
                state.shown = source
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(read: $0.publisher(read), fetch: $0.publisher(fetch)) }
            .events([.open], atMost: 1)
            .answers(read) { _ in [.answer(.cache), .finish] }
            .answers(fetch, with: [.network])
            .whenQuiet("the fetched value is shown", { $0.shown != .cache })
    }
}

/// A name is found to be free; then another one is typed, and submitted because of that result.
enum CheckOfAnOldName: Fault {
    struct State: Hashable {
        var name = ""
        var isFree: Bool?
        var submitted: String?
    }
    enum Event: Hashable, Sendable {
        case typed(String)
        case submit
    }
    enum Effect: Sendable {
        case typed(String)
        case checked(Bool)
        case submitted
    }
    struct World: Sendable { var isFree: @Sendable (String) async -> Bool }

    static let isFree = Stub<String, Bool, Never>("isFree")
    static let property = "never: a name is submitted that is taken"
    static let trace = "e0 a0.0 e1 e2"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .typed(let name):
                    return .run { send in
                        send(.typed(name))
                        send(.checked(await world.isFree(name)))
                    }.job("check", .latest).eraseToAnyPublisher()
                case .submit: return state.isFree == true && state.submitted == nil ? .just(.submitted) : .nothing
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .typed(let name):
                    state.name = name
                    if isMended { state.isFree = nil }
                case .checked(let isFree): state.isFree = isFree
                case .submitted: state.submitted = state.name
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(isFree: $0.async(isFree)) }
            .events([.typed("ann"), .typed("bob"), .submit], atMost: 3)
            .answers(isFree) { [.answer($0 == "ann")] }
            .never("a name is submitted that is taken") { $0.submitted == "bob" }
    }
}

/// A balance is requested twice with equal requests, and the first answer arrives last.
enum OlderBalance: Fault {
    struct State: Hashable {
        var asked = 0
        var shown = 0
        var isBack = false
    }
    enum Event: Hashable, Sendable { case refresh }
    enum Effect: Sendable {
        case asked
        case got(number: Int)
    }
    struct World: Sendable { var balance: @Sendable () -> AnyPublisher<Void, Never> }

    static let balance = Stub<Void, Void, Never>("balance")
    static let property = "never: an older balance is shown after a newer one"
    static let trace = "e0 e0 a1.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, _, world in
                let number = state.asked + 1
                return world.balance().map { .got(number: number) }.prepend(.asked).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .asked: state.asked += 1
                case .got(let number):
                    if isMended, number < state.shown { return }
                    (state.shown, state.isBack) = (number, number < state.shown)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(balance: $0.publisher(balance)) }
            .events([.refresh], atMost: 3)
            .answers(balance, with: [()])
            .never("an older balance is shown after a newer one") { $0.isBack }
    }
}
