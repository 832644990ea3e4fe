import MoonFoundation
import Moonlight

extension Basket {
    /// The scenario, and what its effects do to the screen.
    static let reducer = Reducer<Basket, BasketEvent, BasketEffect, BasketEnvironment>(
        transform: scenario, apply: { (state: inout Basket, effect: BasketEffect) in state.apply(effect) })

    private mutating func apply(_ effect: BasketEffect) {
        // What was said is over when something else happens.
        if case .selected = effect {} else { note = nil }
        switch effect {
        case .loading: items.startLoading()
        case .itemsPresented(let list): present(list)
        case .loadingFailed(let error):
            items.finish(with: .failure(error))
            // The question would be about an item that is not shown.
            pendingDelete = nil
        case .itemUpdated(let item): update(item)
        case .connectionFailed(let error): note = .connectionFailed(error)
        case .detailsPresented(let item): details = item
        case .detailsClosed: details = nil
        case .deleteAsked(let id): pendingDelete = id
        case .deleteAnswered: pendingDelete = nil
        case .deleteFailed(let error): note = .deleteFailed(error)
        case .buying: isBuying = true
        case .bought(let order): (isBuying, note) = (false, .bought(order))
        case .buyFailed(let error): (isBuying, note) = (false, .buyFailed(error))
        case .selected(let id): selected = id
        }
    }

    /// Shows other items; what was about one that is gone is over, and its neighbour is selected.
    private mutating func present(_ list: [CartItem]) {
        let old = items.value
        let new = IdentifiedList(list)
        items = .loaded(new)
        if let id = selected, !new.contains(id: id) {
            let position = old?.position(of: id) ?? 0
            selected = new.isEmpty ? nil : new.id(at: min(position, new.count - 1))
        }
        if let id = pendingDelete, !new.contains(id: id) { pendingDelete = nil }
        if let id = details?.id { details = new[id: id] }
    }

    private mutating func update(_ item: CartItem) {
        if details?.id == item.id { details = item }
        guard var list = items.value else { return }
        list.update(item.id) { $0 = item }
        items = .loaded(list)
    }
}
