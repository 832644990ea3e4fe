import MoonFoundation
import MoonlightTestSupport
import Testing

@testable import BasketSample

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder for one test.
private final class Folder {
    let path = "/tmp/basket-tests-\(UInt64.random(in: 0 ... .max))"
    var shop: Shop { Shop(FileStore(folder: path), named: "basket") }

    func put(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path + "/basket.json"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite("Basket: the file")
struct ShopTests {
    @Test("A new basket has a few items, and is written at once")
    func starter() throws {
        let folder = Folder()
        try expectEqual(folder.shop.cart(), .starter)
        try expectEqual(FileStore(folder: folder.path).read(Cart.self, named: "basket"), .starter)
    }

    @Test("A change is in the file when it returns, and a deleted item is gone")
    func changes() throws {
        let folder = Folder()
        _ = try folder.shop.cart()
        try expectEqual(folder.shop.update(1) { $0.amount += 4 }.amount, 5)
        try expectEqual(folder.shop.cart().items.first?.amount, 5)
        try folder.shop.delete(1)
        try expectEqual(folder.shop.cart().items.map(\.id), [2, 3, 4])
        #expect(throws: BasketError.gone(1)) { try folder.shop.delete(1) }
        #expect(throws: BasketError.gone(1)) { try folder.shop.update(1) { $0.amount = 1 } }
    }

    @Test("An order takes its items out of the basket, all of them or none")
    func order() throws {
        let folder = Folder()
        _ = try folder.shop.cart()
        #expect(throws: BasketError.gone(9)) { try folder.shop.order([1, 9]) }
        try expectEqual(folder.shop.cart(), .starter)
        let order = try folder.shop.order([1, 3])
        expectEqual(order.number, 1)
        expectEqual(order.total, 1250 + 3 * 790)
        try expectEqual(folder.shop.order([2]).number, 2)
        try expectEqual(folder.shop.cart().items.map(\.id), [4])
        try expectEqual(folder.shop.cart().orders.map(\.number), [1, 2])
    }

    @Test("Changes from many threads are all kept")
    func threads() async throws {
        let folder = Folder()
        let shop = folder.shop
        _ = try shop.cart()
        let count = Budget.size(40, quick: 12)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try? await BasketEnvironment.live(shop).increaseAmount(1) } }
        }
        try expectEqual(shop.cart().items.first?.amount, 1 + count)
    }

    @Test(
        "Fields that are left out of the file have their default values",
        arguments: [(#"{"items":[]}"#, 0), (#"{"items":[{"id":1,"name":"a","price":5}]}"#, 1)])
    func sparse(text: String, count: Int) throws {
        let folder = Folder()
        try folder.put(text)
        let items = try folder.shop.cart().items
        expectEqual(items, Array([CartItem(id: 1, name: "a", price: 5)].prefix(count)))
    }

    @Test(
        "A file that makes no sense is an error with the place, and stays as it is",
        arguments: [
            ("", ""), ("[]", "Dictionary"), ("{}", "items"), (#"{"items":[{"id":1,"name":"a"}]}"#, "items[0]"),
            (#"{"items":[{"id":1,"name":"a","price":-5}]}"#, "items[0].price"),
            (#"{"items":[{"id":1,"name":"a","price":5,"amount":0}]}"#, "items[0].amount"),
            (#"{"items":[{"id":1,"name":"","price":5}]}"#, "items[0].name"),
            (#"{"items":[{"id":1,"name":"a","price":99999999999}]}"#, "items[0].price"),
            (#"{"items":[{"id":1,"name":"a","price":5},{"id":1,"name":"b","price":5}]}"#, "two items have the id 1"),
        ])
    func nonsense(text: String, place: String) throws {
        let folder = Folder()
        try folder.put(text)
        let error = #expect(throws: BasketError.self) { try folder.shop.cart() }
        expect(place.isEmpty || error?.description.contains(place) == true, "\(error?.description ?? "")")
        #expect(throws: BasketError.self) { try folder.shop.delete(1) }
        try expectEqual(String(contentsOf: URL(filePath: folder.path + "/basket.json"), encoding: .utf8), text)
    }
}
