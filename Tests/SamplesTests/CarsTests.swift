import MoonFoundation
import MoonPresentation
import MoonPresentationTesting
import Moonlight
import MoonlightTesting
import Testing

@testable import CarsSample

@Suite("Samples: cars")
struct CarsTests {
    private struct Offline: Error, CustomStringConvertible {
        let description = "offline"
    }

    private let cars = Stub<Void, [Car], any Error>("cars")
    private let place = Stub<Order, Order, any Error>("place")

    private func plan() throws -> Plan<App, AppEvent, AppEffect, World> {
        try Plan(program(.live()), size: Size(columns: 50, rows: 14)) { [cars, place] in
            World(cars: $0.async(cars), order: OrderForm.Actions(place: $0.async(place)))
        }
    }

    @Test("Cars are loaded at the start, and again after a failure")
    func loading() throws {
        try plan()
            .fork("it fails") {
                $0.fail(cars(), with: Offline()).then(\.cars.error, equals: DataError("offline"))
                    .rejects(.list(.open), Rejection("there are no cars"))
                    .press("r").resolve(cars(), with: []).then(\.cars.value?.isEmpty, equals: true)
            }
            .resolve(cars(), with: World.catalogue)
            .press(.down)
            .then(\.list.current?.name, equals: "Fiat Panda")
            .frame { try $0.compare(toPictureOf: "cars", "Cars in sections by their makers, one of which is selected") }
            .run()
    }

    @Test("An order leads from the list over the details and the form back to the list")
    func ordering() throws {
        let order = Order(car: World.catalogue[0], colour: "red", customer: "Ada")
        var placed = order
        placed.number = 7
        try plan()
            .resolve(cars(), with: World.catalogue)
            .press(.enter, .right, "o")
            .rejects(.order(.place), Rejection("a name is needed"))
            .type("Ada\n")
            .rejects(.back, Rejection("the order is being sent"))
            .fork("it fails") {
                $0.fail(place(order), with: Offline()).then(\.order?.problem, equals: "offline")
                    .press(.escape).then(\.route.count, equals: 1)
            }
            .resolve(place(order), with: placed)
            .then(\.route, equals: []).then(\.orders, equals: [placed])
            .then(\.notice, equals: "Order 7: Fiat 500 in red for Ada")
            .run()
    }

    @Test("A closed form loses its input, and events for a screen that is not shown are refused")
    func leaving() throws {
        try plan()
            .resolve(cars(), with: World.catalogue)
            .rejects(.back, Rejection("there is nothing to go back to"))
            .rejects(.details(.nextColour))
            .press(.enter, .enter).type("Ada").press(.escape, .enter)
            .then(\.order?.customer.text, equals: "")
            .run()
    }
}
