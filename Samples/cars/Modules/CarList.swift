import MoonFoundation
import MoonPresentation
import Moonlight
import Streams

/// The module that lists the cars, in sections by who makes them.
struct CarList: Equatable, Sendable {
    /// What the module reads of the app's data, and never changes.
    struct Parameters: Equatable, Sendable {
        var cars: Loadable<Sections<String, Car>, DataError>
        /// How many were ordered of each car.
        var orders: [Car.ID: Int]
    }

    let parameters: Parameters
    var selected: Car.ID?

    enum Event: Equatable, Sendable {
        /// Selects another car, across the sections.
        case moved(ListMove)
        case select(Car.ID)
        /// Shows the selected car: what that means the coordinator knows.
        case open
    }

    enum Effect: Equatable, Sendable {
        case selected(Car.ID)
    }

    /// The selected car; the first, if none was selected.
    var current: Car? {
        let cars = parameters.cars.value
        return cars?.first { $0.id == selected } ?? cars?.first
    }

    static let reducer = Reducer<CarList, Event, Effect, Void>(
        transform: { state, event, _ in
            guard let cars = state.parameters.cars.value, let current = state.current else {
                throw Rejection("there are no cars")
            }
            switch event {
            case .moved(let move):
                let ids = cars.map(\.id)
                let index = move.index(from: ids.firstIndex(of: current.id) ?? 0, count: ids.count)
                return Just(.selected(ids[index])).eraseToAnyPublisher()
            case .select(let id):
                guard cars.contains(where: { $0.id == id }) else { throw Rejection("there is no car \(id)") }
                return Just(.selected(id)).eraseToAnyPublisher()
            case .open: return Empty().eraseToAnyPublisher()
            }
        },
        apply: { (state: inout CarList, effect: Effect) in
            switch effect {
            case .selected(let id): state.selected = id
            }
        })
}
