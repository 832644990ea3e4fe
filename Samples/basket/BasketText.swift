import MoonFoundation
import Moonlight

/// The basket in words: what a terminal and a pipe say alike, and the lines of a pipe.
struct BasketText {
    let state: Basket

    /// The screen as lines.
    var lines: [String] {
        if let item = state.details {
            return ["\(item.id)  \(item.name)"] + (item.about.isEmpty ? [] : [item.about]) + [Self.price(of: item)]
        }
        let items = (state.items.value ?? IdentifiedList()).map { item in
            "\(item.id)  [\(item.isChecked ? "x" : " ")] \(item.name)  \(item.amount) × \(Self.money(item.price))"
        }
        return (items.isEmpty ? [placeholder] : items) + [note, question ?? summary].compactMap { $0 }
    }

    /// What stands in place of items.
    var placeholder: String {
        switch state.items {
        case .idle, .loading: "Loading…"
        case .loaded: "The basket is empty."
        case .failed(let error): "\(error)"
        }
    }

    var summary: String {
        state.checked.isEmpty ? "Nothing is checked." : "\(state.checked.count) to buy: \(Self.money(state.total))"
    }

    var question: String? { state.pendingDelete.flatMap { state.items.value?[id: $0] }.map { "Delete \($0.name)?" } }

    var note: String? {
        switch state.note {
        case nil: nil
        case .connectionFailed(let error): "not done: \(error)"
        case .deleteFailed(let error): "not deleted: \(error)"
        case .buyFailed(let error): "not bought: \(error)"
        case .bought(let order): "Bought: order \(order.number), \(Self.money(order.total))"
        }
    }

    static func price(of item: CartItem) -> String { "\(item.amount) × \(money(item.price)) = \(money(item.sum))" }

    static func money(_ cents: Int) -> String {
        let rest = String(cents % 100)
        return "\(cents / 100).\(rest.count < 2 ? "0" + rest : rest)"
    }
}
