import MoonFoundation
import MoonlightTestSupport
import Testing

@testable import CarsSample

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder for one test.
private final class Folder {
    let path = "/tmp/cars-tests-\(UInt64.random(in: 0 ... .max))"
    var data: DataProvider {
        DataProvider(cars: (FileStore(folder: path), "list"), orders: FileStore(folder: path + "/orders"))
    }

    func put(_ text: String, as name: String = "list.json") throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite("Cars: the data")
struct DataProviderTests {
    @Test("Cars are read from a file, with default values for fields that are left out")
    func cars() throws {
        let folder = Folder()
        try folder.put(#"[{"id":1,"make":"a","model":"b","year":2000,"price":5}]"#)
        try expectEqual(
            folder.data.allCars(), [Car(id: 1, make: "a", model: "b", year: 2000, price: 5, colours: ["white"])])
    }

    @Test(
        "A list that makes no sense is an error with the place",
        arguments: [
            ("", ""), ("{}", "Array"), (#"[{"id":1}]"#, "[0]"),
            (#"[{"id":1,"make":"","model":"b","year":2000,"price":5}]"#, "[0].make"),
            (#"[{"id":1,"make":"a","model":"b","year":20,"price":5}]"#, "[0].year"),
            (#"[{"id":1,"make":"a","model":"b","year":2000,"price":-5}]"#, "[0].price"),
            (#"[{"id":1,"make":"a","model":"b","year":2000,"price":5,"colours":[]}]"#, "[0].colours"),
            (
                #"[{"id":1,"make":"a","model":"b","year":2000,"price":5},{"id":1,"make":"a","model":"c","year":2000,"price":5}]"#,
                "two cars have the id 1"
            ),
        ])
    func nonsense(text: String, place: String) throws {
        let folder = Folder()
        try folder.put(text)
        let error = #expect(throws: DataError.self) { try folder.data.allCars() }
        expect(place.isEmpty || error?.description.contains(place) == true, "\(error?.description ?? "")")
    }

    @Test("The built-in catalogue is valid")
    func catalogue() throws {
        let folder = Folder()
        let store = FileStore(folder: folder.path)
        try store.write(DataProvider.catalogue, named: "list")
        try expectEqual(folder.data.allCars(), DataProvider.catalogue)
        try expectEqual(DataProvider(cars: nil, orders: store).allCars(), DataProvider.catalogue)
    }

    @Test("Orders are numbered and stored, also from many threads, and read in their order")
    func orders() async throws {
        let folder = Folder()
        let data = folder.data
        try expect(data.allOrders().isEmpty)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...12 {
                group.addTask {
                    let order = Order(car: DataProvider.catalogue[0], colour: "red", customer: "\(number)")
                    _ = try? await Actions(data).makeOrder(order)
                }
            }
        }
        let orders = try data.allOrders()
        expectEqual(orders.map(\.number), Array(1...12))
        expectEqual(Set(orders.map(\.customer)).count, 12)
    }

    @Test("Orders cannot be stored or read where their folder is a file")
    func brokenOrders() throws {
        let folder = Folder()
        try folder.put("", as: "orders")
        let order = Order(car: DataProvider.catalogue[0], colour: "red", customer: "Ada")
        #expect(throws: DataError.self) { try folder.data.keep(order) }
        #expect(throws: DataError.self) { try folder.data.allOrders() }
    }
}
