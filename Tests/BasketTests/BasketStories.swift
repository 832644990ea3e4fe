import MoonFoundation
import MoonPresentation
import Moonlight
import MoonlightTesting
import Testing

@testable import BasketSample

private let loadItems = Stub<Void, [CartItem], BasketError>("loadItems")
private let increaseAmount = Stub<CartItem.ID, CartItem, BasketError>("increaseAmount")
private let decreaseAmount = Stub<CartItem.ID, CartItem, BasketError>("decreaseAmount")
private let updateCheckbox = Stub<(CartItem.ID, Bool), CartItem, BasketError>("updateCheckbox")
private let deleteItem = Stub<CartItem.ID, Void, BasketError>("deleteItem")
private let postOrder = Stub<[CartItem.ID], Order, BasketError>("postOrder")

private let map = CartItem(id: 1, name: "Map", price: 1250, amount: 2, isChecked: true)
private let socks = CartItem(id: 2, name: "Socks", price: 790)
private let offline = BasketError.store("offline")

extension CartItem {
    fileprivate func with(_ change: (inout CartItem) -> Void) -> CartItem {
        var item = self
        change(&item)
        return item
    }
}

private func basket(_ items: CartItem...) -> Basket { Basket(items: .loaded(IdentifiedList(items))) }

private func plan(
    _ state: Basket = basket(map, socks)
) -> Plan<Basket, BasketEvent, BasketEffect, BasketEnvironment> {
    Plan(Basket.reducer, given: state) { stubs in
        BasketEnvironment(
            loadItems: stubs.async(loadItems), increaseAmount: stubs.async(increaseAmount),
            decreaseAmount: stubs.async(decreaseAmount), updateCheckbox: stubs.async(updateCheckbox),
            deleteItem: stubs.async(deleteItem), postOrder: stubs.async(postOrder))
    }
}

@Suite("Basket: scenarios")
struct BasketStories {
    @Test("Items are loaded at the start, and can be loaded again after a failure")
    func loading() throws {
        try plan(Basket())
            .when(.loadPressed)
            .then(\.items.isLoading, equals: true)
            .fork("the file cannot be read") {
                $0.fail(loadItems(), with: offline)
                    .then(\.items.error, equals: offline)
                    .when(.loadPressed)
                    .resolve(loadItems(), with: [map])
                    .then(equals: basket(map))
            }
            .resolve(loadItems(), with: [map, socks])
            .then(equals: basket(map, socks))
            .then(\.total, equals: 2500)
            .run()
    }

    @Test(
        "Plus and minus update the item and the sum; a failure leaves the item as it was, with a note")
    func amounts() throws {
        try plan()
            .when(.countPlusPressed(1))
            .fork("it fails") {
                $0.fail(increaseAmount(1), with: offline)
                    .emits(.connectionFailed(offline))
                    .then(\.note, equals: .connectionFailed(offline))
                    .then(\.total, equals: 2500)
            }
            .resolve(increaseAmount(1), with: map.with { $0.amount = 3 })
            .then(\.total, equals: 3750)
            .when(.countMinusPressed(1))
            .fork("it fails") {
                $0.fail(decreaseAmount(1), with: offline).then(\.total, equals: 3750)
            }
            .resolve(decreaseAmount(1), with: map)
            .then(\.total, equals: 2500)
            .rejects(.countMinusPressed(2), Rejection("it is the last one: delete it"))
            .rejects(.countPlusPressed(7), Rejection("there is no item 7"))
            .run()
        try plan(basket(map.with { $0.amount = 99 }))
            .rejects(.countPlusPressed(1), Rejection("there is no room for more"))
            .run()
    }

    @Test("Quick events wait for each other, and each keeps its own results")
    func quick() throws {
        try plan()
            .when(.countPlusPressed(1))
            .when(.checkMarkPressed(2, true))
            .waiting(increaseAmount(1))
            .fail(increaseAmount(1), with: offline)
            .then(\.note, equals: .connectionFailed(offline))
            .waiting(updateCheckbox(2, true))
            .resolve(updateCheckbox(2, true), with: socks.with { $0.isChecked = true })
            .then(equals: basket(map, socks.with { $0.isChecked = true }))
            .run()
    }

