import SampleSupport

/// What the user can say in a line of a pipe.
enum Command: Equatable {
    case ask(AppEvent)
    /// Shows again what is shown.
    case show
    case quit

    /// What a line says, if anything.
    init?(line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first?.lowercased(), words.dropFirst().first?.trimmingSpaces) {
        case ("show", nil): self = .show
        case ("quit", nil): self = .quit
        case ("reload", nil): self = .ask(.load)
        case ("next", nil): self = .ask(.list(.moved(.down)))
        case ("previous", nil): self = .ask(.list(.moved(.up)))
        case ("select", let text?):
            guard let id = Int(text) else { return nil }
            self = .ask(.list(.select(id)))
        case ("open", nil): self = .ask(.list(.open))
        case ("colour", let name?): self = .ask(.details(.choose(name)))
        case ("order", nil): self = .ask(.details(.order))
        case ("name", let name?): self = .ask(.order(.named(name)))
        case ("place", nil): self = .ask(.order(.place))
        case ("back", nil): self = .ask(.back)
        default: return nil
        }
    }
}
