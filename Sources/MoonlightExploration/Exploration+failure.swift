import MoonlightTesting

/// What is said of what is found.
extension Exploration {
    func shortName(_ choices: some Sequence<Choice>) -> String { choices.map(\.description).joined(separator: " ") }

    func failure(of finding: Finding) -> ExplorationFailure {
        switch finding {
        case .fault(let fault): return ExplorationFailure(fault.message, at: place)
        case .notByValues: return ExplorationFailure("an effect does not lie ready", at: place)
        case .aheadOfTurn: return ExplorationFailure("what comes later does not come to an end, or crashes", at: place)
        case .crash(let path, let choice, let why):
            var failure = ExplorationFailure("\"it comes to an end and does not crash\" \(why)", at: place)
            failure.name = shortName(path + (choice.map { [$0] } ?? []))
            failure.story = ((try? story(of: path, cycle: [], last: choice)) ?? []).joined(separator: "\n")
            return failure
        case .violation(let name, let path, let cycle, let why):
            var failure = ExplorationFailure("\"\(name)\" \(why)", at: place)
            failure.name = [shortName(path), cycle.isEmpty ? "" : "* \(shortName(cycle))"].filter { !$0.isEmpty }.joined(
                separator: " ")
            if cycle.isEmpty, let property = properties.first(where: { $0.name == name }) {
                failure.plan = planSource(of: path, violating: property) ?? ""
            } else if name == Refusal.property {
                failure.plan = planSource(ofRefusalAfter: path) ?? ""
            }
            failure.story = ((try? story(of: path, cycle: cycle)) ?? []).joined(separator: "\n")
            if isDrawn { failure.edges = edges(of: path + cycle) }
            return failure
        }
    }

    /// The choices of a story, as they are drawn.
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

    /// Tells a story: what happens, how the state changes, and what is called.
    ///
    /// - Parameters:
    ///   - path: The choices.
    ///   - cycle: Those that repeat after them.
    ///   - last: A choice that cannot be made, since it crashes; nil if there is none.
    func story(of path: [Choice], cycle: [Choice], last: Choice? = nil) throws(ExplorationFault) -> [String] {
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
            lines += play.calls.dropFirst(calls).map { "\(indent)    calls \($0)" }
            (state, calls) = (play.state, play.calls.count)
        }
        if let last { lines.append(try play.title(of: last) ?? "\(last)") }
        return lines
    }

    /// What is said of a program that is not deterministic.
    func unstable(_ path: [Choice]) -> ExplorationFault {
        ExplorationFault(
            """
            the program is not deterministic: played twice, "\(shortName(path))" has led to two different moments
            Look for a random number, the order of a Set or Dictionary, the system's clock, or a memory that is not in the state
            """)
    }

    /// What is said of feedback that does more than react.
    func remembers(_ what: String) -> ExplorationFault {
        ExplorationFault(
            """
            feedback waits for \(what) outside a reaction, so more than the last state matters: leave out .feedbackRemembersLastState()
            """)
    }

    /// What is said of a choice that leads to events without end.
    var endless: String { "does not hold: more than \(limits.chain) events and effects follow from this" }

    /// What is said of a dead end.
    func deadEnd(at state: State, _ path: [Choice]) -> Finding {
        .violation(
            "there are no dead ends", path, cycle: [],
            "does not hold: nothing is live, and no event changes anything of \(Differences.shown("\(state)"))")
    }
}
