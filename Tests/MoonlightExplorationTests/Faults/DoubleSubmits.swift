import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// The button can be pressed again while the first payment is in flight.
enum PayTwice: Fault {
    struct State: Hashable { var charged = 0 }
    enum Event: Hashable, Sendable { case pay }
    enum Effect: Sendable { case charged(Int) }
    struct World: Sendable { var charge: @Sendable (Int, String) async throws -> Int }

    static let charge = Stub<(Int, String), Int, any Error>("charge")
    static let property = "never: more is charged than the price"
    static let trace = "e0 e0 a0.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, _, world in
                if state.charged > 0 { return .nothing }
                let pay = AnyPublisher<Effect, Never>.run { send in
                    send(.charged(try await world.charge(-30, "EUR \"card\"")))
                } catch: { _ in
                    nil
                }
                return isMended ? pay.job("pay", .ignoreNew).eraseToAnyPublisher() : pay
            },
            apply: { (state: inout State, effect: Effect) in
                if case .charged(let sum) = effect { state.charged += sum }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(charge: $0.async(charge)) }
            .events([.pay], atMost: 3)
            .answers(charge) { price, _ in [.answer(-price), .failure(Unreachable())] }
            .never("more is charged than the price") { $0.charged > 30 }
    }
}

/// A form is sent by a button, which is disabled meanwhile, and by the return key, which is not.
enum KeyBesideButton: Fault {
    struct State: Hashable {
        var isSending = false
        var sent = 0
    }
    enum Event: Hashable, Sendable {
        case button
        case key(Character)
    }
    enum Effect: Sendable { case began, sent }
    struct World: Sendable { var send: @Sendable () -> AnyPublisher<Void, Unreachable> }

    static let send = Stub<Void, Void, Unreachable>("send")
    static let property = "the form is sent once"
    static let trace = "e0 e1 a0.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                let submit = world.send().map { Effect.sent }.catch { _ in Empty<Effect, Never>() }.prepend(.began)
                    .eraseToAnyPublisher()
                switch event {
                case .button: return state.isSending ? .nothing : submit
                case .key("\n"): return isMended && state.isSending ? .nothing : submit
                case .key: return .nothing
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began: state.isSending = true
                case .sent: state.sent += 1
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(send: $0.publisher(send)) }
            .events([.button, .key("\n"), .key("x")], atMost: 3)
            .answers(send, with: [()], failing: [Unreachable()])
            .always("the form is sent once") { $0.sent <= 1 }
    }
}

/// The flag that guards against a second order is set only after the first await.
enum FlagAfterAwait: Fault {
    enum Problem: Error, Hashable { case soldOut(left: Int) }
    struct State: Hashable { var orders = 0 }
    enum Event: Hashable, Sendable { case order(count: Int) }
    enum Effect: Sendable { case ordering, failed }
    struct World: Sendable {
        var reserve: @Sendable (Int) async throws(Problem) -> Void
        var order: @Sendable (Int) async throws(Problem) -> Void
    }

    static let reserve = Stub<Int, Void, Problem>("reserve")
    static let order = Stub<Int, Void, Problem>("order")
    static let property = "one order at a time"
    static let trace = "e0 e0 a0.0 a1.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard state.orders == 0, case .order(let count) = event else { return .nothing }
                return .run { send in
                    if isMended { send(.ordering) }
                    try await world.reserve(count)
                    if !isMended { send(.ordering) }
                    try await world.order(count)
                } catch: { _ in
                    .failed
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .ordering: state.orders += 1
                case .failed: state.orders = 0
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(reserve: $0.async(reserve), order: $0.async(order)) }
            .events([.order(count: 2)], atMost: 2)
            .answers(reserve) { [.answer(()), .failure(.soldOut(left: $0 - 1))] }
            .answers(order, with: [()])
            .always("one order at a time") { $0.orders < 2 }
    }
}

