import MoonFoundation
import MoonPresentation
import MoonPresentationTesting
import Moonlight
import MoonlightTesting
import Testing

@testable import BasketSample

@Suite("Samples: basket")
struct BasketTests {
    private struct Offline: Error, CustomStringConvertible {
        let description = "offline"
    }

    private let load = Stub<Void, [CartItem], any Error>("load")
    private let save = Stub<CartItem, CartItem, any Error>("save")
    private let delete = Stub<CartItem.ID, Void, any Error>("delete")
    private let order = Stub<[CartItem], Void, any Error>("order")
    private let items = Cart().items

    private func plan() throws -> Plan<Basket, BasketEvent, BasketEffect, Works> {
        try Plan(program(.live(FileStore(folder: "/"))), size: Size(columns: 60, rows: 11)) { [load, save, delete, order] in
            Works(load: $0.async(load), save: $0.async(save), delete: $0.async(delete), order: $0.async(order))
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
        let unchecked = item(0) { $0.isChecked = false }
        try plan()
            .frame { try $0.compare(toPictureOf: "basket", "A table of four items, of which two are checked, and their price") }
            .press("+", " ")
            .then(\.total, equals: 3620)
            .fork("it fails") {
                $0.fail(save(more), with: Offline()).then(\.note, equals: "not saved: offline")
                    .resolve(save(unchecked), with: unchecked).then(\.total, equals: 2370)
            }
            .resolve(save(more), with: more)
            .then(\.total, equals: 4870)
            .resolve(save(unchecked), with: unchecked)
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
                $0.fail(order([items[0], items[2]]), with: Offline()).then(\.note, equals: "not bought: offline")
                    .then(\.isBuying, equals: false)
            }
            .resolve(order([items[0], items[2]]))
            .resolve(load(), with: [items[1], items[3]])
            .then(\.note, equals: "Bought for 36.20")
            .rejects(.buy, Rejection("nothing is checked"))
            .run()
    }
}
