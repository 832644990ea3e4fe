/// A record of what happened to a rule.
public struct RuleRecord: Sendable {
    /// The rule's name.
    public let name: String
    /// The path of the child that the rule belongs to; see ``Streams/Publisher/located(at:)``.
    public let path: ScopePath
    /// What happened.
    public let step: Step

    /// What can happen to a rule whose pattern matches.
    public enum Step: Sendable {
        /// All givens held, and the rule sent this number of events.
        case fired(events: Int)
        /// A given did not hold: the one with this number, counted from 1.
        case blocked(given: Int)
        /// A given threw an error: the one with this number, counted from 1.
        case failed(given: Int, any Error)
    }

    /// The name with the path, as in `cart/greet`.
    var locatedName: String { path.isRoot ? name : "\(path)/\(name)" }
}
