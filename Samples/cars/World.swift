import Synchronization

struct Car: Equatable, Sendable, Identifiable {
    let id: Int
    let make: String
    let model: String
    let year: Int
    var colours = ["white"]
    var about = ""

    var name: String { "\(make) \(model)" }
}

struct Order: Equatable, Sendable {
    var number = 0
    let car: Car
    let colour: String
    let customer: String
}

struct DataError: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The dependencies of the app. A module receives only the ones that it needs.
struct World: Sendable {
    var cars: @Sendable () async throws -> [Car]
    var order: OrderForm.Actions
}

extension World {
    /// Returns a catalogue in memory, and a service that numbers the orders.
    static func live() -> World {
        let numbers = Mutex(0)
        return World(
            cars: {
                try await Task.sleep(for: .milliseconds(300))
                return catalogue
            },
            order: OrderForm.Actions { order in
                try await Task.sleep(for: .milliseconds(300))
                var order = order
                order.number = numbers.withLock { number in
                    number += 1
                    return number
                }
                return order
            })
    }

    static let catalogue = [
        Car(
            id: 1, make: "Fiat", model: "500", year: 1957, colours: ["white", "red", "blue"],
            about: "Four seats for four friends."),
        Car(id: 2, make: "Fiat", model: "Panda", year: 1980, colours: ["beige", "green"], about: "Goes where it is sent."),
        Car(
            id: 3, make: "Citroën", model: "2CV", year: 1948, colours: ["grey", "cream", "red"],
            about: "An umbrella on four wheels."),
        Car(id: 4, make: "Citroën", model: "DS", year: 1955, colours: ["black", "aubergine"], about: "It rises when it wakes."),
        Car(id: 5, make: "Mini", model: "Cooper S", year: 1963, colours: ["green", "white"], about: "Larger inside than out."),
        Car(id: 6, make: "Tatra", model: "87", year: 1936, colours: ["silver"], about: "With a fin, in case it should fly."),
    ]
}
