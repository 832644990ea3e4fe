import Foundation
import MoonFoundation
import MoonPresentation
import MoonPresentationTesting
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Testing

@testable import BasketSample

@Suite("Samples: basket")
struct BasketTests {
    private struct Offline: Error, CustomStringConvertible {
        let description = "offline"
    }

    private let load = Stub<Void, [CartItem], any Error>("load")
    private let add = Stub<CartItem.ID, CartItem, any Error>("add")
    private let subtract = Stub<CartItem.ID, CartItem, any Error>("subtract")
    private let check = Stub<CartItem.ID, CartItem, any Error>("check")
    private let delete = Stub<CartItem.ID, Void, any Error>("delete")
    private let order = Stub<Void, [CartItem], any Error>("order")
    private let items = Cart().items

    private func plan() throws -> Plan<Basket, BasketEvent, BasketEffect, Works> {
        try Plan(program(.live(FileStore(folder: "/"))), size: Size(columns: 60, rows: 11)) {
            [load, add, subtract, check, delete, order] in
            Works(
                load: $0.async(load), add: $0.async(add), subtract: $0.async(subtract), check: $0.async(check),
                delete: $0.async(delete), order: $0.async(order))
        }
        .resolve(load(), with: items)
    }

    private func item(_ index: Int, _ change: (inout CartItem) -> Void) -> CartItem {
        var item = items[index]
        change(&item)
        return item
    }

    @Test("An amount is saved before it is shown, and scenarios run one after the other")
    func amounts() throws {
        let more = item(0) { $0.amount = 2 }
        let unchecked = item(0) { ($0.amount, $0.isChecked) = (2, false) }
        try plan()
            .frame { try $0.compare(toPictureOf: "basket", "A table of four items, of which two are checked, and their price") }
            .press("+", " ")
            .then(\.total, equals: 3620)
            .fork("it fails") {
                $0.fail(add(1), with: Offline()).then(\.note, equals: "not saved: offline")
                    .resolve(check(1), with: item(0) { $0.isChecked = false }).then(\.total, equals: 2370)
            }
            .resolve(add(1), with: more)
            .then(\.total, equals: 4870)
            .resolve(check(1), with: unchecked)
            .then(\.list[id: 1], equals: unchecked)
            .press("-")
            .resolve(subtract(1), with: item(0) { $0.isChecked = false })
            .rejects(.minus(2), Rejection("it is the last one: delete it"))
            .rejects(.plus(9), Rejection("there is no item 9"))
            .run()
    }

    @Test("An item is deleted when the user confirms it")
    func deleting() throws {
        try plan()
            .press(.down, "d")
            .fork("kept") { $0.press(.escape).then(\.doomed, equals: nil) }
            .press(.enter)
            .fork("it fails") { $0.fail(delete(2), with: Offline()).then(\.note, equals: "not deleted: offline") }
            .resolve(delete(2))
            .resolve(load(), with: items.filter { $0.id != 2 })
            .then(\.list.count, equals: 3)
            .run()
    }

    @Test("Checked items are bought and removed; meanwhile no other scenario runs")
    func buying() throws {
        try plan()
            .press("b")
            .rejects(.check(1), Rejection("the order is on its way"))
            .fork("it fails") {
                $0.fail(order(), with: Offline()).then(\.note, equals: "not bought: offline")
                    .then(\.isBuying, equals: false)
            }
            .resolve(order(), with: [items[0], items[2]])
            .resolve(load(), with: [items[1], items[3]])
            .then(\.note, equals: "Bought for 36.20")
            .run()
    }

    @Test("No change is lost when keys are pressed before the previous change is saved")
    func quickKeys() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("basket-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let works = Works.live(FileStore(folder: folder))
        let saved = try await [works.add(1), works.add(1), works.check(1), works.subtract(2)]
        let unchecked = item(0) { ($0.amount, $0.isChecked) = (3, false) }
        expectEqual(saved, [item(0) { $0.amount = 2 }, item(0) { $0.amount = 3 }, unchecked, items[1]])
        expectEqual(try await works.order(), [items[2]])
        await #expect(throws: BasketError(description: "nothing is checked")) { try await works.order() }
        await #expect(throws: BasketError(description: "the item 3 is gone")) { try await works.add(3) }
    }
}
