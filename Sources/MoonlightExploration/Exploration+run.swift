import Moonlight
import MoonlightTesting
import Streams

extension Exploration {
    /// Explores all traces of the program.
    ///
    /// Two nodes are equal if they have the same state, the same live effects (each with its origin and the outcomes that it
    /// has received), the same events that follow from effects and wait, and the same time until each timer. Reducers whose
    /// effects are all ready and cause no events are explored by values, without a loop; for others, each choice is played from
    /// the beginning. With ``fromOneSender()``, effects may cause events in both cases.
    ///
    /// An exploration that takes ten seconds writes a line with its counts to standard error, and another one each time that
    /// the elapsed time has doubled. Equal counts of states beside growing counts of nodes are a sign that the calls in flight or
    /// the timers are unbounded.
    ///
    /// - Returns: A report of the exploration.
    /// - Throws: The shortest counterexample, or the reason why the exploration cannot continue.
    @discardableResult
    public func run() throws(ExplorationFailure) -> ExplorationReport {
        let drawing = Drawing()
        do { return try explored(drawing) } catch {
            var failure = failure(of: error)
            if isDrawn {
                drawing.picture.marked = Set(failure.edges)
                failure.picture = drawing.picture
            }
            throw failure
        }
    }

    private func explored(_ drawing: Drawing) throws(Finding) -> ExplorationReport {
        if properties.count > 64 {
            throw .fault(ExplorationFault("there are \(properties.count) properties, but at most 64 are allowed"))
        }
        if let values = ValueExpander(self) {
            do throws(Finding) {
                let keys = keys
                return try searched(values, isByValues: true, drawing) { $0.sent == $1.sent && keys.isSame($0.state, $1.state) }
            } catch {
                guard case .notByValues = error else { throw error }
            }
        }
        guard !triesAllOrders, !isDrawn, !owesAnything else { return try played(isReducing: false, drawing) }
        let report: ExplorationReport
        do throws(Finding) { report = try played(isReducing: true, drawing) } catch {
            // A counterexample is known to be shortest only if all orders are tried, up to its length.
            var shorter = self
            switch error {
            case .fault, .notByValues, .aheadOfTurn: throw error
            case .violation(_, let path, _, _, _), .endless(let path, _, _):
                if !isOfGraph(error) { shorter.limits.depth = min(limits.depth, max(0, path.count - 1)) }
            }
            _ = try shorter.played(isReducing: false, drawing)
            throw error
        }
        // In one order, a violation may lie deeper than in another: only all orders show that there is none up to a depth.
        guard report.isReduced, report.extent != .exhaustive, report.depth >= limits.depth else { return report }
        return try played(isReducing: false, drawing)
    }

    private func played(isReducing: Bool, _ drawing: Drawing) throws(Finding) -> ExplorationReport {
        do throws(Finding) { return try played(isReducing: isReducing, looksAhead: looksAhead && trace == nil, drawing) } catch {
            guard case .aheadOfTurn = error else { throw error }
            drawing.picture = ExplorationPicture()
            return try played(isReducing: isReducing, looksAhead: false, drawing)
        }
    }

    private func played(isReducing: Bool, looksAhead: Bool, _ drawing: Drawing) throws(Finding) -> ExplorationReport {
        try searched(PlayExpander(self, isReducing: isReducing, looksAhead: looksAhead), isByValues: false, drawing) { $0 == $1 }
    }

    private func searched<Expander: NodeExpander>(
        _ expander: Expander, isByValues: Bool, _ drawing: Drawing, isSame: @escaping (Expander.Key, Expander.Key) -> Bool
    ) throws(Finding) -> ExplorationReport {
        var search = Search(
            expander, limits: limits, threads: trace == nil ? threads : 1, needsGraph: needsGraph, isByValues: isByValues,
            drawing: drawing, progress: ProgressLine(of: "\(State.self)", on: terminal ?? .standardError), trace: trace,
            isSame: isSame)
        var result = try search.run()
        try check(result)
        if isDrawn { result.report.picture = drawing.picture }
        return result.report
    }

    /// True if a property of the kind `eventually` is checked.
    private var owesAnything: Bool { properties.contains { if case .eventually = $0.kind { true } else { false } } }

    /// Returns true if a finding is of a property of the whole graph.
    private func isOfGraph(_ finding: Finding) -> Bool {
        guard case .violation(_, _, _, _, let number?) = finding, case .canAlways = properties[number].kind else { return false }
        return true
    }

    /// Throws if a property of the whole graph does not hold.
    private func check<Expander>(_ result: Search<Expander>.Result) throws(Finding) {
        for (index, property) in properties.enumerated() {
            switch property.kind {
            case .always, .whenQuiet: break
            case .canAlways:
                if let node = result.graph.lost(goal: index) {
                    throw .violation(
                        property.name, result.path(node), cycle: [], "cannot be reached any more", property: index)
                }
            case .eventually(let after, let until):
                var isOwed = (after?(given) ?? true) && !until(given)
                // Feedback may change the state before the first choice.
                if let first = result.first { isOwed = isOwed && !first.reached[index] || first.owed[index] }
                if let lasso = result.graph.unfulfilled(goal: index, isOwedAtFirst: isOwed) {
                    throw .violation(
                        property.name, lasso.stem, cycle: lasso.cycle,
                        Property<State>.unfulfilled(isCycle: !lasso.cycle.isEmpty), property: index)
                }
            }
        }
    }
}
