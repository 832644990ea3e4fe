import SampleTerminal

/// What the user can say.
enum Command: Equatable {
    case ask(DownloadsEvent)
    case quit

    /// What a key says about the selected file, if anything.
    init?(key: Key, selected: Item.ID?) {
        switch key {
        case .up: self = .ask(.select(-1))
        case .down: self = .ask(.select(1))
        case .control("c"), .control("d"), .character("q"), .character("Q"): self = .quit
        case .character(let character):
            guard let selected else { return nil }
            switch character.lowercased() {
            case "x": self = .ask(.file(selected, .cancel))
            case "r": self = .ask(.file(selected, .retry))
            case "d": self = .ask(.remove(selected))
            default: return nil
            }
        default: return nil
        }
    }

    /// What a line says.
    ///
    /// - Throws: Why it says nothing.
    init(line: String) throws(Source.Fault) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        switch (words.first, words.dropFirst().first?.trimmingSpaces) {
        case ("cancel", let name?): self = .ask(.file(name, .cancel))
        case ("retry", let name?): self = .ask(.file(name, .retry))
        case ("remove", let name?): self = .ask(.remove(name))
        case ("quit", nil): self = .quit
        default: self = .ask(.add(try Source(line)))
        }
    }
}
