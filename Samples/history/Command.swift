/// What the user can say in a line of a pipe.
enum Command: Equatable {
    case ask(HistoryEvent)
    case quit

    /// What a word says, if anything; capitals do not matter.
    init?(word: String) {
        switch word.lowercased() {
        case "n", "number": self = .ask(.numberRequested)
        case "t", "text": self = .ask(.textRequested)
        case "q", "quit": self = .quit
        default: return nil
        }
    }
}
