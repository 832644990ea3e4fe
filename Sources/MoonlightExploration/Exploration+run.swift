import Moonlight
import MoonlightTesting
import Streams

extension Exploration {
    /// Tries everything that can happen.
    ///
    /// Two moments are the same if state, live effects (how each began, and what it has been told since) and the time until each
    /// timer are the same. Reducers whose effects all lie ready are explored by values, without a loop; others are played anew
    /// from the beginning for each choice.
    ///
    /// - Returns: What was tried.
    /// - Throws: The shortest story of the first violation, or what prevents the exploration.
    @discardableResult
    public func run() throws(ExplorationFailure) -> ExplorationReport {
        do {
            if var search = ValueSearch(self) , let report = try search.run() { return report }
            var search = PlaySearch(self)
            return try search.run()
        } catch {
            throw failure(of: error)
        }
    }

    /// Plays one story, by the name that a failure has told.
    ///
    /// - Parameter name: The short name of the story, such as `"e0 a0.1 t"`.
    /// - Returns: The story.
    /// - Throws: The violation of a state on the way; or, if a choice does not exist, which one.
    @discardableResult
    public func replay(_ name: String) throws(ExplorationFailure) -> String {
        var choices: [Choice] = []
        for word in name.split(separator: " ") {
            guard let choice = Choice(word) else {
                throw ExplorationFailure("\"\(word)\" is no choice: choices are written e1, a0.2, t, c0 or x", at: place)
            }
            choices.append(choice)
        }
        do {
            let play = Play(self)
            try check(play, after: [])
            for (index, choice) in choices.enumerated() {
                guard try play.make(choice) != nil else {
                    throw Finding.fault(
                        ExplorationFault("the story has no choice \(choice) after \"\(shortName(choices.prefix(index)))\""))
                }
                try check(play, after: Array(choices[...index]))
            }
            return try story(of: choices, cycle: []).joined(separator: "\n")
        } catch let fault as ExplorationFault { throw failure(of: .fault(fault)) } catch let finding as Finding {
            throw failure(of: finding)
        } catch { throw ExplorationFailure("\(error)", at: place) }
    }

    /// Throws if a property of single states does not hold in a play.
    func check(_ play: Play<State, Event, Effect, Environment>, after path: @autoclosure () -> [Choice]) throws(Finding) {
        if let refusal = play.refusals.first(where: { !isExpectedRefusal($0.error) }) {
            throw .violation(
                "nothing is refused", path(), cycle: [],
                "does not hold: \(refusal.what) is refused: \(refusal.error)\nIf it may be, write .allowingRefusals()")
        }
        for property in properties {
            switch property.kind {
            case .always(let holds):
                if let state = play.shown.first(where: { !holds($0) }) {
                    throw .violation(property.name, path(), cycle: [], "does not hold of \(Differences.shown("\(state)"))")
                }
            case .whenQuiet(let holds):
                if play.isQuiet, !holds(play.state) {
                    throw .violation(
                        property.name, path(), cycle: [],
                        "does not hold when nothing is live: \(Differences.shown("\(play.state)"))")
                }
            case .eventually, .canAlways: break
            }
        }
    }

    /// Throws if a property of the whole graph does not hold.
    func check(_ graph: MomentGraph) throws(Finding) {
        for (index, property) in properties.enumerated() {
            switch property.kind {
            case .always, .whenQuiet: break
            case .canAlways:
                if let path = graph.lost(goal: index) {
                    throw .violation(property.name, path, cycle: [], "cannot be reached any more, whatever happens")
                }
            case .eventually(let after, let until):
                let isOwed = after(given) && !until(given)
                if let lasso = graph.unfulfilled(goal: index, isOwedAtFirst: isOwed) {
                    throw .violation(
                        property.name, lasso.stem, cycle: lasso.cycle,
                        lasso.cycle.isEmpty ? "does not happen: nothing is left that could bring it about" : "never happens")
                }
            }
        }
    }

    /// For each property, whether its goal holds in a state.
    func goals(_ state: State) -> MomentGraph.Bits {
        .init(
            properties.map { property in
                switch property.kind {
                case .always, .whenQuiet: false
                case .eventually(_, let until): until(state)
                case .canAlways(let goal): goal(state)
                }
            })
    }

    /// For each property, whether its goal holds in one of some states, and whether it is owed after them if not before.
    func passage(_ shown: [State]) -> (reached: MomentGraph.Bits, owed: MomentGraph.Bits) {
        var (reached, owed) = ([Bool](), [Bool]())
        for property in properties {
            switch property.kind {
            case .always, .whenQuiet:
                reached.append(false)
                owed.append(false)
            case .canAlways(let goal):
                reached.append(shown.contains(where: goal))
                owed.append(false)
            case .eventually(let after, let until):
                var (isReached, isOwed) = (false, false)
                for state in shown {
                    if until(state) {
                        (isReached, isOwed) = (true, false)
                    } else if after(state) {
                        isOwed = true
                    }
                }
                reached.append(isReached)
                owed.append(isOwed)
            }
        }
        return (.init(reached), .init(owed))
    }

    func shortName(_ choices: some Sequence<Choice>) -> String { choices.map(\.description).joined(separator: " ") }

    func failure(of finding: Finding) -> ExplorationFailure {
        switch finding {
        case .fault(let fault): return ExplorationFailure(fault.message, at: place)
        case .violation(let name, let path, let cycle, let why):
            var failure = ExplorationFailure("\"\(name)\" \(why)", at: place)
            failure.name = shortName(path + cycle)
            if cycle.isEmpty, let property = properties.first(where: { $0.name == name }) {
                failure.plan = planSource(of: path, violating: property) ?? ""
            }
            failure.story = ((try? story(of: path, cycle: cycle)) ?? []).joined(separator: "\n")
            return failure
        }
    }

    /// Tells a story: what happens, how the state changes, and what is called.
    func story(of path: [Choice], cycle: [Choice]) throws(ExplorationFault) -> [String] {
        let play = Play(self)
        var lines = ["Given"] + Differences.fields(of: given).map { "    \($0)" }
        var (state, calls) = (given, play.calls.count)
        for (index, choice) in (path + cycle).enumerated() {
            if index == path.count { lines.append("And then, again and again") }
            let indent = index < path.count ? "" : "    "
            guard let title = try play.make(choice) else { break }
            lines.append(indent + title)
            lines += Differences.change(from: state, to: play.state).map { "\(indent)    \($0)" }
            lines += play.refusals.map { "\(indent)    rejected: \($0.what): \($0.error)" }
            lines += play.calls.dropFirst(calls).map { "\(indent)    calls \($0)" }
            (state, calls) = (play.state, play.calls.count)
        }
        return lines
    }
}

/// What ends an exploration.
enum Finding: Error {
    case fault(ExplorationFault)
    /// A property does not hold: its name, the choices, those that then repeat, and why.
    case violation(String, [Choice], cycle: [Choice], String)
}
