import MoonFoundation
import MoonPresentation
import Moonlight

/// What the screen is about.
struct Basket: Equatable, Sendable {
    var items = Loadable<IdentifiedList<CartItem.ID, CartItem>, BasketError>.idle
    /// The item that the keys are for, if one was chosen.
    var selected: CartItem.ID?
    /// The item that is looked at closely.
    var details: CartItem?
    /// The item that may be deleted: the answer to the question whether it should be can only be about this one.
    var pendingDelete: CartItem.ID?
    /// Whether an order is on its way.
    var isBuying = false
    /// What there is to say.
    var note: Note?

    enum Note: Equatable, Sendable {
        case connectionFailed(BasketError)
        case deleteFailed(BasketError)
        case buyFailed(BasketError)
        case bought(Order)
    }

    /// The item that the keys are for.
    var current: CartItem? {
        let items = items.value
        return selected.flatMap { items?[id: $0] } ?? items?.first
    }

    /// What is to be bought.
    var checked: [CartItem] { items.value?.filter(\.isChecked) ?? [] }

    /// What it costs, in cents.
    var total: Int { checked.reduce(0) { $0 + $1.sum } }
}

/// What the user does; the names are those of the seed's scenario.
enum BasketEvent: Equatable, Sendable {
    case loadPressed
    case countPlusPressed(CartItem.ID)
    case countMinusPressed(CartItem.ID)
    case checkMarkPressed(CartItem.ID, Bool)
    case tableItemPressed(CartItem.ID)
    case detailsClosed
    case deleteItemPressed(CartItem.ID)
    case confirmDelete
    case cancelDelete
    case buyButtonPressed
    /// Selects another item.
    case selectionMoved(ListMove)
}

/// What happens on the screen.
enum BasketEffect: Equatable, Sendable {
    case loading
    case itemsPresented([CartItem])
    case loadingFailed(BasketError)
    case itemUpdated(CartItem)
    case connectionFailed(BasketError)
    case detailsPresented(CartItem)
    case detailsClosed
    case deleteAsked(CartItem.ID)
    case deleteAnswered
    case deleteFailed(BasketError)
    case buying
    case bought(Order)
    case buyFailed(BasketError)
    case selected(CartItem.ID)
}

/// Why something could not be done.
enum BasketError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read or written.
    case store(String)
    /// The item is not in the basket any more: another program has taken it out.
    case gone(CartItem.ID)

    var description: String {
        switch self {
        case .store(let reason): reason
        case .gone(let id): "item \(id) is not in the basket any more"
        }
    }
}

/// The works: what may take its time, and may fail.
struct BasketEnvironment: Sendable {
    var loadItems: @Sendable () async throws(BasketError) -> [CartItem]
    var increaseAmount: @Sendable (CartItem.ID) async throws(BasketError) -> CartItem
    var decreaseAmount: @Sendable (CartItem.ID) async throws(BasketError) -> CartItem
    var updateCheckbox: @Sendable (CartItem.ID, Bool) async throws(BasketError) -> CartItem
    var deleteItem: @Sendable (CartItem.ID) async throws(BasketError) -> Void
    var postOrder: @Sendable ([CartItem.ID]) async throws(BasketError) -> Order
}
