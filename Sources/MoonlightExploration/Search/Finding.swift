import MoonlightTesting
import SwiftText

/// What ends an exploration.
enum Finding: Error {
    case fault(ExplorationFault)
    /// An effect is not ready, so that the reducer cannot be explored by values.
    case notByValues
    /// Code of the user's does not return, before it is the turn of that choice. A shorter trace may do so, too.
    case aheadOfTurn
    /// Code of the user's does not return, or goes on for good: the choices before it, the choice itself unless it happens before
    /// one is made, and why.
    case endless([Choice], Choice?, String)
    /// A property does not hold: its name, the choices, those that then repeat, and why.
    case violation(String, [Choice], cycle: [Choice], String)
}

extension Property {
    /// What is said of what does not happen.
    static func unfulfilled(isCycle: Bool) -> String {
        isCycle ? "never happens" : "does not happen: nothing is left that could bring it about"
    }

    /// What is said of a state in which the property does not hold.
    func violation(by state: State, _ path: [Choice]) -> Finding {
        let quiet = if case .whenQuiet = kind { " when nothing is live:" } else { " of" }
        return .violation(name, path, cycle: [], "does not hold\(quiet) \(ValueText.shown("\(state)"))")
    }
}

extension Refusal {
    /// What every exploration asks, unless refusals are expected.
    static let property = "nothing is refused"

    /// What is said of a refusal that was not expected.
    func finding(_ path: [Choice]) -> Finding {
        .violation(
            Self.property, path, cycle: [], "does not hold: \(what) is refused: \(error)\nIf it may be, write .allowingRefusals()"
        )
    }
}
