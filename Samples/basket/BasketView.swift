import MoonFoundation
import Moonlight
import SampleTerminal

/// What is shown of the basket: in a terminal as a panel, in a pipe line by line.
struct BasketView {
    let state: Basket
    /// Why the last event was refused.
    var refusal: String?

    // MARK: In a terminal

    /// The rows for a window. In a low one, items far from the selected one give way, then the title.
    func rows(in size: Size) -> [Row] {
        if let item = state.details { return details(of: item, in: size) }
        if state.isBuying { return [Row("Buying…", .bold)] }
        let items = state.items.value ?? IdentifiedList()
        let selected = state.current.flatMap { items.position(of: $0.id) } ?? 0
        let list = items.map { row(of: $0, isSelected: $0.id == state.current?.id, columns: size.columns) }
        let below = [note, footer, keys(in: size)]
        if size.rows < 7 { return list.window(max(1, size.rows - 1), around: selected) + [question ?? below[2]] }
        return [Row("Basket", .bold), ""]
            + (list.isEmpty ? [Row(placeholder, .dim)] : list.window(size.rows - 6, around: selected))
            + [""] + below
    }

    private func row(of item: CartItem, isSelected: Bool, columns: Int) -> Row {
        let numbers = "\(item.amount) × \(money(item.price))"
        let end = "  \(padded(numbers, to: 14, atEnd: false))  \(padded(money(item.sum), to: 9, atEnd: false))"
        let room = max(4, min(30, columns - 6 - end.columns))
        return Row(isSelected ? "> " : "  ", .accent) + Row(item.isChecked ? "[x] " : "[ ] ")
            + Row(padded(item.name.escapingControls, to: room), isSelected ? .bold : .plain) + Row(end)
    }

    private func details(of item: CartItem, in size: Size) -> [Row] {
        let rows = [
            Row(item.name, .bold), Row(item.about), Row("\(item.amount) × \(money(item.price)) = \(money(item.sum))"),
            Row("Esc", .accent) + Row(" back"),
        ]
        return size.rows < 7 ? Array(rows.prefix(size.rows)) : [rows[0], "", rows[1], "", rows[2], "", rows[3]]
    }

    private var note: Row {
        if let refusal { return Row(refusal, .alert) }
        switch state.note {
        case nil: return ""
        case .bought?: return Row(noteText ?? "", .accent)
        case .connectionFailed?, .deleteFailed?, .buyFailed?: return Row(noteText ?? "", .alert)
        }
    }

    private var footer: Row { question ?? Row(summary, .bold) }

    private var question: Row? {
        state.pendingDelete.flatMap { state.items.value?[id: $0] }
            .map {
                Row("Delete \($0.name)? ", .bold) + Row("y", .accent) + Row(" yes   ") + Row("n", .accent) + Row(" no")
            }
    }

    private func keys(in size: Size) -> Row {
        func key(_ key: String, _ meaning: String) -> Row { Row(key, .accent) + Row(" \(meaning)") }
        let long = [
            key("+-", "amount"), key("space", "check"), key("⏎", "details"), key("d", "delete"), key("b", "buy"),
            key("r", "reload"), key("q", "quit"),
        ].reduce(key("↑↓", "select")) { $0 + Row("  ") + $1 }
        return long.columns <= size.columns ? long : Row("↑↓ + - space ⏎ d b r q", .accent)
    }

    // MARK: In a pipe

    /// The screen as lines.
    var lines: [String] {
        if let item = state.details {
            let price = "\(item.amount) × \(money(item.price)) = \(money(item.sum))"
            return ["\(item.id)  \(item.name)"] + (item.about.isEmpty ? [] : [item.about]) + [price]
        }
        let items = (state.items.value ?? IdentifiedList()).map { item in
            "\(item.id)  [\(item.isChecked ? "x" : " ")] \(item.name)  \(item.amount) × \(money(item.price))"
        }
        let question = state.pendingDelete.flatMap { state.items.value?[id: $0] }.map { "Delete \($0.name)?" }
        return (items.isEmpty ? [placeholder] : items) + [noteText, question ?? summary].compactMap { $0 }
    }

    // MARK: In both

    private var placeholder: String {
        switch state.items {
        case .idle, .loading: "Loading…"
        case .loaded: "The basket is empty."
        case .failed(let error): "\(error)"
        }
    }

    private var summary: String {
        state.checked.isEmpty ? "Nothing is checked." : "\(state.checked.count) to buy: \(money(state.total))"
    }

    private var noteText: String? {
        switch state.note {
        case nil: nil
        case .connectionFailed(let error): "not done: \(error)"
        case .deleteFailed(let error): "not deleted: \(error)"
        case .buyFailed(let error): "not bought: \(error)"
        case .bought(let order): "Bought: order \(order.number), \(money(order.total))"
        }
    }

    private func money(_ cents: Int) -> String {
        let rest = String(cents % 100)
        return "\(cents / 100).\(rest.count < 2 ? "0" + rest : rest)"
    }

    private func padded(_ text: String, to columns: Int, atEnd: Bool = true) -> String {
        let text = text.fitting(columns: columns)
        let padding = String(repeating: " ", count: max(0, columns - text.columns))
        return atEnd ? text + padding : padding + text
    }
}
