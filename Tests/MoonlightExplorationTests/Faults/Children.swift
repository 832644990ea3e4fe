import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// The parent loads the text of a row, and stores it under the row's id even if the row has been removed.
enum RemovedRowComesBack: Fault {
    struct State: Hashable {
        var rows: [Int: String] = [1: ""]
        var removed: Set<Int> = []
    }
    enum Event: Hashable, Sendable {
        case load(Int)
        case remove(Int)
    }
    enum Effect: Sendable {
        case loaded(Int, String)
        case removed(Int)
    }
    struct World: Sendable { var text: @Sendable (Int) async -> String }

    static let text = Stub<Int, String, Never>("text")
    static let property = "a row that was removed stays away"
    static let trace = "e0 e1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                switch event {
                case .load(let id): .run { send in send(.loaded(id, await world.text(id))) }
                case .remove(let id): .just(.removed(id))
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .loaded(let id, let text): if !isMended || state.rows[id] != nil { state.rows[id] = text }
                case .removed(let id):
                    state.rows[id] = nil
                    state.removed.insert(id)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(text: $0.async(text)) }
            .events(atMost: 3) { $0.rows.keys.sorted().flatMap { [.load($0), .remove($0)] } }
            .answers(text, with: ["one"])
            .always("a row that was removed stays away") { $0.removed.isDisjoint(with: $0.rows.keys) }
    }
}

/// The details of one item are replaced by those of another. Without an id, it is the same child, which receives both
/// answers.
enum ReplacedChild: Fault {
    struct Item: Hashable, Sendable {
        let id: Int
        let text: String?
    }
    enum ItemEvent: Hashable, Sendable { case load }
    struct State: Hashable { var item: Item? }
    enum Event: Hashable, Sendable {
        case show(Item)
        case item(ItemEvent)
    }
    enum Effect: Sendable {
        case shows(Item)
        case item(String)
    }
    struct World: Sendable { var text: @Sendable (Int) -> AnyPublisher<String, Never> }

    static let text = Stub<Int, String, Never>("text")
    static let property = "never: an item has the text of another"
    static let trace = "e0 e2 e1 a0.0"

    private static let item = Reducer<Item, ItemEvent, String, World>(
        transform: { item, _, world in world.text(item.id) },
        apply: { (item: inout Item, text: String) in item = Item(id: item.id, text: text) })

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        let event = CasePath(Event.item) { if case .item(let event) = $0 { event } else { nil } }
        let effect = CasePath(Effect.item) { if case .item(let effect) = $0 { effect } else { nil } }
        return Reducer<State, Event, Effect, World>(
            transform: { _, event, _ in if case .show(let item) = event { .just(.shows(item)) } else { .nothing } },
            apply: { (state: inout State, effect: Effect) in if case .shows(let item) = effect { state.item = item } }
        ).combined(
            with: isMended
                ? item.scoped(toOptional: \.item, id: \.id, event: event, effect: effect, environment: { $0 })
                : item.scoped(toOptional: \.item, event: event, effect: effect, environment: { $0 }))
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(text: $0.publisher(text)) }
            .events(atMost: 3) { state in
                [.show(Item(id: 1, text: nil)), .show(Item(id: 2, text: nil))] + (state.item == nil ? [] : [.item(.load)])
            }
            .answers(text) { [.answer("text of \($0)")] }
            .never("an item has the text of another") {
                $0.item?.text.map { [item = $0.item] in $0 != "text of \(item?.id ?? 0)" } ?? false
            }
    }
}

/// A login is done, but the parent ignores its result: the sheet stays.
enum SheetStays: Fault {
    struct Login: Hashable, Sendable { var user: String? }
    enum LoginEvent: Hashable, Sendable { case submit(name: String) }
    struct State: Hashable {
        var login: Login?
        var user: String?
    }
    enum Event: Hashable, Sendable {
        case open
        case login(LoginEvent)
        case loggedIn(String)
    }
    enum Effect: Sendable {
        case opened
        case login(String)
        case loggedIn(String)
    }
    struct World: Sendable { var logIn: @Sendable (String) async throws -> String }

    static let logIn = Stub<String, String, any Error>("logIn")
    static let property = "the sheet closes after the login"
    static let trace = "e0 e0 a0.0"

