import MoonFoundation
import SampleSupport
import Synchronization

/// Where cars come from, and where orders go.
final class DataProvider: Sendable {
    /// The cars' file; nil for the catalogue that the program has with it.
    private let cars: (store: FileStore, name: String)?
    private let orders: FileStore
    /// Held while an order gets its number.
    private let ordering = Mutex(())

    init(cars: (store: FileStore, name: String)?, orders: FileStore) {
        self.cars = cars
        self.orders = orders
    }

    /// All cars. Each has an id of its own.
    func allCars() throws(DataError) -> [Car] {
        guard let cars else { return Self.catalogue }
        let list: [Car]
        do throws(FileStoreError) { list = try cars.store.read(named: cars.name) } catch {
            throw DataError(error.description)
        }
        var ids: Set<Int> = []
        for car in list where !ids.insert(car.id).inserted { throw DataError("two cars have the id \(car.id)") }
        return list
    }

    /// All orders, the oldest first.
    func allOrders() throws(DataError) -> [Order] {
        do throws(FileStoreError) {
            var list: [Order] = []
            for name in try orders.names() where Self.number(of: name) != nil {
                list.append(try orders.read(named: name))
            }
            return list.sorted { $0.number < $1.number }
        } catch {
            throw DataError(error.description)
        }
    }

    /// Keeps an order, in a file of its own that is there whole or not at all.
    ///
    /// - Returns: The order with its number.
    func keep(_ order: Order) throws(DataError) -> Order {
        let result: Result<Order, FileStoreError> = ordering.withLock { _ in
            do throws(FileStoreError) {
                var order = order
                order.number = (try orders.names().compactMap(Self.number).max() ?? 0) + 1
                try orders.write(order, named: "order-\(order.number)")
                return .success(order)
            } catch {
                return .failure(error)
            }
        }
        do throws(FileStoreError) { return try result.get() } catch { throw DataError(error.description) }
    }

    private static func number(of name: String) -> Int? {
        name.hasPrefix("order-") ? Int(name.dropFirst("order-".count)) : nil
    }

    /// The cars that the program has with it.
    static let catalogue = [
        Car(
            id: 1, make: "Fiat", model: "500", year: 1957, price: 9_000, colours: ["white", "red", "blue"],
            about: "Four seats, if the four are friends."),
        Car(
            id: 2, make: "Fiat", model: "Panda", year: 1980, price: 6_500, colours: ["beige", "green"],
            about: "Goes where it is sent."),
        Car(
            id: 3, make: "Citroën", model: "2CV", year: 1948, price: 12_000, colours: ["grey", "cream", "red"],
            about: "An umbrella on four wheels, and a field of eggs unbroken."),
        Car(
            id: 4, make: "Citroën", model: "DS", year: 1955, price: 38_000, colours: ["black", "aubergine"],
            about: "It rises when it wakes."),
        Car(
            id: 5, make: "Mini", model: "Cooper S", year: 1963, price: 24_000, colours: ["green", "red", "white"],
            about: "Larger inside than out."),
        Car(
            id: 6, make: "Tatra", model: "603", year: 1956, price: 45_000, colours: ["black", "burgundy"],
            about: "Eight cylinders in the back, three lights in front."),
        Car(
            id: 7, make: "Tatra", model: "87", year: 1936, price: 99_000, colours: ["silver"],
            about: "With a fin, in case it should fly."),
    ]
}
