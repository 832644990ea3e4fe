import SampleTerminal

/// What the user can say: as a key in the panel, as a line in a pipe.
enum Command: Equatable {
    case ask(HistoryEvent)
    case quit

    /// What a key says, if anything.
    init?(key: Key) {
        switch key {
        case .character(let character): self.init(word: String(character))
        case .control("c"), .control("d"): self = .quit
        default: return nil
        }
    }

    /// What a word says, if anything; capitals do not matter.
    init?(word: String) {
        switch word.lowercased() {
        case "n", "number": self = .ask(.numberRequested)
        case "t", "text": self = .ask(.textRequested)
        case "q", "quit": self = .quit
        default: return nil
        }
    }

    /// What it asks for, if it asks.
    var event: HistoryEvent? {
        if case .ask(let event) = self { event } else { nil }
    }
}
