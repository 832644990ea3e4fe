import MoonlightTesting

/// The result of an exploration that has found no violation.
public struct ExplorationReport: Sendable, CustomStringConvertible {
    /// The extent of an exploration.
    public enum Extent: Sendable, Equatable {
        /// Everything that can happen has been tried.
        case exhaustive
        /// A limit has ended the exploration: which one, and the number of nodes whose choices were not tried.
        case bounded(by: String, left: Int)
    }

    /// The extent: everything, or as much as a limit allows.
    public let extent: Extent
    /// The number of different states.
    public let states: Int
    /// The number of different nodes: a state, and what is alive in it.
    public let nodes: Int
    /// The number of choices that were tried.
    public let transitions: Int
    /// The number of nodes whose shortest trace has so many choices: the first is that of no choice.
    public let levels: [Int]
    /// True if the reducer was explored by values, as all its effects are ready.
    public let isByValues: Bool
    /// True if choices that are independent of others were left out: see ``Exploration/tryingAllOrders()``.
    public let isReduced: Bool
    /// An upper bound for the probability that two different nodes were taken for one, because only their fingerprints were
    /// compared; 0 if all were compared whole: see ``Exploration/withoutFingerprints()``.
    public let chanceOfMiss: Double
    /// The events, effects and calls that were tried, by kinds of state; nil unless the exploration is ``Exploration/covered(by:)``.
    public let coverage: ExplorationCoverage?
    /// The states and choices; nil unless the exploration is ``Exploration/drawn(by:)``.
    public internal(set) var picture: ExplorationPicture?

    /// The number of choices in the longest of all shortest traces.
    public var depth: Int { levels.count - 1 }

    /// The verdict, in a sentence.
    public var description: String {
        var size = "\(states) states, \(nodes) nodes, \(transitions) transitions, depth \(depth)"
        if isReduced { size += ", independent choices in one order" }
        if chanceOfMiss > 0 { size += ", with a chance of \(Self.shown(chanceOfMiss)) that a node was missed" }
        return switch extent {
        case .exhaustive: "exhaustive: \(size)"
        case .bounded(let limit, let left): "bounded by \(limit): \(size); the choices of \(left) nodes were not tried"
        }
    }
}

extension ExplorationReport {
    /// A probability with two digits, such as `1.7e-6`.
    private static func shown(_ chance: Double) -> String {
        var (digits, exponent) = (chance, 0)
        while digits < 1 {
            digits *= 10
            exponent -= 1
        }
        var tenths = Int((digits * 10).rounded())
        // 9.96 has the two digits of 10.
        if tenths == 100 { (tenths, exponent) = (10, exponent + 1) }
        return exponent == 0 ? "1" : "\(tenths / 10).\(tenths % 10)e\(exponent)"
    }
}

/// The error that an exploration throws: a violation with its shortest trace, or what prevents the exploration.
public struct ExplorationFailure: Error, Sendable, CustomStringConvertible {
    /// A sentence that says which property does not hold, or why the exploration cannot go on.
    public let message: String
    /// The place of the exploration in the source.
    public let place: SourcePlace
    /// The short name of the trace, for ``Exploration/replay(_:)``; empty if nothing was violated.
    public internal(set) var name = ""
    /// The choices that lead to the violation, each with the changes and calls that follow from it, in lines.
    public internal(set) var trace = ""
    /// The source of a `Plan` that fails at the end of this trace, and passes when the fault is mended; empty if no plan can say
    /// it: for what can always be reached, cycles, and cancellations from outside.
    public internal(set) var plan = ""

    /// The states and choices that were found until then; nil unless the exploration is ``Exploration/drawn(by:)``.
    public internal(set) var picture: ExplorationPicture?
    /// The choices of the trace, to be marked in the picture: `failure.picture?.mermaid(marking: failure.edges)`.
    public internal(set) var edges: [ExplorationPicture.Edge] = []

    init(_ message: String, at place: SourcePlace) {
        self.message = message
        self.place = place
    }

    /// The place, the message, the trace and its short name.
    public var description: String {
        if trace.isEmpty { return "\(place): \(message)" }
        let lines = trace.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        let again = "\(place): \(message)\nThe shortest trace:\n\(lines)\nTo play it again: .replay(\"\(name)\")"
        return plan.isEmpty
            ? again : "\(again)\nAs a test:\n\(plan.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))"
    }
}
