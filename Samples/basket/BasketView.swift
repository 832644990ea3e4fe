import MoonPresentation
import Moonlight
import SampleSupport
import Streams

/// What is shown of the basket in a terminal: the items or one of them, what there is to say, and the keys.
struct BasketView {
    let state: Basket
    private var text: BasketText { BasketText(state: state) }

    init(_ state: Basket) { self.state = state }

    /// The keys that mean something on this screen.
    var keys: KeyTable<BasketEvent> {
        if state.pendingDelete != nil {
            return [.key("y", sends: .confirmDelete, help: "yes"), .key("n", .escape, sends: .cancelDelete, help: "no")]
        }
        if state.details != nil { return [.key(.escape, .enter, .backspace, sends: .detailsClosed, help: "back")] }
        var keys = KeyTable<BasketEvent>()
        if let item = state.current {
            keys.append(.key("+", "=", .right, sends: .countPlusPressed(item.id)))
            keys.append(.key("-", .left, sends: .countMinusPressed(item.id)))
            keys.append(.key(" ", sends: .checkMarkPressed(item.id, !item.isChecked), help: "check"))
            keys.append(.key(.enter, sends: .tableItemPressed(item.id), help: "details"))
            keys.append(.key("d", sends: .deleteItemPressed(item.id), help: "delete"))
        }
        keys.append(.key("b", sends: .buyButtonPressed, help: "buy"))
        keys.append(.key("r", sends: .loadPressed, help: "reload"))
        return keys
    }

    /// In a low window, what matters least gives way.
    func body(in size: Size, refusal: String?) -> Rows<BasketEvent> {
        Rows {
            if let item = state.details {
                Text(item.name, style: .bold, wraps: false)
                Text(item.about)
                Text("\(BasketText.price(of: item))\n")
                HelpView(keys)
            } else if state.isBuying {
                Text("Buying…", style: .bold)
            } else {
                if size.rows > 6 { Text("Basket\n", style: .bold) }
                items(in: size)
                if size.rows > 5 { Text(note(refusal), wraps: false) }
                if size.rows > 2 || text.question != nil { Text(text.question ?? text.summary, style: .bold, wraps: false) }
                if size.rows > 4 { HelpView(help) }
            }
        }
    }

    @ViewBuilder<BasketEvent> private func items(in size: Size) -> [ViewBuilder<BasketEvent>.Child] {
        if size.rows < 2, let item = state.current {
            Text("> \(item.name)", wraps: false)
        } else if let items = state.items.value, !items.isEmpty {
            let item = TableColumn<CartItem>("    Item") { StyledText("[\($0.isChecked ? "x" : " ")] \($0.name)") }
            let price = TableColumn<CartItem>("Price", width: .content, alignment: .right) {
                StyledText("\($0.amount) × \(BasketText.money($0.price))")
            }
            let sum = TableColumn<CartItem>("Sum", width: .content, alignment: .right) { StyledText(BasketText.money($0.sum)) }
            Table(
                Array(items), selected: state.current.flatMap { items.position(of: $0.id) }, spacing: 2,
                select: text.question == nil ? BasketEvent.selectionMoved : nil,
                columns: size.columns < 40 ? [item] : [item, price, sum])
        } else {
            Text(text.placeholder, style: .dim).length(.share())
        }
    }

    private func note(_ refusal: String?) -> StyledText {
        if let refusal { return StyledText(refusal, .alert) }
        if case .bought? = state.note { return StyledText(text.note ?? "", .accent) }
        return StyledText(text.note ?? "", .alert)
    }

    /// The keys by what they do: those that the table of keys has no single line for, too.
    private var help: [KeyHelp] {
        if state.pendingDelete != nil { return keys.help }
        return [KeyHelp(keys: ["↑", "↓"], text: "select"), KeyHelp(keys: ["+", "-"], text: "amount")] + keys.help
            + [KeyHelp(keys: ["q"], text: "quit")]
    }

    /// The program in a terminal.
    static func program(
        _ environment: BasketEnvironment, _ options: LoopOptions<Basket, BasketEvent, BasketEffect> = LoopOptions()
    ) -> Program<Basket, BasketEvent, BasketEffect, BasketEnvironment> {
        Program(Basket.reducer, initialState: Basket(), environment: environment, options: options) { state, screen in
            screen.add(BasketView(state).body(in: screen.size, refusal: screen.notes.last))
        }
        .keys([], quit: ["q", .control("d")])
        .keys(in: { BasketView($0).keys })
        .notes { if case .rejected(_, let error) = $0.step { "\(error)" } else { nil } }
        .feedback { _, _ in [Just(.loadPressed).eraseToAnyPublisher()] }
    }
}
