import Moonlight
import Streams

// A parent for the tests of composition: a parlour with a lamp and an optional guest.

struct Lamp: Equatable, Sendable {
    var level = 0
    var note = ""

    enum Event: Equatable, Sendable {
        case up(Int)
        case load, watch, stop, refuse, twice
    }
    enum Effect: Equatable, Sendable {
        case added(Int)
        case noted(String)
    }

    struct World: Sendable {
        var notes: @Sendable () -> AnyPublisher<String, Never> = { Empty().eraseToAnyPublisher() }
    }

    static let reducer = Reducer<Lamp, Event, Effect, World>(
        transform: { state, event, world in
            switch event {
            case .up(let amount): return Just(.added(amount)).eraseToAnyPublisher()
            case .twice: return [.added(1), .added(1)].publisher.eraseToAnyPublisher()
            case .load: return world.notes().map(Effect.noted).eraseToAnyPublisher()
            case .watch: return world.notes().map(Effect.noted).job("watch").eraseToAnyPublisher()
            case .stop: return .cancelJob("watch")
            case .refuse: throw Rejection("the lamp is broken")
            }
        },
        apply: { state, effect in
            switch effect {
            case .added(let amount): state.level += amount
            case .noted(let text): state.note = text
            }
        })
}

struct Parlour: Equatable, Sendable {
    var title = ""
    var lamp = Lamp()
    var guest: Lamp?
    var visits = 0
}

enum ParlourEvent: Equatable, Sendable {
    case lamp(Lamp.Event)
    case guest(Lamp.Event)
    case invite, dismiss
    case rename(String)

    static let lamp = CasePath(ParlourEvent.lamp) { if case .lamp(let event) = $0 { event } else { nil } }
    static let guest = CasePath(ParlourEvent.guest) { if case .guest(let event) = $0 { event } else { nil } }
}

enum ParlourEffect: Equatable, Sendable {
    case lamp(Lamp.Effect)
    case guest(Lamp.Effect)
    case came, left
    case renamed(String)

    static let lamp = CasePath(ParlourEffect.lamp) { if case .lamp(let effect) = $0 { effect } else { nil } }
    static let guest = CasePath(ParlourEffect.guest) { if case .guest(let effect) = $0 { effect } else { nil } }
}

struct ParlourWorld: Sendable {
    var lamp = Lamp.World()
    var guest = Lamp.World()
}

typealias ParlourReducer = Reducer<Parlour, ParlourEvent, ParlourEffect, ParlourWorld>

let parlourItself = ParlourReducer(
    transform: { _, event, _ in
        switch event {
        case .invite: Just(.came).eraseToAnyPublisher()
        case .dismiss: Just(.left).eraseToAnyPublisher()
        case .rename(let title): Just(.renamed(title)).eraseToAnyPublisher()
        case .lamp, .guest: Empty().eraseToAnyPublisher()
        }
    },
    apply: { state, effect in
        switch effect {
        case .came: (state.guest, state.visits) = (Lamp(), state.visits + 1)
        case .left: state.guest = nil
        case .renamed(let title): state.title = title
        case .lamp, .guest: break
        }
    })

let parlour = ParlourReducer.combine(
    parlourItself,
    Lamp.reducer.scoped(to: \Parlour.lamp, event: ParlourEvent.lamp, effect: ParlourEffect.lamp, environment: \.lamp),
    Lamp.reducer.scoped(
        toOptional: \Parlour.guest, event: ParlourEvent.guest, effect: ParlourEffect.guest, environment: \.guest))
