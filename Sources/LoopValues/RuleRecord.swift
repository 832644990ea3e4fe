/// A record of a step of a rule.
public struct RuleRecord: Sendable {
    /// The rule's name.
    public let name: String
    /// The path of the child that the rule belongs to; see `Publisher.located(at:)`.
    public let path: ScopePath
    /// The step that the record describes.
    public let step: Step

    package init(name: String, path: ScopePath, step: Step) {
        self.name = name
        self.path = path
        self.step = step
    }

    /// A step of a rule whose pattern matches.
    public enum Step: Sendable {
        /// All givens held, and the rule sent this number of events.
        case fired(events: Int)
        /// A given did not hold.
        case blocked(by: Given)
        /// A given threw an error.
        case failed(in: Given, any Error)
    }

    /// A condition of a rule, or a step that transforms its match.
    public struct Given: Hashable, Sendable, CustomStringConvertible {
        /// The number of the given in its rule, counted from 1.
        public let number: Int
        /// The given in words; nil if the rule has no text for it.
        public let text: String?

        package init(number: Int, text: String?) {
            self.number = number
            self.text = text
        }

        /// The text or, without one, the number: `given 2`.
        public var description: String { text ?? "given \(number)" }
    }

    /// The name with the path, as in `cart/greet`.
    var locatedName: String { path.isRoot ? name : "\(path)/\(name)" }
}
