/// What the user can say in a line of a pipe.
enum Command: Equatable {
    case ask(CounterEvent)
    case quit

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
}
