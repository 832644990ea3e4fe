import MoonFoundation
import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Testing

@testable import BasketSample

private let loadItems = Stub<Void, [CartItem], BasketError>("loadItems")
private let increaseAmount = Stub<CartItem.ID, CartItem, BasketError>("increaseAmount")
private let decreaseAmount = Stub<CartItem.ID, CartItem, BasketError>("decreaseAmount")
private let updateCheckbox = Stub<(CartItem.ID, Bool), CartItem, BasketError>("updateCheckbox")
private let deleteItem = Stub<CartItem.ID, Void, BasketError>("deleteItem")
private let postOrder = Stub<[CartItem.ID], Order, BasketError>("postOrder")

private let map = CartItem(id: 1, name: "Map", price: 1250, isChecked: true)
private let moreMaps = CartItem(id: 1, name: "Map", price: 1250, amount: 2, isChecked: true)
private let socks = CartItem(id: 2, name: "Socks", price: 790)
private let checkedSocks = CartItem(id: 2, name: "Socks", price: 790, isChecked: true)
private let order = Order(number: 1, items: [map])
private let offline = BasketError.store("offline")

private func environment(_ stubs: Stubs) -> BasketEnvironment {
    BasketEnvironment(
        loadItems: stubs.async(loadItems), increaseAmount: stubs.async(increaseAmount),
        decreaseAmount: stubs.async(decreaseAmount), updateCheckbox: stubs.async(updateCheckbox),
        deleteItem: stubs.async(deleteItem), postOrder: stubs.async(postOrder))
}

private let full = Basket(items: .loaded(IdentifiedList([map, socks])))

/// How many events come where there are many kinds of them, and many answers.
private let few = Budget.size(3, quick: 2)

/// The basket as it ships, with what can be pressed in it. What its state does not allow is refused, and that is expected.
private func exploration(
    _ events: [BasketEvent], atMost count: Int, given state: Basket = full
) -> Exploration<Basket, BasketEvent, BasketEffect, BasketEnvironment> {
    Exploration(Basket.reducer, given: state, key: { "\($0)" }, environment: environment)
        .events(events, atMost: count)
        .allowingRefusals { $0 is Rejection }
}

@Suite("Basket: explored")
struct BasketExplorationTests {
    @Test("The question whether to delete is about an item in the basket, and all orders and loads end")
    func wholeBasket() throws {
        let report = try exploration(
            [.loadPressed, .deleteItemPressed(1), .confirmDelete, .cancelDelete, .buyButtonPressed], atMost: few
        )
        .answers(loadItems, with: [[map, socks], [socks]], failing: [offline])
        .answers(deleteItem, with: [()], failing: [offline])
        .answers(postOrder, with: [order], failing: [.gone(1)])
        .always("the question whether to delete is about an item that is there") { basket in
            basket.pendingDelete.map { basket.items.value?.contains(id: $0) ?? false } ?? true
        }
        .eventually("an order is on its way, and arrives or fails", after: { $0.isBuying }, until: { !$0.isBuying })
        .eventually("loading ends", after: { $0.items.isLoading }, until: { !$0.items.isLoading })
        .whenQuiet("nothing is left spinning") { !$0.isBuying && !$0.items.isLoading }
        .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("The details of an item are those of the list, whatever happens to it meanwhile")
    func details() throws {
        let report = try exploration([.countPlusPressed(1), .tableItemPressed(1), .detailsClosed, .loadPressed], atMost: few)
            .answers(loadItems, with: [[moreMaps, socks], [socks]])
            .answers(increaseAmount, with: [moreMaps], failing: [offline])
            .always("the details are the item's") { basket in
                basket.details.map { details in basket.items.value?[id: details.id] == details } ?? true
            }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A confirmed check mark stays on the screen when other changes fail")
    func failuresOfOthers() throws {
        let watched = Basket.reducer.watched { (isChecked: inout Bool, _: Basket, effect: BasketEffect) in
            if effect == .itemUpdated(checkedSocks) { isChecked = true }
        }
        let report = try Exploration(watched, given: Watched(full, false), key: { "\($0)" }, environment: environment)
            .events([.checkMarkPressed(2, true), .countPlusPressed(2), .countPlusPressed(1)], atMost: few)
            .answers(updateCheckbox, with: [checkedSocks])
            .answers(increaseAmount, failing: [offline])
            .always("what is checked in the shop is checked") { !$0.memory || $0.state.items.value?[id: 2] == checkedSocks }
            .whenQuiet("and is, at the end, what is to be bought") { $0.state.checked.count == ($0.memory ? 2 : 1) }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A purchase or a delete is not reported as failed if only loading the remaining items fails")
    func loadingFailsAfterwards() throws {
        let report = try exploration([.buyButtonPressed, .deleteItemPressed(2), .confirmDelete], atMost: 3)
            .answers(loadItems, with: [[socks]], failing: [offline])
            .answers(deleteItem, with: [()])
            .answers(postOrder, with: [order])
            .never("a purchase is said to have failed") { $0.note == .buyFailed(offline) }
            .never("a delete is said to have failed") { $0.note == .deleteFailed(offline) }
            .never("an item is shown that is not there any more") { basket in
                basket.note == .bought(order) && basket.items.value?.contains(id: 1) == true
            }
            .whenQuiet("nothing is left spinning") { !$0.isBuying && !$0.items.isLoading }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("Effects that are cancelled at any time leave a basket with items, or with the reason why there are none")
    func cancelled() throws {
        let report = try exploration([.loadPressed, .countPlusPressed(1), .deleteItemPressed(1), .confirmDelete], atMost: few)
            .answers(loadItems, with: [[map, socks]], failing: [offline])
            .answers(increaseAmount, with: [moreMaps], failing: [offline])
            .answers(deleteItem, with: [()], failing: [offline])
            .cancelsAnywhere()
            .always("items are there, are loading, or it is said why not") {
                $0.items.value != nil || $0.items.isLoading || $0.items.error == offline
            }
            .always("the question whether to delete is about an item that is there") { basket in
                basket.pendingDelete.map { basket.items.value?.contains(id: $0) ?? false } ?? true
            }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("An effect that never ends holds up those behind it, and nothing else")
    func neverEnds() throws {
        try exploration([.countPlusPressed(1), .deleteItemPressed(2), .cancelDelete], atMost: 3)
            .answers(increaseAmount, never: true) { _ in [.answer(moreMaps), .failure(offline)] }
            .always("the question is answered at once") { $0.pendingDelete == nil || $0.pendingDelete == 2 }
            .always("amounts are those of the shop") { $0.items.value?[id: 1] == map || $0.items.value?[id: 1] == moreMaps }
            .run()
    }
}
