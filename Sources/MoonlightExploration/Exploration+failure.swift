import Moonlight
import MoonlightTesting

/// Errors that report findings.
extension Exploration {
    func failure(of finding: Finding) -> ExplorationFailure {
        switch finding {
        case .fault(let fault): return ExplorationFailure(fault.message, at: place)
        case .notByValues: return ExplorationFailure("an effect is not ready", at: place)
        case .aheadOfTurn: return ExplorationFailure("a choice that was tried ahead of its turn does not end", at: place)
        case .endless(let path, let choice, let why):
            var failure = ExplorationFailure("\"every choice ends\" \(why)", at: place)
            failure.name = (path + (choice.map { [$0] } ?? [])).name
            failure.trace =
                ((try? trace(of: path, cycle: [], last: choice)) ?? []).joined(separator: "\n").escapingControlsInLines
            return failure
        case .violation(let name, let path, let cycle, let why, let number):
            var failure = ExplorationFailure("\"\(name)\" \(why)", at: place)
            failure.name = [path.name, cycle.isEmpty ? "" : "* \(cycle.name)"].filter { !$0.isEmpty }.joined(
                separator: " ")
            if cycle.isEmpty, let number {
                failure.plan = planSource(of: path, violating: properties[number])?.escapingControlsInLines ?? ""
            } else if name == Refusal.property {
                failure.plan = planSource(ofRefusalAfter: path)?.escapingControlsInLines ?? ""
            }
            failure.trace = ((try? trace(of: path, cycle: cycle)) ?? []).joined(separator: "\n").escapingControlsInLines
            if isDrawn { failure.edges = edges(of: path + cycle) }
            return failure
        }
    }

    /// The choices of a trace, as edges of the picture.
    private func edges(of path: [Choice]) -> [ExplorationPicture.Edge] {
        let play = Play(self)
        var edges: [ExplorationPicture.Edge] = []
        for choice in path {
            let source = label(of: play.state)
            guard let title = (try? play.title(of: choice)) ?? nil, (try? play.make(choice)) == true else { break }
            edges.append(.init(source: source, choice: title, target: label(of: play.state)))
        }
        return edges
    }

    /// Describes a trace: the choices, how each changes the state, and the calls that it makes.
    ///
    /// - Parameters:
    ///   - path: The choices.
    ///   - cycle: The choices that repeat after them.
    ///   - last: A choice that does not end, and is not made; nil if there is none.
    func trace(of path: [Choice], cycle: [Choice], last: Choice? = nil) throws(ExplorationFault) -> [String] {
        let play = Play(self)
        var lines = ["Given"] + Differences.fields(of: given).map { "    \($0)" }
        var (state, calls) = (given, play.calls.count)
        for (index, choice) in (path + cycle).enumerated() {
            if index == path.count { lines.append("And then, again and again") }
            let indent = index < path.count ? "" : "    "
            guard let title = try play.title(of: choice), try play.make(choice) else { break }
            lines.append(indent + title)
            lines += Differences.change(from: state, to: play.state).map { "\(indent)    \($0)" }
            lines += play.refusals.map { "\(indent)    rejected: \($0.what): \($0.error)" }
            lines += play.rules.compactMap(\.obstacle).map { "\(indent)    \($0)" }
            lines += play.calls.dropFirst(calls).map { "\(indent)    calls \($0)" }
            (state, calls) = (play.state, play.calls.count)
        }
        if let last { lines.append(try play.title(of: last) ?? "\(last)") }
        return lines
    }
}
