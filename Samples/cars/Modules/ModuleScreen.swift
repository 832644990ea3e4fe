import MoonFoundation
import MoonPresentation
import SampleSupport

/// What a module shows: its view lays it out, and a pipe prints it.
struct ModuleScreen {
    let title: String
    var rows: [StyledText]
    /// The row that is selected.
    var selected: Int?
}

extension CarList {
    var screen: ModuleScreen {
        var screen = ModuleScreen(title: "Cars", rows: [])
        guard let cars = parameters.cars.value else {
            let isFailed = parameters.cars.error != nil
            screen.rows = [StyledText(parameters.cars.error?.description ?? "Loading…", isFailed ? .alert : .dim)]
            return screen
        }
        for row in cars.rows {
            switch row {
            case .header(let make, let section):
                screen.rows.append(StyledText(make, .bold) + StyledText("  \(cars.count(inSection: section))", .dim))
            case .item(let car, _):
                let isCurrent = car.id == current?.id
                if isCurrent { screen.selected = screen.rows.count }
                let orders = parameters.orders[car.id].map { "  ordered\($0 > 1 ? " \($0) times" : "")" } ?? ""
                screen.rows.append(
                    StyledText(isCurrent ? "> " : "  ", .accent) + StyledText("\(car.id)  \(car.model)")
                        + StyledText("  \(car.year)", .dim) + StyledText(orders, .accent))
            }
        }
        if screen.rows.isEmpty { screen.rows = [StyledText("There are no cars.", .dim)] }
        return screen
    }

    var view: some View<Event> {
        let screen = screen
        // The rows have a marker, which a pipe shows, too; it does not stand in front of the headers.
        return List(screen.rows, selected: screen.selected, look: .marker(""), select: Event.moved, row: { $0 })
    }
}

extension CarDetails {
    var screen: ModuleScreen {
        let colours = car.colours.map { $0 == colour ? StyledText("[\($0)]", .accent) : StyledText(" \($0) ", .dim) }
        return ModuleScreen(
            title: car.name,
            rows: [
                StyledText(car.about), StyledText("from \(car.year), \(car.price)"),
                colours.reduce("in") { $0 + " " + $1 },
            ])
    }

    var view: some View<Event> { Rows { for row in screen.rows { Text(row) } } }
}

extension OrderForm {
    var screen: ModuleScreen {
        ModuleScreen(title: "Order", rows: [StyledText(car.text(in: colour)), StyledText("for \(customer.text)"), outcome])
    }

    var view: some View<Event> {
        Rows {
            Text(car.text(in: colour))
            Field(customer, prompt: "for", edit: Event.edit, submit: .place)
            Text(outcome)
        }
    }

    private var outcome: StyledText {
        isSending ? StyledText("Sending…", .dim) : StyledText(error.map { "not ordered: \($0)" } ?? "", .alert)
    }
}

extension Car {
    fileprivate func text(in colour: String) -> String { "\(name) in \(colour), \(price)" }
}
