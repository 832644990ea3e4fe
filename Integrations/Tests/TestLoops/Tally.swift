package import Moonlight
package import Streams

/// A small loop for tests of adapters.
package struct Tally: Equatable, Sendable {
    package var count = 0
    package var note = ""

    package init() {}

    package enum Event: Sendable, Equatable {
        case add(Int)
        case refuse, load, spoil
    }
    package enum Effect: Sendable, Equatable {
        case added(Int)
        case noted(String)
        case spoilt
    }

    package struct Refusal: Error, Equatable { package init() {} }

    /// The environment, with the result of `load`.
    package struct World: Sendable {
        package var load: @Sendable () -> AnyPublisher<String, Never>

        package init(load: @escaping @Sendable () -> AnyPublisher<String, Never> = { .none }) { self.load = load }
    }

    package static let reducer = Reducer<Tally, Event, Effect, World>(
        transform: { _, event, world in
            switch event {
            case .add(let amount): return .just(.added(amount))
            case .refuse: throw Refusal()
            case .load: return world.load().map(Effect.noted).eraseToAnyPublisher()
            case .spoil: return .just(.spoilt)
            }
        },
        apply: { state, effect in
            switch effect {
            case .added(let amount): state.count += amount
            case .noted(let note): state.note = note
            case .spoilt: throw Refusal()
            }
        })
}
