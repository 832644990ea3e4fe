import MoonPresentation
import Moonlight

func money(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }

struct BasketView {
    let basket: Basket
    let refusal: String?

    var body: Layers<BasketEvent> {
        Layers {
            Rows {
                Text("Basket", style: .bold).padding(Insets(bottom: 1))
                if let error = basket.items.error {
                    Text("\(error)", style: Style(foreground: .red)).length(.share())
                } else {
                    Table(
                        Array(basket.list), selected: basket.selected, select: BasketEvent.select,
                        columns: [
                            TableColumn("Item") { StyledText("[\($0.isChecked ? "x" : " ")] \($0.name)") },
                            TableColumn("Price", width: .content, alignment: .right) {
                                StyledText("\($0.amount) × \(money($0.price))")
                            },
                        ]
                    ).length(.share())
                }
                Text(refusal ?? basket.note ?? (basket.isBuying ? "Buying…" : ""), style: Style(foreground: .cyan))
                Text("\(basket.checked.count) to buy: \(money(basket.total))", style: .bold)
                HelpView(basket.keys)
            }
            if let id = basket.doomed, let item = basket.list[id: id] {
                Dialog(title: "Delete?", cancel: BasketEvent.keep) {
                    Text(item.name)
                    Columns(spacing: 2) {
                        Button("Delete", press: BasketEvent.confirm)
                        Button("Keep", press: BasketEvent.keep)
                    }
                }
            }
        }
    }
}

extension Basket {
    /// The keys for the selected item.
    var keys: KeyTable<BasketEvent> {
        guard list.count > 0 else { return [.key("r", sends: .load, help: "reload")] }
        let id = list.id(at: selected)
        return [
            .key("+", sends: .plus(id), help: "more"), .key("-", sends: .minus(id), help: "less"),
            .key(" ", sends: .check(id), help: "check"), .key("d", sends: .delete(id), help: "delete"),
            .key("b", sends: .buy, help: "buy"), .key("r", sends: .load, help: "reload"),
        ]
    }
}
