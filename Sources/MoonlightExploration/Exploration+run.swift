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
        let drawing = Drawing()
        do { return try explored(drawing) } catch {
            var failure = failure(of: error)
            if isDrawn { failure.picture = drawing.picture }
            throw failure
        }
    }

    private func explored(_ drawing: Drawing) throws(Finding) -> ExplorationReport {
        if properties.count > 64 { throw .fault(ExplorationFault("there are \(properties.count) properties: 64 are the most")) }
        if let values = ValueExpander(self) {
            do throws(Finding) {
                let keys = keys
                return try searched(values, isByValues: true, drawing) { $0.sent == $1.sent && keys.isSame($0.state, $1.state) }
            } catch {
                guard case .notByValues = error else { throw error }
            }
        }
        guard !triesAllOrders, !isDrawn, !owesAnything else { return try played(isReducing: false, drawing) }
        do throws(Finding) { return try played(isReducing: true, drawing) } catch {
            // What is found is shortest only if all orders are tried: now it is known how far.
            var shorter = self
            switch error {
            case .fault, .notByValues: throw error
            case .violation(_, let path, _, _), .crash(let path, _, _):
                if !isOfGraph(error) { shorter.limits.depth = min(limits.depth, max(0, path.count - 1)) }
            }
            _ = try shorter.played(isReducing: false, drawing)
            throw error
        }
    }

    private func played(isReducing: Bool, _ drawing: Drawing) throws(Finding) -> ExplorationReport {
        try searched(PlayExpander(self, isReducing: isReducing), isByValues: false, drawing) { $0 == $1 }
    }

    private func searched<Expander: MomentExpander>(
        _ expander: Expander, isByValues: Bool, _ drawing: Drawing, isSame: @escaping (Expander.Key, Expander.Key) -> Bool
    ) throws(Finding) -> ExplorationReport {
        var search = Search(
            expander, limits: limits, threads: threads, needsGraph: needsGraph, isByValues: isByValues,
            drawing: drawing, isSame: isSame)
        var result = try search.run()
        try check(result)
        if isDrawn { result.report.picture = drawing.picture }
        return result.report
    }

    /// Whether something must happen eventually.
    private var owesAnything: Bool { properties.contains { if case .eventually = $0.kind { true } else { false } } }

    /// Whether a finding is of a property of the whole graph.
    private func isOfGraph(_ finding: Finding) -> Bool {
        guard case .violation(let name, _, _, _) = finding else { return false }
        return properties.contains { if case .canAlways = $0.kind { $0.name == name } else { false } }
    }

    /// Whether a property is one of the whole graph.
    var needsGraph: Bool {
        properties.contains { property in
            switch property.kind {
            case .always, .whenQuiet: false
            case .eventually, .canAlways: true
            }
        }
    }

    /// Plays one story, by the name that a failure has told.
    ///
    /// Whether something can always be reached is not asked, as a single story cannot tell.
    ///
    /// - Parameter name: The short name of the story, such as `"e0 a0.1 t"`; what follows a `*` repeats for good.
    /// - Returns: The story.
    /// - Throws: The violation of a state on the way, or what is owed at the end and does not happen; or, if a choice does not
    ///   exist, which one.
    @discardableResult
    public func replay(_ name: String) throws(ExplorationFailure) -> String {
        var choices: [Choice] = []
        var stem: Int?
        for word in name.split(separator: " ") {
            if word == "*", stem == nil {
                stem = choices.count
                continue
            }
            guard let choice = Choice(word) else {
                throw ExplorationFailure("\"\(word)\" is no choice: choices are written e1, a0.2, t, c0 or x", at: place)
            }
            choices.append(choice)
        }
        do throws(any Error) {
            let play = Play(self)
            try check(play, after: [])
            var debts = Debts(self, stem: stem)
            try debts.note(play, after: 0)
            for (index, choice) in choices.enumerated() {
                guard try play.make(choice) else {
                    throw Finding.fault(
                        ExplorationFault("the story has no choice \(choice) after \"\(shortName(choices.prefix(index)))\""))
                }
                try check(play, after: Array(choices[...index]))
                try debts.note(play, after: index + 1)
            }
            try debts.check(play, after: choices)
            try checkDeadEnd(play, after: choices)
            return try story(of: Array(choices.prefix(stem ?? .max)), cycle: stem.map { Array(choices[$0...]) } ?? [])
                .joined(separator: "\n")
        } catch let fault as ExplorationFault { throw failure(of: .fault(fault)) } catch let finding as Finding {
            throw failure(of: finding)
        } catch { throw ExplorationFailure("\(error)", at: place) }
    }

    /// Throws if a property of single states does not hold in a play.
    func check(_ play: Play<State, Event, Effect, Environment>, after path: @autoclosure () -> [Choice]) throws(Finding) {
        if let refusal = play.refusals.first(where: { isExpectedRefusal?($0.error) != true }) { throw refusal.finding(path()) }
        for property in properties {
            switch property.kind {
            case .always(let holds):
                if let state = play.shown.first(where: { !holds($0) }) { throw property.violation(by: state, path()) }
            case .whenQuiet(let holds):
                if play.isQuiet, !holds(play.state) { throw property.violation(by: play.state, path()) }
            case .eventually, .canAlways: break
            }
        }
    }

    /// Throws if a property does not hold of a state that observers see, of a reducer whose effects all lie ready.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - isLast: Whether nothing is live in it.
    ///   - path: The choices that have led to it.
    func check(_ state: State, isLast: Bool, path: () -> [Choice]) throws(Finding) {
        for property in properties {
            switch property.kind {
            case .always(let holds): if !holds(state) { throw property.violation(by: state, path()) }
            case .whenQuiet(let holds): if isLast, !holds(state) { throw property.violation(by: state, path()) }
            case .eventually, .canAlways: break
            }
        }
    }

    /// Throws if a property of the whole graph does not hold.
    private func check<Expander>(_ result: Search<Expander>.Result) throws(Finding) {
        for (index, property) in properties.enumerated() {
            switch property.kind {
            case .always, .whenQuiet: break
            case .canAlways:
                if let moment = result.graph.lost(goal: index) {
                    throw .violation(
                        property.name, result.path(moment), cycle: [], "cannot be reached any more, whatever happens")
                }
            case .eventually(let after, let until):
                let isOwed = (after?(given) ?? true) && !until(given)
                if let lasso = result.graph.unfulfilled(goal: index, isOwedAtFirst: isOwed) {
                    throw .violation(
                        property.name, lasso.stem, cycle: lasso.cycle, Property<State>.unfulfilled(isCycle: !lasso.cycle.isEmpty))
                }
            }
        }
    }

    /// The events that can come in a state.
    ///
    /// - Parameter sent: The number of events of each limited kind that have come.
    func offers(in state: State, sent: [Int]) -> EventOffers<Event> {
        if sources.count == 1, sources[0].most == nil { return EventOffers(events: sources[0].events(state)) }
        var offers = EventOffers<Event>()
        var counter = 0
        for source in sources {
            defer { if source.most != nil { counter += 1 } }
            let events = source.events(state)
            if let most = source.most, sent[counter] >= most {
                if !events.isEmpty { offers.isExhausted = true }
                continue
            }
            offers.counters += events.map { _ in source.most == nil ? nil : counter }
            offers.events += events
        }
        return offers
    }

    /// A coverage of nothing; nil if none is asked for.
    var emptyCoverage: ExplorationCoverage? {
        isCovered ? ExplorationCoverage(of: Event.self, Effect.self, calls: rules.keys.sorted()) : nil
    }

    /// The kind of a state, for the coverage.
    func kind(of state: State) -> String {
        if let kind { return kind(state) }
        if let name = EnumCases.name(of: state) { return name }
        let cases = Mirror(reflecting: state).children.compactMap { label, value in
            EnumCases.name(of: value).map { "\(label ?? ""): \($0)" }
        }
        return cases.isEmpty ? "any" : cases.joined(separator: ", ")
    }

    /// The label of a state in a picture.
    func label(of state: State) -> String { label?(state) ?? Differences.describe(state) }

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
                    } else if after?(state) ?? true {
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
        case .notByValues: return ExplorationFailure("an effect does not lie ready", at: place)
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
}

