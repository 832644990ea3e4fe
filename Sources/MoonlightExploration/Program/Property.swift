import MoonlightTesting

/// What must hold, with its name.
struct Property<State> {
    enum Kind {
        case always((State) -> Bool)
        case whenQuiet((State) -> Bool)
        case eventually(after: ((State) -> Bool)?, until: (State) -> Bool)
        case canAlways((State) -> Bool)
    }

    let name: String
    let kind: Kind
    let place: SourcePlace
    /// Where the child is named whose state it is about; nil for the whole state.
    var scope: SourcePlace?
}
