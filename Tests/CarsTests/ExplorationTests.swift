import MoonFoundation
import MoonPresentation
import Moonlight
import MoonlightExploration
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
private let asked = Order(car: fiat, colour: "white", customer: "Ada")
private let placed = Order(number: 1, car: fiat, colour: "white", customer: "Ada")

private func app(_ change: (inout App) -> Void = { _ in }) -> App {
    var app = App()
    app.data.cars = .loaded(Sections(grouping: [fiat, mini], by: \.make))
    change(&app)
    return app
}

/// The app as it ships; cars and orders can be had or not.
private func exploration(_ state: App) -> Exploration<App, AppEvent, AppEffect, Actions> {
    Exploration(App.reducer, given: state, key: { "\($0)" }) { stubs in
        Actions(getCars: stubs.async(getCars), getOrders: stubs.async(getOrders), makeOrder: stubs.async(makeOrder))
    }
    .answers(getCars, with: [[fiat, mini]], failing: [offline])
    .answers(getOrders, with: [[]], failing: [offline])
    .answers(makeOrder, with: [placed], failing: [offline])
}

extension App {
    /// What is in front, by name.
    fileprivate var pages: [String] {
        route.map { page in
            switch page {
            case .details: "details"
            case .order: "order"
            }
        }
    }
}

@Suite("Cars: explored")
struct CarsExplorationTests {
    @Test("The coordinator leads from list to details to form and back, and the list can always be reached")
    func routes() throws {
        let report = try exploration(app())
            .events { state in
                // What is on the screen, and one order at most.
                switch state.pages.last {
                case nil: [.list(.moved(.down)), .list(.open)]
                case "details": [.details(.nextColour), .details(.order), .back]
                default: [.back, .order(.named("Ada"))] + (state.data.orders.isEmpty ? [.order(.place)] : [])
                }
            }
            .allowingRefusals { error in
                ["the order is being sent", "a name is wanted"].contains((error as? Rejection)?.reason)
            }
            .answers(makeOrder) { order in
                [.answer(Order(number: 1, car: order.car, colour: order.colour, customer: order.customer)), .failure(offline)]
            }
            .limited(nodes: 5000)
            .always("pages are on top of each other in their order") {
                [[], ["details"], ["details", "order"]].contains($0.pages)
            }
            .always("an order is for the car and the colour of the details below") { app in
                app.order.map { $0.car == app.details?.car && $0.colour == app.details?.colour } ?? true
            }
            .never("two are sent") { $0.data.orders.count > 1 }
            .always("who is told of an order sees the list") { $0.notice == nil || $0.pages.isEmpty }
            .eventually(
                "an order that is being sent is placed, or it is said why not", after: { $0.order?.isSending == true },
                until: { $0.notice != nil || $0.order?.error == offline }
            )
            .whenQuiet("nothing is left spinning, and no form has its result still") {
                $0.order?.isSending != true && $0.order?.placed == nil
            }
            .canAlways("come back to the list") { $0.route.isEmpty }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("An order that is placed while the data is loaded again is among the orders, once")
    func loadingMeanwhile() throws {
        let form = app {
            $0.route = [.details(CarDetails(fiat)), .order(OrderForm(car: fiat, colour: "white"))]
            $0.order?.customer = "Ada"
        }
        // The order may be in the folder before it is said to be, or not be there yet when the folder is read.
        let report = try exploration(form)
            .events(atMost: Budget.size(3, quick: 2)) { state in
                // To load once the order is placed is another story: then it is in the folder.
                state.notice == nil ? [.load] + (state.order?.isSending == false ? [.order(.place)] : []) : []
            }
            .answers(getOrders) { _ in [.answer([]), .answer([placed]), .failure(offline)] }
            .never("an order is there twice") { $0.data.orders.count > 1 }
            .whenQuiet("an order that was placed is there") { $0.notice == nil || $0.data.orders == [placed] }
            .whenQuiet("nothing is left spinning") { !$0.data.cars.isLoading && $0.order?.isSending != true }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("Loading that is cancelled or never ends keeps the cars, and can be started again")
    func cancelled() throws {
        let report = try exploration(app())
            .events([.load], atMost: 3)
            .answers(getCars, never: true) { _ in [.answer([mini])] }
            .answers(getOrders, with: [[placed]])
            .cancelsAnywhere()
            .always("there are cars") { $0.data.cars.value?.isEmpty == false }
            .always("orders come with the cars that are loaded with them") { app in
                app.data.orders.isEmpty == (app.data.cars.value?.count == 2)
            }
            .run()
        expectEqual(report.extent, .exhaustive)
    }
}