    private static let login = Reducer<Login, LoginEvent, String, World>(
        transform: { _, event, world in
            guard case .submit(let name) = event else { return .nothing }
            return .run { send in
                send(try await world.logIn(name))
            } catch: { _ in
                nil
            }.job("login", .ignoreNew).eraseToAnyPublisher()
        },
        apply: { (login: inout Login, user: String) in login.user = user })

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer<State, Event, Effect, World>(
            transform: { _, event, _ in
                switch event {
                case .open: .just(.opened)
                case .loggedIn(let user): .just(.loggedIn(user))
                case .login: .nothing
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .opened: state.login = Login()
                case .loggedIn(let user): state.user = user
                case .login: break
                }
            }
        ).combined(
            with: login.scoped(
                toOptional: \.login, event: CasePath(Event.login) { if case .login(let event) = $0 { event } else { nil } },
                effect: CasePath(Effect.login) { if case .login(let effect) = $0 { effect } else { nil } }, environment: { $0 },
                result: { isMended ? $0.user.map { .loggedIn($0) } : nil }))
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(logIn: $0.async(logIn)) }
            .events(atMost: 3) { $0.login == nil ? [.open] : [.login(.submit(name: "ann"))] }
            .answers(logIn, with: ["Ann"], failing: [Unreachable()])
            .eventually("the sheet closes after the login", after: { $0.login?.user != nil }, until: { $0.login == nil })
    }
}

/// A row is identified by its index while its text is loaded, but indices change.
enum RowKnownByPlace: Fault {
    struct Row: Hashable, Sendable, Identifiable {
        let id: Int
        let text: String
    }
    struct State: Hashable { var rows = [Row(id: 1, text: ""), Row(id: 2, text: "")] }
    enum Event: Hashable, Sendable {
        case load(at: Int)
        case swap
    }
    enum Effect: Sendable {
        case text(String, at: Int)
        case textOf(Int, String)
        case swapped
    }
    struct World: Sendable { var text: @Sendable (Int) -> AnyPublisher<String, Never> }

    static let text = Stub<Int, String, Never>("text")
    static let property = "each row has its own text"
    static let trace = "e0 e1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .load(let place):
                    let id = state.rows[place].id
                    return world.text(id).map { isMended ? .textOf(id, $0) : .text($0, at: place) }.eraseToAnyPublisher()
                case .swap: return .just(.swapped)
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .text(let text, let place): state.rows[place] = Row(id: state.rows[place].id, text: text)
                case .textOf(let id, let text): state.rows = state.rows.map { $0.id == id ? Row(id: id, text: text) : $0 }
                case .swapped: state.rows.swapAt(0, 1)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(text: $0.publisher(text)) }
            .events([.load(at: 0), .swap], atMost: 3)
            .answers(text) { [.answer("\($0)")] }
            .whenQuiet("each row has its own text") { $0.rows.allSatisfy { $0.text.isEmpty || $0.text == "\($0.id)" } }
    }
}

/// The selected row is removed, and stays selected. All effects are ready, so this is explored by values.
enum RemovedRowSelected: Fault {
    struct State: Hashable {
        var rows = ["a", "b", "c"]
        var selected: String?
    }
    enum Event: Hashable, Sendable {
        case select(String)
        case removeFirst
        case removeLast
    }
    typealias Effect = Event
    struct World: Sendable {}

    static let property = "never: a row is selected that is not there"
    static let trace = "e0 e1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .select(let row): if state.rows.contains(row) { state.selected = row }
                case .removeFirst: state.rows = Array(state.rows.dropFirst())
                case .removeLast: state.rows = Array(state.rows.dropLast())
                }
                if isMended, let row = state.selected, !state.rows.contains(row) { state.selected = nil }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { _ in World() }
            .events([.select("a"), .removeFirst, .removeLast])
            .never("a row is selected that is not there") { state in state.selected.map { !state.rows.contains($0) } ?? false }
    }
}

