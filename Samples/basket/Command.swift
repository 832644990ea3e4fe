/// What the user can say in a line of a pipe.
enum Command: Equatable {
    case ask(BasketEvent)
    /// Shows the basket again.
    case list
    case quit

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
