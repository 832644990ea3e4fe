import SampleTerminal

/// What the user can say.
enum Command: Equatable {
    case ask(AppEvent)
    /// Shows again what is shown.
    case show
    case quit

    /// What a key says where the app is as it is, if anything.
    init?(key: Key, state: App) {
        switch (state.route.last, key) {
        case (_, .control("c")), (_, .control("d")): self = .quit
        case (.order, .enter): self = .ask(.order(.place))
        case (.order, .backspace): self = .ask(.order(.erased))
        case (.order, .character(let character)): self = .ask(.order(.typed(character)))
        case (_, .character("q")): self = .quit
        case (.details, .right): self = .ask(.details(.nextColour))
        case (.details, .left): self = .ask(.details(.previousColour))
        case (.details, .character("o")), (.details, .enter): self = .ask(.details(.order))
        case (.some, .escape), (.some, .backspace): self = .ask(.back)
        case (nil, .down): self = .ask(.list(.next))
        case (nil, .up): self = .ask(.list(.previous))
        case (nil, .enter), (nil, .right): self = .ask(.list(.open))
        case (nil, .character("r")): self = .ask(.load)
        default: return nil
        }
    }

    /// What a line says, if anything.
    init?(line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first?.lowercased(), words.dropFirst().first?.trimmingSpaces) {
        case ("show", nil): self = .show
        case ("quit", nil): self = .quit
        case ("reload", nil): self = .ask(.load)
        case ("next", nil): self = .ask(.list(.next))
        case ("previous", nil): self = .ask(.list(.previous))
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
