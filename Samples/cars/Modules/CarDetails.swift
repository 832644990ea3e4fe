import MoonFoundation
import Moonlight
import Streams

/// The module that shows a car closely, and lets its colour be chosen.
struct CarDetails: Equatable, Sendable {
    let car: Car
    var colour: String

    enum Event: Equatable, Sendable {
        /// Chooses the next colour, cyclically.
        case nextColour
        /// Chooses the previous colour, cyclically.
        case previousColour
        case choose(String)
        /// Orders the car as it is shown: what that means the coordinator knows.
        case order
    }

    enum Effect: Equatable, Sendable {
        case coloured(String)
    }

    /// The details of a car, in the first of its colours.
    init(_ car: Car) {
        self.car = car
        colour = car.colours.first ?? ""
    }

    static let reducer = Reducer<CarDetails, Event, Effect, Void>(
        transform: { state, event, _ in
            let colours = state.car.colours
            switch event {
            case .nextColour: return colour(colours.next(after: state.colour, wrapping: true))
            case .previousColour: return colour(colours.previous(before: state.colour, wrapping: true))
            case .choose(let name):
                guard colours.contains(name) else { throw Rejection("it comes in \(colours.joined(separator: ", "))") }
                return colour(name)
            case .order: return Empty().eraseToAnyPublisher()
            }
        },
        apply: { (state: inout CarDetails, effect: Effect) in
            switch effect {
            case .coloured(let name): state.colour = name
            }
        })

    private static func colour(_ name: String?) -> AnyPublisher<Effect, Never> {
        name.map(Effect.coloured).publisher.eraseToAnyPublisher()
    }
}
