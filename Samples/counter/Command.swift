import SampleTerminal

/// What the user can say: as a key in the panel, as a line in a pipe.
enum Command: Equatable {
    case ask(CounterEvent)
    case quit

    /// What a key says, if anything.
    init?(key: Key) {
        switch key {
        case .up, .right: self = .ask(.plus)
        case .down, .left: self = .ask(.minus)
        case .character("="): self = .ask(.plus)  // The same key, without Shift.
        case .character(let character): self.init(word: String(character))
        case .control("c"), .control("d"): self = .quit
        default: return nil
        }
    }

    /// What a word says, if anything; capitals do not matter.
    init?(word: String) {
        switch word.lowercased() {
        case "+", "plus": self = .ask(.plus)
        case "-", "minus": self = .ask(.minus)
        case "r", "refresh": self = .ask(.refresh)
        case "s", "service": self = .ask(.toggleService)
        case "q", "quit": self = .quit
        default: return nil
        }
    }

    /// What it asks for, if it asks.
    var event: CounterEvent? { if case .ask(let event) = self { event } else { nil } }
}
