import MoonFoundation
import Moonlight
import SampleTerminal

/// What a module shows: a panel lays it out, a pipe prints it.
struct ModuleView {
    let title: String
    var rows: [Row]
    /// The row that must be seen.
    var focus = 0
    /// The keys, each with what it does.
    let keys: [(key: String, meaning: String)]
}

extension CarList {
    var view: ModuleView {
        var view = ModuleView(
            title: "Cars", rows: [],
            keys: [("↑↓", "select"), ("⏎", "details"), ("r", "reload"), ("q", "quit")])
        guard let cars = parameters.cars.value else {
            let isFailed = parameters.cars.error != nil
            view.rows = [Row(parameters.cars.error?.description ?? "Loading…", isFailed ? .alert : .dim)]
            return view
        }
        for row in cars.rows {
            switch row {
            case .header(let make, let section):
                view.rows.append(Row(make, .bold) + Row("  \(cars.count(inSection: section))", .dim))
            case .item(let car, _):
                let isCurrent = car.id == current?.id
                if isCurrent { view.focus = view.rows.count }
                let orders = parameters.orders[car.id].map { "  ordered\($0 > 1 ? " \($0) times" : "")" } ?? ""
                view.rows.append(
                    Row(isCurrent ? "> " : "  ", .accent) + Row("\(car.id)  \(car.model)", isCurrent ? .bold : .plain)
                        + Row("  \(car.year)", .dim) + Row(orders, .accent))
            }
        }
        if view.rows.isEmpty { view.rows = [Row("There are no cars.", .dim)] }
        return view
    }
}

extension CarDetails {
    var view: ModuleView {
        let colours = car.colours.map { $0 == colour ? Row("[\($0)]", .accent) : Row(" \($0) ", .dim) }
        return ModuleView(
            title: car.name,
            rows: [
                Row(car.about), Row("from \(car.year), \(car.price)"), colours.reduce(Row("in")) { $0 + " " + $1 },
            ],
            keys: [("←→", "colour"), ("o", "order"), ("Esc", "back"), ("q", "quit")])
    }
}

extension OrderForm {
    var view: ModuleView {
        let state = isSending ? Row("Sending…", .dim) : Row(error.map { "not ordered: \($0)" } ?? "", .alert)
        return ModuleView(
            title: "Order",
            rows: [
                Row("\(car.name) in \(colour), \(car.price)"), Row("for ") + Row(customer, .bold) + Row("▏", .accent),
                state,
            ],
            focus: 1,
            keys: [("⏎", "order"), ("Esc", "back"), ("Ctrl-C", "quit")])
    }
}
