import Moonlight
import MoonlightTesting

/// The result of an exploration that has found no violation.
public struct ExplorationReport: Sendable, CustomStringConvertible {
    /// The extent of an exploration.
    public enum Extent: Sendable, Equatable {
        /// Every trace was explored.
        case exhaustive
        /// A limit ended the exploration: the limit, and the number of nodes whose choices were not tried.
        case bounded(by: String, left: Int)
    }

    /// The extent of the exploration.
    public let extent: Extent
    /// The number of different states.
    public let states: Int
    /// The number of different nodes: states, each with its live effects and timers.
    public let nodes: Int
    /// The number of choices that were tried.
    public let transitions: Int
    /// The number of nodes by the length of their shortest trace, from 0.
    public let levels: [Int]
    /// True if the reducer was explored by values, as all its effects are ready, and no events follow from them or there is one sender.
    public let isByValues: Bool
    /// True if independent choices were tried in one order only: see `Exploration.tryingAllOrders()`.
    package let isReduced: Bool
    /// An upper bound for the probability that two different nodes were taken for one because of equal fingerprints; 0 if all
    /// nodes were compared as a whole: see ``Exploration/withoutFingerprints()``.
    public let chanceOfMiss: Double
    /// The coverage; nil unless the exploration is ``Exploration/covered(by:)``.
    public let coverage: ExplorationCoverage?
    /// The picture; nil unless the exploration is ``Exploration/drawn(by:)``.
    public internal(set) var picture: ExplorationPicture?

    /// The length of the longest shortest trace.
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
    /// Returns a probability with two digits, such as `1.7e-6`.
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

/// The error of an exploration: a violation with its shortest counterexample, or the reason why the exploration cannot
/// continue.
public struct ExplorationFailure: Error, Sendable, CustomStringConvertible {
    /// A sentence that states the violation, or the reason.
    public let message: String
    /// The place of the exploration in the source.
    public let place: SourcePlace
    /// The short name of the counterexample, for ``Exploration/replay(_:)``; empty if no property is violated.
    public internal(set) var name = ""
    /// The counterexample, in lines: its choices, each with the changes and calls that follow.
    public internal(set) var trace = ""
    /// The source of a `Plan` that fails at the end of the counterexample, and passes when the fault is corrected; empty for
    /// `canAlways`, cycles, cancellations from outside, choices before work that is due at once, and an unexpected rejection after
    /// an expected one, which a plan cannot express.
    public internal(set) var plan = ""

    /// The part of the graph found so far, with the choices of the counterexample in red; nil unless the exploration is
    /// ``Exploration/drawn(by:)``.
    public internal(set) var picture: ExplorationPicture?
    /// The choices of the counterexample, for the picture.
    var edges: [ExplorationPicture.Edge] = []

    init(_ message: String, at place: SourcePlace) {
        // Errors, descriptions and names of functions may come from anywhere, and a failure is printed.
        self.message = message.escapingControlsInLines
        self.place = place
    }

    /// The place, the message, and the counterexample with its short name.
    public var description: String {
        if trace.isEmpty { return "\(place): \(message)" }
        let lines = trace.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        let again = "\(place): \(message)\nThe shortest trace:\n\(lines)\nTo play it again: .replay(\"\(name)\")"
        return plan.isEmpty
            ? again : "\(again)\nAs a test:\n\(plan.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))"
    }
}
