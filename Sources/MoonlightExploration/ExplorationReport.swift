import MoonlightTesting

/// What an exploration has tried, if it has found no violation.
public struct ExplorationReport: Sendable, CustomStringConvertible {
    /// Whether everything has been tried.
    public enum Extent: Sendable, Equatable {
        /// Everything that can happen has been tried.
        case exhaustive
        /// A limit has ended the exploration: which one, and the number of moments whose choices were not tried.
        case bounded(by: String, left: Int)
    }

    /// Whether everything has been tried.
    public let extent: Extent
    /// The number of different states.
    public let states: Int
    /// The number of different moments: a state, and what is alive in it.
    public let moments: Int
    /// The number of choices that were tried.
    public let transitions: Int
    /// The number of moments whose shortest story has so many choices: the first is that of no choice.
    public let levels: [Int]
    /// Whether the reducer was explored by values, as all its effects lie ready.
    public let isByValues: Bool
    /// Whether choices that are independent of others were left out: see ``Exploration/tryingAllOrders()``.
    public let isReduced: Bool
    /// An upper bound for the probability that two different moments were taken for one, because only their fingerprints were
    /// compared; 0 if all were compared whole: see ``Exploration/withoutFingerprints()``.
    public let chanceOfMiss: Double
    /// What was tried in which kind of state; nil unless the exploration is ``Exploration/covered(by:)``.
    public let coverage: ExplorationCoverage?
    /// The states and choices; nil unless the exploration is ``Exploration/drawn(by:)``.
    public internal(set) var picture: ExplorationPicture?

    /// The number of choices in the longest of all shortest stories.
    public var depth: Int { levels.count - 1 }

    /// The verdict, in a sentence.
    public var description: String {
        var size = "\(states) states, \(moments) moments, \(transitions) transitions, depth \(depth)"
        if isReduced { size += ", independent choices in one order" }
        if chanceOfMiss > 0 { size += ", with a chance of \(Self.shown(chanceOfMiss)) that a moment was missed" }
        return switch extent {
        case .exhaustive: "exhaustive: \(size)"
        case .bounded(let limit, let left): "bounded by \(limit): \(size); the choices of \(left) moments were not tried"
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

/// The error that an exploration throws: a violation with its shortest story, or what prevents the exploration.
public struct ExplorationFailure: Error, Sendable, CustomStringConvertible {
    /// What does not hold, or what went wrong.
    public let message: String
    /// The place of the exploration in the source.
    public let place: SourcePlace
    /// The short name of the story, for ``Exploration/replay(_:)``; empty if nothing was violated.
    public internal(set) var name = ""
    /// What happens up to the violation.
    public internal(set) var story = ""
    /// The source of a `Plan` that fails at the end of this story, and passes when the fault is mended; empty if no plan can say
    /// it: for what can always be reached, cycles, and cancellations from outside.
    public internal(set) var plan = ""

    /// The states and choices that were found until then; nil unless the exploration is ``Exploration/drawn(by:)``.
    public internal(set) var picture: ExplorationPicture?
    /// The choices of the story, to be marked in the picture: `failure.picture?.svg(marking: failure.edges)`.
    public internal(set) var edges: [ExplorationPicture.Edge] = []

    init(_ message: String, at place: SourcePlace) {
        self.message = message
        self.place = place
    }

    /// The place, the message, the story and its short name.
    public var description: String {
        if story.isEmpty { return "\(place): \(message)" }
        let lines = story.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        let again = "\(place): \(message)\nThe shortest story:\n\(lines)\nTo play it again: .replay(\"\(name)\")"
        return plan.isEmpty
            ? again : "\(again)\nAs a test:\n\(plan.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))"
    }
}