/// What ends an exploration.
enum Finding: Error {
    case fault(ExplorationFault)
    /// An effect does not lie ready, so that the reducer cannot be explored by values.
    case notByValues
    /// Code of the user's crashes, or does not return: the choices before it, the choice itself unless it happens before one is
    /// made, and why.
    case crash([Choice], Choice?, String)
    /// A property does not hold: its name, the choices, those that then repeat, and why.
    case violation(String, [Choice], cycle: [Choice], String)
}

extension Property {
    /// What is said of what does not happen.
    static func unfulfilled(isCycle: Bool) -> String {
        isCycle ? "never happens" : "does not happen: nothing is left that could bring it about"
    }

    /// What is said of a state in which the property does not hold.
    fileprivate func violation(by state: State, _ path: [Choice]) -> Finding {
        let quiet = if case .whenQuiet = kind { " when nothing is live:" } else { " of" }
        return .violation(name, path, cycle: [], "does not hold\(quiet) \(Differences.shown("\(state)"))")
    }
}

extension Refusal {
    /// What every exploration asks, unless refusals are expected.
    static let property = "nothing is refused"

    /// What is said of a refusal that was not expected.
    func finding(_ path: [Choice]) -> Finding {
        .violation(
            Self.property, path, cycle: [], "does not hold: \(what) is refused: \(error)\nIf it may be, write .allowingRefusals()"
        )
    }
}

/// The events that can come at a moment.
struct EventOffers<Event> {
    var events: [Event] = []
    /// For each event, the number of its kind among the limited ones; empty if there are none.
    var counters: [Int?] = []
    /// Whether further events would come, but as many as may come have come.
    var isExhausted = false

    /// The number of events of each limited kind that have come when one more has.
    func sent(after number: Int, _ sent: [Int]) -> [Int] {
        guard counters.indices.contains(number), let counter = counters[number] else { return sent }
        var sent = sent
        sent[counter] += 1
        return sent
    }
}
