import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// New text is written after an undo, and the redo stack still has the entries that followed the old text. Explored by
/// values.
enum RedoAfterEdit: Fault {
    struct State: Hashable {
        var past: [String] = []
        var text = ""
        var future: [String] = []
    }
    enum Event: Hashable, Sendable {
        case type(Character)
        case undo
        case redo
    }
    typealias Effect = Event
    struct World: Sendable {}

    static let property = "redo leads to what followed"
    static let trace = "e0 e2 e0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, _ in .just(event) },
            apply: { state, effect in
                switch effect {
                case .type(let key):
                    state.past.append(state.text)
                    state.text.append(key)
                    if isMended { state.future = [] }
                case .undo:
                    guard let text = state.past.popLast() else { return }
                    state.future.insert(state.text, at: 0)
                    state.text = text
                case .redo:
                    if state.future.isEmpty { return }
                    state.past.append(state.text)
                    state.text = state.future.removeFirst()
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { _ in World() }
            .events(atMost: 5) { ($0.text.count < 3 ? [.type("a"), .type("b")] : []) + [.undo, .redo] }
            .always("redo leads to what followed") { state in
                // Each text is the one before and one more key.
                zip([state.text] + state.future, state.future).allSatisfy { $1.dropLast() == $0 }
            }
    }
}

/// A coupon requires two items and closes the cart. If an item is then removed, nothing can be ordered any more.
enum CouponBlocksTheOrder: Fault {
    struct State: Hashable {
        var items = 0
        var hasCoupon = false
        var isOrdered = false
    }
    enum Event: Hashable, Sendable { case add, remove, coupon, order }
    typealias Effect = Event
    struct World: Sendable {}

    static let property = "can always place the order"
    static let trace = "e0 e0 e2 e1"
    static let hasPlan = false

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .add: if state.items < 3, isMended || !state.hasCoupon { state.items += 1 }
                case .remove: if state.items > 0 { state.items -= 1 }
                case .coupon: if state.items >= 2 { state.hasCoupon = true }
                case .order: if state.items > (state.hasCoupon ? 1 : 0) { state.isOrdered = true }
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { _ in World() }
            .events([.add, .remove, .coupon, .order])
            .canAlways("place the order") { $0.isOrdered }
    }
}

/// A user who denies the microphone is never asked again, and there is no way to the settings.
enum PermissionDeniedForGood: Fault {
    enum Permission: Hashable, Sendable { case unknown, asking, denied, granted }
    struct State: Hashable { var permission = Permission.unknown }
    enum Event: Hashable, Sendable { case record, openSettings }
    enum Effect: Sendable { case permission(Permission) }
    struct World: Sendable { var ask: @Sendable () async -> Bool }

    static let ask = Stub<Void, Bool, Never>("ask")
    static let property = "can always record"
    static let trace = "e0 a0.0"
    static let hasPlan = false

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch (event, state.permission) {
                case (.record, .unknown):
                    .run { send in
                        send(.permission(.asking))
                        send(.permission(await world.ask() ? .granted : .denied))
                    }
                case (.openSettings, .denied) where isMended: .just(.permission(.unknown))
                default: .nothing
                }
            },
            apply: { (state: inout State, effect: Effect) in
                if case .permission(let permission) = effect { state.permission = permission }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(ask: $0.async(ask)) }
            .events([.record, .openSettings])
            .answers(ask, with: [false, true])
            .canAlways("record") { $0.permission == .granted }
    }
}

/// Each of two guests takes a fork and waits for the other one.
enum TwoForks: Fault {
    enum Guest: Int, Hashable, Sendable, CaseIterable { case left, right }
    struct State: Hashable {
        /// The owner of each fork.
        var forks: [Guest?] = [nil, nil]
        var meals = 0
    }
    enum Event: Hashable, Sendable {
        case reach(Guest)
        case eat(Guest)
    }
    enum Effect: Sendable {
        case takes(Guest, fork: Int)
        case ate(Guest)
    }
    struct World: Sendable { var clock: any Clock<Duration> }

    static let property = "can always eat"
    static let trace = "e0 e1"
    static let hasPlan = false

    /// Returns the fork that a guest takes next; nil if there is none, or if it is taken.
    static func next(_ guest: Guest, _ state: State, isMended: Bool) -> Int? {
        let order = isMended || guest == .left ? [0, 1] : [1, 0]
        guard let fork = order.first(where: { state.forks[$0] != guest }), state.forks[fork] == nil else { return nil }
        return fork
    }

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .reach(let guest): next(guest, state, isMended: isMended).map { .just(.takes(guest, fork: $0)) } ?? .nothing
                case .eat(let guest):
                    state.forks == [guest, guest]
                        ? .run { send in
                            try await world.clock.sleep(for: .seconds(1))
                            send(.ate(guest))
                        } catch: { _ in
                            nil
                        }.job("meal", .ignoreNew).eraseToAnyPublisher() : .nothing
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .takes(let guest, let fork): state.forks[fork] = guest
                case .ate: state = State(meals: 1)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(clock: $0.clock) }
            .events { state in
                state.forks == [.left, .left]
                    ? [.eat(.left)] : state.forks == [.right, .right] ? [.eat(.right)] : Guest.allCases.map { .reach($0) }
            }
            .canAlways("eat") { $0.meals > 0 && $0.forks == [nil, nil] }
    }
}

/// A wizard skips a step for guests on the way forward, but not on the way back: from the last step they reach a locked step.
enum WizardStepBack: Fault {
    enum Step: Int, Hashable, Sendable, CaseIterable { case name, account, pay, done }
    struct State: Hashable {
        var step = Step.name
        var isGuest = false
    }
    enum Event: Hashable, Sendable { case next, back }
    enum Effect: Sendable { case step(Step) }
    struct World: Sendable { var check: @Sendable (Step, Bool) -> AnyPublisher<Never, Unreachable> }

    static let check = Stub<(Step, Bool), Never, Unreachable>("check")
    static let guest = State(isGuest: true)
    static let property = "never: a guest sees the account"
    static let trace = "e0 a0.0 e1"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                let way = Step.allCases.filter { $0 != .account || !state.isGuest || event == .back && !isMended }
                switch event {
                case .next:
                    guard let next = way.first(where: { $0.rawValue > state.step.rawValue }) else { return .nothing }
                    // The step is reached if the check succeeds.
                    return world.check(next, state.isGuest).map { (_: Never) -> Effect in }.append(.step(next))
                        .catch { _ in Empty<Effect, Never>() }.job("next", .latest).eraseToAnyPublisher()
                case .back:
                    guard let last = way.last(where: { $0.rawValue < state.step.rawValue }) else { return .nothing }
                    return AnyPublisher.cancelJob("next").append(.step(last)).eraseToAnyPublisher()
                }
            },
            apply: { (state: inout State, effect: Effect) in
                if case .step(let step) = effect { state.step = step }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: guest) { World(check: $0.publisher(check)) }
            .events([.next, .back])
            .answers(check) { _ in [.finish, .failure(Unreachable())] }
            .never("a guest sees the account") { state in
                state.isGuest && state.step == .account
            }
    }
}
