import PlainText

/// A report of a loop that keeps itself busy without input from outside, most likely because two rules respond to each other.
public struct RunawayReport: Sendable, Hashable, CustomStringConvertible {
    /// The number of events that have followed each other.
    public let steps: Int
    /// The names of the events that repeat, in order.
    public let chain: [String]

    package init(steps: Int, chain: [String]) {
        self.steps = steps
        self.chain = chain
    }

    /// The number of events, and the names of those that repeat, joined by arrows.
    public var description: String {
        "\(steps) events without input, repeating \(chain.joined(separator: " -> "))".escapingControls
    }
}
