import SampleTerminal

/// What the user can say.
enum Command: Equatable {
    case ask(BasketEvent)
    /// Shows the basket again.
    case list
    case quit

    /// What a key says where the basket is as it is, if anything.
    init?(key: Key, state: Basket) {
        let event: BasketEvent?
        switch (key, state.current?.id) {
        case (.control("c"), _), (.control("d"), _), (.character("q"), _):
            self = .quit
            return
        case (.character("y"), _) where state.pendingDelete != nil: event = .confirmDelete
        case _ where state.pendingDelete != nil: event = [.character("n"), .escape].contains(key) ? .cancelDelete : nil
        case (.escape, _) where state.details != nil, (.enter, _) where state.details != nil,
            (.backspace, _) where state.details != nil:
            event = .detailsClosed
        case _ where state.details != nil: event = nil
        case (.up, _): event = .selectionMoved(-1)
        case (.down, _): event = .selectionMoved(1)
        case (.character("+"), let id?), (.character("="), let id?), (.right, let id?): event = .countPlusPressed(id)
        case (.character("-"), let id?), (.left, let id?): event = .countMinusPressed(id)
        case (.character(" "), let id?): event = .checkMarkPressed(id, !(state.current?.isChecked ?? false))
        case (.enter, let id?): event = .tableItemPressed(id)
        case (.character("d"), let id?): event = .deleteItemPressed(id)
        case (.character("b"), _): event = .buyButtonPressed
        case (.character("r"), _): event = .loadPressed
        default: event = nil
        }
        guard let event else { return nil }
        self = .ask(event)
    }

    /// What a line says, if anything; capitals do not matter.
    init?(line: String) {
        let words = line.lowercased().split(separator: " ").map(String.init)
        let id = words.dropFirst().first.flatMap { Int($0) }
        switch (words.first, id, words.count) {
        case ("list", nil, 1): self = .list
        case ("quit", nil, 1): self = .quit
        case ("reload", nil, 1): self = .ask(.loadPressed)
        case ("plus", let id?, 2): self = .ask(.countPlusPressed(id))
        case ("minus", let id?, 2): self = .ask(.countMinusPressed(id))
        case ("check", let id?, 2): self = .ask(.checkMarkPressed(id, true))
        case ("uncheck", let id?, 2): self = .ask(.checkMarkPressed(id, false))
        case ("details", let id?, 2): self = .ask(.tableItemPressed(id))
        case ("close", nil, 1): self = .ask(.detailsClosed)
        case ("delete", let id?, 2): self = .ask(.deleteItemPressed(id))
        case ("confirm", nil, 1): self = .ask(.confirmDelete)
        case ("cancel", nil, 1): self = .ask(.cancelDelete)
        case ("buy", nil, 1): self = .ask(.buyButtonPressed)
        default: return nil
        }
    }
}