/// A save that is requested while another one is in flight is ignored, as if the same button were pressed twice.
enum SaveIgnored: Fault {
    struct Note: Hashable, Sendable {
        let title: String?
        let tags: Set<String>
    }
    struct State: Hashable {
        var note = Note(title: nil, tags: [])
        var saved = Note(title: nil, tags: [])
    }
    enum Event: Hashable, Sendable { case save(Note) }
    enum Effect: Sendable {
        case edited(Note)
        case saved(Note)
    }
    struct World: Sendable { var save: @Sendable (Note) async -> Void }

    static let save = Stub<Note, Void, Never>("save")
    static let property = "the written text is saved"
    static let trace = "e0 e1 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .save(let note) = event else { return .nothing }
                let save = AnyPublisher<Effect, Never>.run { send in
                    await world.save(note)
                    send(.saved(note))
                }
                return save.job("save", isMended ? .queue : .ignoreNew).prepend(.edited(note)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .edited(let note): state.note = note
                case .saved(let note): state.saved = note
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(save: $0.async(save)) }
            .events([.save(Note(title: "a", tags: ["x", "y"])), .save(Note(title: "b", tags: []))], atMost: 2)
            .answers(save, with: [()])
            .whenQuiet("the written text is saved") { $0.note == $0.saved }
    }
}

/// A row is removed by its index: a second tap, meant for the same row, removes the next one.
enum RemovedByPlace: Fault {
    struct State: Hashable {
        var rows = ["a", "b"]
        var asked: Set<String> = []
    }
    enum Event: Hashable, Sendable { case remove(row: String, at: Int) }
    enum Effect: Sendable {
        case asked(String)
        case removed(String)
        case removedPlace(Int)
    }
    struct World: Sendable { var remove: @Sendable (String) -> AnyPublisher<String, Never> }

    static let remove = Stub<String, String, Never>("remove")
    static let property = "only what was to be removed is"
    static let trace = "e0 e0 a0.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .remove(let row, let place) = event else { return .nothing }
                return world.remove(row).map { isMended ? .removed($0) : .removedPlace(place) }.prepend(.asked(row))
                    .eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .asked(let row): state.asked.insert(row)
                case .removed(let row): state.rows.removeAll { $0 == row }
                case .removedPlace(let place): if state.rows.indices.contains(place) { state.rows.remove(at: place) }
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(remove: $0.publisher(remove)) }
            .events(atMost: 3) { $0.rows.enumerated().map { .remove(row: $1, at: $0) } }
            .answers(remove) { [.answer($0)] }
            .always("only what was to be removed is") { $0.asked.union($0.rows) == ["a", "b"] }
    }
}

/// A transfer that exceeds the balance is rejected, but transfers in flight are not counted.
enum TransferBeyondBalance: Fault {
    struct TooMuch: Error {}
    struct State: Hashable {
        var balance = 10
        var pending = 0
    }
    enum Event: Hashable, Sendable { case transfer(Int) }
    enum Effect: Sendable {
        case began(Int)
        case transferred(Int)
    }
    struct World: Sendable { var transfer: @Sendable (Int) -> AnyPublisher<Void, Never> }

    static let transfer = Stub<Int, Void, Never>("transfer")
    static let property = "the balance is positive"
    static let trace = "e0 e0 a0.0 a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                guard case .transfer(let sum) = event else { return .nothing }
                guard sum <= state.balance - (isMended ? state.pending : 0) else { throw TooMuch() }
                return world.transfer(sum).map { .transferred(sum) }.prepend(.began(sum)).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .began(let sum): state.pending += sum
                case .transferred(let sum): (state.balance, state.pending) = (state.balance - sum, state.pending - sum)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(transfer: $0.publisher(transfer)) }
            .events([.transfer(7)], atMost: 2)
            .answers(transfer, with: [()])
            .allowingRefusals { $0 is TooMuch }
            .always("the balance is positive") { $0.balance >= 0 }
    }
}