    @Test("A check mark decides which items are bought")
    func check() throws {
        try plan()
            .when(.checkMarkPressed(1, false))
            .fork("it fails") { $0.fail(updateCheckbox(1, false), with: offline).then(\.total, equals: 2500) }
            .resolve(updateCheckbox(1, false), with: map.with { $0.isChecked = false })
            .then(\.total, equals: 0)
            .rejects(.buyButtonPressed, Rejection("nothing is checked"))
            .run()
    }

    @Test("Details show the latest data of an item, and close if the item is gone")
    func details() throws {
        try plan()
            .when(.tableItemPressed(2))
            .fork("it is gone") {
                $0.resolve(loadItems(), with: [map])
                    .then(\.note, equals: .connectionFailed(.gone(2)))
                    .then(\.details, equals: nil)
                    .then(\.items.value?.count, equals: 1)
            }
            .fork("it fails") { $0.fail(loadItems(), with: offline).then(\.note, equals: .connectionFailed(offline)) }
            .resolve(loadItems(), with: [map, socks.with { $0.price = 1 }])
            .then(\.details?.price, equals: 1)
            .when(.detailsClosed)
            .then(\.details, equals: nil)
            .rejects(.detailsClosed, Rejection("no details are open"))
            .run()
    }

    @Test("A delete is confirmed once, and removes the item that was asked about and no other")
    func delete() throws {
        try plan()
            .rejects(.confirmDelete, Rejection("nothing is to be deleted"))
            .when(.deleteItemPressed(1))
            .then(\.pendingDelete, equals: 1)
            .fork("no") {
                $0.when(.cancelDelete)
                    .then(equals: basket(map, socks))
                    .rejects(.confirmDelete, Rejection("nothing is to be deleted"))
                    .expectNoCalls()
            }
            .fork("another one") {
                $0.when(.deleteItemPressed(2)).when(.confirmDelete).resolve(deleteItem(2)).resolve(
                    loadItems(), with: [map])
            }
            .when(.confirmDelete)
            .rejects(.confirmDelete, Rejection("nothing is to be deleted"))
            .fork("it fails") {
                $0.fail(deleteItem(1), with: .gone(1))
                    .then(\.note, equals: .deleteFailed(.gone(1)))
                    .then(\.total, equals: 2500)
            }
            .resolve(deleteItem(1))
            .fork("it is deleted, but what is left cannot be read") {
                $0.fail(loadItems(), with: offline).then(\.items.error, equals: offline).then(\.note, equals: nil)
            }
            .resolve(loadItems(), with: [socks])
            .then(equals: basket(socks))
            .run()
    }

    @Test("An order on its way blocks all other events, and its items are gone afterwards")
    func buy() throws {
        let order = Order(number: 1, items: [map])
        try plan()
            .when(.buyButtonPressed)
            .then(\.isBuying, equals: true)
            .rejects(.countPlusPressed(1), Rejection("the order is on its way"))
            .rejects(.buyButtonPressed, Rejection("the order is on its way"))
            .fork("it fails") {
                $0.fail(postOrder([1]), with: offline)
                    .then(\.isBuying, equals: false)
                    .then(\.note, equals: .buyFailed(offline))
                    .then(\.total, equals: 2500)
            }
            .resolve(postOrder([1]), with: order)
            .fork("it is bought, but what is left cannot be read") {
                $0.fail(loadItems(), with: offline)
                    .then(\.items.error, equals: offline)
                    .then(\.note, equals: .bought(order))
                    .then(\.isBuying, equals: false)
            }
            .resolve(loadItems(), with: [socks])
            .emits(.itemsPresented([socks]), .bought(order))
            .then(\.note, equals: .bought(order))
            .then(\.isBuying, equals: false)
            .run()
    }

    @Test("The selection moves within the list, and to a neighbour when its item is deleted")
    func selection() throws {
        try plan()
            .then(\.current?.id, equals: 1)
            .when(.selectionMoved(.by(5)))
            .then(\.current?.id, equals: 2)
            .when(.deleteItemPressed(2)).when(.confirmDelete)
            .resolve(deleteItem(2)).resolve(loadItems(), with: [map])
            .then(\.selected, equals: 1)
            .run()
        try plan(basket()).rejects(.selectionMoved(.down), Rejection("the basket is empty")).run()
    }
}
