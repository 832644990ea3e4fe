import MoonFoundation
import MoonPresentation
import Moonlight
import Streams

/// The module that lists the cars, in sections by maker.
struct CarList: Equatable, Sendable {
    // The app's data that the module reads.
    let cars: Loadable<Sections<String, Car>, DataError>
    let orders: [Order]
    // Its own.
    var selected: Car.ID?

    enum Event: Equatable, Sendable {
        case select(ListMove)
        case open
    }

    enum Effect: Equatable, Sendable {
        case selected(Car.ID)
    }

    /// The selected car; the first if none was selected.
    var current: Car? { cars.value?.first { $0.id == selected } ?? cars.value?.first }

    static let reducer = Reducer<CarList, Event, Effect, Void> { state, event, _ in
        guard let cars = state.cars.value.map(Array.init), !cars.isEmpty else { throw Rejection("there are no cars") }
        guard case .select(let move) = event else { return .none }
        let index = cars.firstIndex { $0.id == state.current?.id } ?? 0
        return .just(.selected(cars[move.index(from: index, count: cars.count)].id))
    } apply: { state, effect in
        switch effect {
        case .selected(let id): state.selected = id
        }
    }
}

struct CarListView: View {
    let list: CarList

    func draw(on surface: inout Surface<CarList.Event>) { surface.add(content) }

    @ViewBuilder<CarList.Event> private var rows: [ViewBuilder<CarList.Event>.Child] {
        switch list.cars {
        case .idle, .loading(previous: nil): Text("Loading…", style: .dim)
        case .failed(let error): Text("\(error)", style: Style(foreground: .red))
        case .loaded(let cars), .loading(previous: .some(let cars)):
            List(
                cars.rows, selected: cars.rows.firstIndex { $0.car != nil && $0.car == list.current },
                select: CarList.Event.select,
                row: { [orders = list.orders] row in
                    switch row {
                    case .header(let make, _): StyledText(make, .bold)
                    case .item(let car, _):
                        StyledText("  \(car.model), \(car.year)")
                            + StyledText(orders.contains { $0.car == car } ? "  ordered" : "", Style(foreground: .cyan))
                    }
                })
        }
    }

    private var content: Rows<CarList.Event> { Rows { rows } }
}

extension Sections.Row where Item == Car {
    var car: Car? { if case .item(let car, _) = self { car } else { nil } }
}
