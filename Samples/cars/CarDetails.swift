import MoonPresentation
import Moonlight
import Streams

/// The module that shows the details of a car, with a choice of colour.
struct CarDetails: Equatable, Sendable {
    let car: Car
    var index = 0

    enum Event: Equatable, Sendable {
        case nextColour
        case order
    }

    enum Effect: Equatable, Sendable {
        case coloured(Int)
    }

    var colour: String { car.colours[index] }

    static let reducer = Reducer<CarDetails, Event, Effect, Void> { state, event, _ in
        switch event {
        case .nextColour: .just(.coloured((state.index + 1) % state.car.colours.count))
        case .order: .none
        }
    } apply: { state, effect in
        switch effect {
        case .coloured(let index): state.index = index
        }
    }
}

struct CarDetailsView: View {
    let details: CarDetails

    func draw(on surface: inout Surface<CarDetails.Event>) {
        let colours = details.car.colours.map {
            $0 == details.colour ? StyledText("[\($0)] ", .bold) : StyledText(" \($0)  ", .dim)
        }
        surface.add(
            Rows(spacing: 1) {
                Text("Built from \(details.car.year). \(details.car.about)")
                Text(colours.reduce(StyledText(), +))
            })
    }
}
