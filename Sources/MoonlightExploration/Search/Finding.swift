import Moonlight
import MoonlightTesting

/// The reason why an exploration ends early.
enum Finding: Error {
    case fault(ExplorationFault)
    /// An effect is not ready, or an event follows from it before which others may come, so that the reducer cannot be explored by values.
    case notByValues
    /// User code does not return in a choice that was tried before its node was due. A shorter trace may fail in the same way.
    case aheadOfTurn
    /// User code does not return, or causes an endless chain: the choices before, the choice itself unless it precedes all
    /// choices, and the reason.
    case endless([Choice], Choice?, String)
    /// A property is violated: its name, the choices, those that then repeat, the reason, and the property's number; nil for one
    /// that every exploration checks.
    case violation(String, [Choice], cycle: [Choice], String, property: Int? = nil)
}

extension Property {
    /// Returns the reason for a goal that is not reached.
    static func unfulfilled(isCycle: Bool) -> String {
        isCycle ? "never happens" : "does not happen: nothing that is pending can lead to it"
    }

    /// Returns the finding for a state that violates the property.
    func violation(by state: State, _ path: [Choice]) -> Finding {
        let quiet = if case .whenQuiet = kind { " when nothing is live:" } else { " of" }
        return .violation(name, path, cycle: [], "does not hold\(quiet) \(ValueText.shown("\(state)"))", property: number)
    }
}

extension Refusal {
    /// The name of the property that every exploration checks, unless rejections are expected.
    static let property = "nothing is refused"

    /// Returns the finding for an unexpected rejection.
    func finding(_ path: [Choice]) -> Finding {
        .violation(
            Self.property, path, cycle: [], "does not hold: \(what) is refused: \(error)\nIf it may be, write .allowingRefusals()"
        )
    }
}

/// The reason why an exploration cannot continue.
struct ExplorationFault: Error {
    /// The error for a state that is not equal to itself.
    static let unequal = ExplorationFault(
        """
        a state is not equal to itself, so that it is never found again: it may contain a number that is not a number
        Pass a key without that number, or correct `==`
        """)

    let message: String
    init(_ message: String) { self.message = message }
}
