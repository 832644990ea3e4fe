import MoonFoundation
import MoonPresentation
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Testing

@testable import CarsSample

private let getCars = Stub<Void, [Car], DataError>("getCars")
private let getOrders = Stub<Void, [Order], DataError>("getOrders")
private let makeOrder = Stub<Order, Order, DataError>("makeOrder")
private let offline = DataError("offline")

private let fiat = Car(id: 1, make: "Fiat", model: "500", year: 1957, price: 9000, colours: ["white", "red"])
private let mini = Car(id: 2, make: "Mini", model: "Cooper", year: 1963, price: 24_000, colours: ["green"])
private let panda = Car(id: 3, make: "Fiat", model: "Panda", year: 1980, price: 6500, colours: ["beige", "green"])

private func app(_ change: (inout App) -> Void = { _ in }) -> App {
    var app = App()
    app.data.cars = .loaded(Sections(grouping: [fiat, mini, panda], by: \.make))
    change(&app)
    return app
}

private func plan(_ state: App = app()) -> Plan<App, AppEvent, AppEffect, Actions> {
    Plan(App.reducer, given: state) { stubs in
        Actions(
            getCars: stubs.async(getCars), getOrders: stubs.async(getOrders), makeOrder: stubs.async(makeOrder))
    }
}

@Suite("Cars: scenarios")
struct CarsStories {
    @Test("Cars are loaded into sections, with their orders, and can be loaded again after a failure")
    func loading() throws {
        let order = Order(number: 1, car: mini, colour: "green", customer: "Ada")
        try plan(App())
            .when(.load)
            .then(\.data.cars.isLoading, equals: true)
            .fork("no cars") {
                $0.fail(getCars(), with: offline).then(\.data.cars.error, equals: offline)
                    .rejects(.list(.moved(.down)), Rejection("there are no cars"))
                    .when(.load).resolve(getCars(), with: []).resolve(getOrders(), with: [])
                    .then(\.data.cars.value?.isEmpty, equals: true)
                    .rejects(.list(.open), Rejection("there are no cars"))
            }
            .resolve(getCars(), with: [fiat, mini, panda])
            .fork("no orders") { $0.fail(getOrders(), with: offline).then(\.data.cars.error, equals: offline) }
            .resolve(getOrders(), with: [order])
            .then(equals: app { $0.data.orders = [order] })
            .then(\.list.parameters.orders, equals: [2: 1])
            .run()
    }

    @Test("Loading again replaces the running load, and the cars stay meanwhile")
    func reloading() throws {
        try plan()
            .when(.load)
            .when(.load)
            .inFlight("load")
            .then(\.data.cars.value?.count, equals: 3)
            .ignoringCalls()
            .ignoringInFlight()
            .run()
    }

    @Test("The selection goes from section to section and stays within the list")
    func selecting() throws {
        try plan()
            .then(\.list.current, equals: fiat)
            .when(.list(.moved(.up))).then(\.selected, equals: 1)
            .when(.list(.moved(.down))).then(\.selected, equals: 3)
            .when(.list(.moved(.down))).then(\.selected, equals: 2)
            .when(.list(.moved(.down))).then(\.selected, equals: 2)
            .when(.list(.select(3))).then(\.list.current, equals: panda)
            .rejects(.list(.select(9)), Rejection("there is no car 9"))
            .run()
    }

    @Test("The coordinator shows the details of the selected car, and goes back")
    func route() throws {
        try plan(app { $0.selected = 3 })
            .rejects(.back, Rejection("there is nothing to go back to"))
            .when(.list(.open))
            .then(\.route, equals: [.details(CarDetails(panda))])
            .rejects(.list(.open), Rejection("the list is not in front"))
            .when(.back)
            .then(\.route, equals: [])
            .rejects(.details(.order)) { expectEqual(($0 as? Rejection)?.kind, .absentChild) }
            .rejects(.order(.place)) { expectEqual(($0 as? Rejection)?.kind, .absentChild) }
            .run()
    }

    @Test("Colours are chosen in the details, in turn or by name")
    func colours() throws {
        try plan(app { $0.route = [.details(CarDetails(fiat))] })
            .scoped(toOptional: \.details, event: AppEvent.details) {
                $0.then(\.colour, equals: "white")
                    .when(.nextColour).then(\.colour, equals: "red")
                    .when(.nextColour).then(\.colour, equals: "white")
                    .when(.previousColour).then(\.colour, equals: "red")
                    .when(.choose("white")).then(\.colour, equals: "white")
                    .rejects(.choose("pink"), Rejection("it comes in white, red"))
            }
            .run()
    }

    @Test("An order is made in the chosen colour, stored, and leads back to the list")
    func ordering() throws {
        let asked = Order(car: fiat, colour: "red", customer: "Ada L")
        var placed = asked
        placed.number = 7
        try plan()
            .when(.list(.open))
            .when(.details(.nextColour))
            .when(.details(.order))
            .rejects(.details(.order), Rejection("the form is open already"))
            .rejects(.order(.place), Rejection("a name is wanted"))
            .scoped(toOptional: \.order, event: AppEvent.order) {
                $0.when(.edit(.insert("X"))).when(.edit(.delete(.left))).when(.edit(.delete(.left)))
                    .when(.named("Ada ")).when(.edit(.insert("L")))
                    .when(.place)
                    .then(\.isSending, equals: true)
                    .rejects(.edit(.insert("x")), Rejection("the order is being sent"))
            }
            .rejects(.back, Rejection("the order is being sent"))
            .fork("it cannot be kept") {
                $0.fail(makeOrder(asked), with: offline)
                    .then(\.order?.error, equals: offline)
                    .when(.order(.place))
                    .resolve(makeOrder(asked), with: placed)
                    .then(\.route, equals: [])
            }
            .resolve(makeOrder(asked), with: placed)
            .then(\.route, equals: [])
            .then(\.data.orders, equals: [placed])
            .then(\.notice, equals: "Order 7: Fiat 500 in red for Ada L")
            .run()
    }

    @Test("A customer's name is limited to 40 characters, and must not be blank")
    func names() throws {
        try plan(app { $0.route = [.order(OrderForm(car: fiat, colour: "red"))] })
            .when(.order(.named(String(repeating: "月", count: 100))))
            .then(\.order?.customer.text.count, equals: 40)
            .when(.order(.named("   ")))
            .rejects(.order(.place), Rejection("a name is wanted"))
            .run()
    }

    @Test("A form that is left is forgotten, and opens empty again")
    func leaving() throws {
        try plan()
            .when(.list(.open)).when(.details(.order))
            .when(.order(.named("Ada")))
            .when(.back)
            .then(\.route, equals: [.details(CarDetails(fiat))])
            .when(.details(.order))
            .then(\.order?.customer.text, equals: "")
            .run()
    }
}
