import MoonFoundation
import MoonPresentation
import Moonlight

struct CartItem: Codable, Equatable, Sendable, Identifiable {
    let id: Int
    var name: String
    /// The unit price, in cents.
    var price: Int
    var amount = 1
    /// True if the item is selected for the purchase.
    var isChecked = false
}

struct Basket: Equatable, Sendable {
    var items = Loadable<IdentifiedList<CartItem.ID, CartItem>, BasketError>.idle
    var selected = 0
    /// The item to delete, until the user confirms.
    var doomed: CartItem.ID?
    var isBuying = false
    /// A message for the user, until the next event.
    var note: String?

    var list: IdentifiedList<CartItem.ID, CartItem> { items.value ?? IdentifiedList() }
    var checked: [CartItem] { list.filter(\.isChecked) }
    var total: Int { price(of: checked) }
}

/// Returns the price of items, in cents.
func price(of items: [CartItem]) -> Int { items.reduce(0) { $0 + $1.price * $1.amount } }

enum BasketEvent: Equatable, Sendable {
    case load
    case select(ListMove)
    case plus(CartItem.ID)
    case minus(CartItem.ID)
    case check(CartItem.ID)
    case delete(CartItem.ID)
    case confirm
    case keep
    case buy
}

enum BasketEffect: Equatable, Sendable {
    case loading
    case loaded([CartItem])
    case loadingFailed(BasketError)
    case selected(Int)
    case updated(CartItem)
    case asked(CartItem.ID?)
    case buying
    case bought(total: Int)
    case failed(String)
}

struct BasketError: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// The dependencies of the scenarios, which may take time and may fail.
struct Works: Sendable {
    var load: @Sendable () async throws -> [CartItem]
    /// Adds one to the amount of an item, and returns the saved item. The work reads the amount: that in the state may be older.
    var add: @Sendable (CartItem.ID) async throws -> CartItem
    /// Takes one off the amount, which stays at least one.
    var subtract: @Sendable (CartItem.ID) async throws -> CartItem
    /// Checks an unchecked item, and unchecks a checked one.
    var check: @Sendable (CartItem.ID) async throws -> CartItem
    var delete: @Sendable (CartItem.ID) async throws -> Void
    /// Orders the checked items, which removes them from the basket, and returns them.
    var order: @Sendable () async throws -> [CartItem]
}