/// The badge counts unread letters, but ignores those that are removed with their thread. The children are in a list of their
/// own type.
enum BadgeCountsTheDeparted: Fault {
    struct Letter: Hashable, Sendable { var isUnread: Bool }
    enum LetterEvent: Hashable, Sendable { case read }
    struct State: Equatable {
        var letters = IdentifiedList<String, Letter>()
        var badge = 0
    }
    enum Event: Hashable, Sendable {
        case letter(String, LetterEvent)
        case comes(String)
        case delete(String)
    }
    enum Effect: Sendable {
        case letter(String, Bool)
        case comes(String)
        case deleted(String)
    }
    struct World: Sendable { var read: @Sendable () -> AnyPublisher<Bool, Never> }

    static let read = Stub<Void, Bool, Never>("read")
    static let property = "the badge is the number of unread letters"
    static let trace = "e0 e1"

    private static let letter = Reducer<Letter, LetterEvent, Bool, World>(
        transform: { _, _, world in world.read().job("read", .ignoreNew).eraseToAnyPublisher() },
        apply: { (letter: inout Letter, isUnread: Bool) in letter.isUnread = isUnread })

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        letter.scoped(
            toEach: \State.letters,
            event: CasePath(Event.letter) { if case .letter(let id, let event) = $0 { (id, event) } else { nil } },
            effect: CasePath(Effect.letter) { if case .letter(let id, let effect) = $0 { (id, effect) } else { nil } },
            environment: { (world: World) in world }
        ).combined(
            with: Reducer(
                transform: { _, event, _ in
                    switch event {
                    case .letter: .nothing
                    case .comes(let id): .just(.comes(id))
                    case .delete(let id): .just(.deleted(id))
                    }
                },
                apply: { (state: inout State, effect: Effect) in
                    switch effect {
                    case .comes(let id):
                        if state.letters[id: id]?.isUnread != true { state.badge += 1 }
                        state.letters[id: id] = Letter(isUnread: true)
                    case .deleted(let id):
                        if isMended, state.letters[id: id]?.isUnread == true { state.badge -= 1 }
                        state.letters[id: id] = nil
                    case .letter(_, let isUnread):
                        if !isUnread { state.badge = state.letters.ids.count { state.letters[id: $0]?.isUnread == true } }
                    }
                }))
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(
            reducer(isMended: isMended), given: State(),
            key: { state in [state.badge] + state.letters.ids.map { state.letters[id: $0]?.isUnread == true ? 1 : 0 } }
        ) { World(read: $0.publisher(read)) }
        .events(atMost: 3) { $0.letters.contains(id: "x") ? [.letter("x", .read), .delete("x"), .comes("x")] : [.comes("x")] }
        .answers(read, with: [false])
        .always("the badge is the number of unread letters") { state in
            state.badge == state.letters.ids.count { state.letters[id: $0]?.isUnread == true }
        }
    }
}

/// A download is paused, but its stream is not: the operation that stores its progress is rejected.
enum ProgressWhilePaused: Fault {
    enum Download: Hashable, Sendable {
        case running(Int)
        case paused(Int)
    }
    struct State: Hashable { var download = Slot<Download>() }
    enum Event: Hashable, Sendable { case start, pause }
    enum Effect: Sendable {
        case began
        case advanced(Int)
        case paused
    }
    struct World: Sendable { var download: @Sendable () -> AnyPublisher<Int, Never> }

    static let download = Stub<Void, Int, Never>("download")
    static let running = CasePath(Download.running, name: "running") {
        if case .running(let percent) = $0 { percent } else { nil }
    }
    static let property = "nothing is refused"
    static let trace = "e0 e0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                switch event {
                case .start: world.download().map { .advanced($0) }.prepend(.began).job("download").eraseToAnyPublisher()
                case .pause:
                    isMended ? AnyPublisher.cancelJob("download").append(.paused).eraseToAnyPublisher() : .just(.paused)
                }
            },
            apply: { (state: inout State, effect: Effect) throws in
                switch effect {
                case .began: try state.download.initialize(.running(0))
                case .advanced(let percent): try state.download.actualize(running, to: percent)
                case .paused: try state.download.transition(from: running) { .paused($0) }
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(download: $0.publisher(download)) }
            .events {
                switch $0.download.state {
                case nil: [.start]
                case .running: [.pause]
                case .paused: []
                }
            }
            .answers(download, atMost: 1) { _ in [.send(50), .answer(100)] }
    }
}
