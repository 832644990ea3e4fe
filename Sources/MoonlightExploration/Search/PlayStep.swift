import Moonlight
import MoonlightTesting

/// A choice that was made in a play, and its result.
struct PlayStep<State: Equatable, Event, Effect, Environment> {
    typealias World = Play<State, Event, Effect, Environment>

    let choice: Choice
    let packed: UInt32
    /// The node and the state before the choice.
    let start: NodeKey
    let before: State
    /// The node and the state after the choice.
    let key: NodeKey
    let print: UInt64
    let state: State
    /// The facts for the graph; nil if it is not needed.
    let facts: GraphFacts?
    /// The violation after the choice.
    let finding: Finding?
    /// True if the choice makes progress; see ``Play/goesOn(from:)``.
    let goesOn: Bool
    /// True if only its own effect can observe that the choice was made.
    let wasSilent: Bool
    /// True if other events may come before those that follow from the choice.
    let mayBeHeld: Bool
    /// The choice's description in a picture; empty if none is drawn.
    let title: String
    /// The choice in the terms of the coverage, and its results.
    let covered: World.Covered?
    let effects: [String]
    let outcome: ExplorationCoverage.Outcome
}

extension Exploration {
    /// Makes a choice in a play.
    ///
    /// - Parameters:
    ///   - choice: The choice.
    ///   - start: The node that the play has reached.
    ///   - play: The play.
    ///   - path: The choices before.
    /// - Throws: An error if the choice cannot be made.
    func make(
        _ choice: Choice, at start: NodeKey, in play: Play<State, Event, Effect, Environment>, after path: [Choice]
    ) throws(Finding) -> PlayStep<State, Event, Effect, Environment> {
        guard let packed = choice.packed else { throw .fault(ExplorationFault("too many choices at once: \(choice)")) }
        let (before, needsGraph) = (play.state, needsGraph)
        let open = try finding { () throws(ExplorationFault) in needsGraph ? try play.owedCalls() : [] }
        let covered = isCovered ? try finding { () throws(ExplorationFault) in try play.covered(choice) } : nil
        let title = isDrawn ? try finding { () throws(ExplorationFault) in try play.title(of: choice) } : nil
        try finding { () throws(ExplorationFault) in _ = try play.make(choice) }
        let key = play.key
        var (facts, wrong) = (GraphFacts?.none, Finding?.none)
        do throws(Finding) {
            try check(play, after: path + [choice])
            if needsGraph { facts = try graphFacts(play, key, open: open) }
        } catch { wrong = error }
        return PlayStep(
            choice: choice, packed: packed, start: start, before: before, key: key, print: key.print, state: play.state,
            facts: facts, finding: wrong, goesOn: play.goesOn(from: before), wasSilent: play.wasSilent,
            mayBeHeld: play.mayBeHeld, title: title ?? "", covered: covered, effects: play.effects,
            outcome: !play.refusals.isEmpty ? .refused : play.wasIdle ? .unchanged : .taken)
    }

    /// Returns the facts that the graph needs about the node that a play has reached.
    ///
    /// - Parameters:
    ///   - play: The play.
    ///   - key: The node.
    ///   - open: The calls that were open before the last choice, and are sure to receive an outcome.
    func graphFacts(
        _ play: Play<State, Event, Effect, Environment>, _ key: NodeKey, open: [(record: ObjectIdentifier, name: CallName)]
    ) throws(Finding) -> GraphFacts {
        let owedCalls = try finding { () throws(ExplorationFault) in try play.owedCalls() }
        var (reached, owed) = passage(play.shown)
        var goals = goals(play.state)
        // A loop that was cancelled from outside owes nothing.
        if play.isEnded {
            let all = NodeGraph.Bits(properties.map { _ in true })
            (reached, owed, goals) = (all, NodeGraph.Bits(properties.map { _ in false }), all)
        }
        let after = Set(owedCalls.map(\.record))
        return GraphFacts(
            reached: reached, owed: owed, goals: goals, after: Set(owedCalls.map(\.name)),
            closed: Set(open.filter { !after.contains($0.record) }.map(\.name)), hasTimers: play.hasTimers,
            hasFollowUps: play.hasFollowUps, place: key.place,
            isExhausted: play.isExhausted)
    }
}

/// Runs a closure, and converts its error to a finding.
func finding<Value>(_ body: () throws(ExplorationFault) -> Value) throws(Finding) -> Value {
    do { return try body() } catch { throw .fault(error) }
}

extension Play {
    /// Returns true if the last choice has changed the state, or if something is live. A loop that has ended makes no
    /// progress.
    func goesOn(from before: State) -> Bool { state != before || !isQuiet && !isEnded }
}
