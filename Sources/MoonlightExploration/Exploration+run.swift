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
            case .fault, .notByValues, .aheadOfTurn: throw error
            case .violation(_, let path, _, _), .crash(let path, _, _):
                if !isOfGraph(error) { shorter.limits.depth = min(limits.depth, max(0, path.count - 1)) }
            }
            _ = try shorter.played(isReducing: false, drawing)
            throw error
        }
    }

    private func played(isReducing: Bool, _ drawing: Drawing) throws(Finding) -> ExplorationReport {
        do throws(Finding) { return try played(isReducing: isReducing, looksAhead: looksAhead, drawing) } catch {
            guard case .aheadOfTurn = error else { throw error }
            drawing.picture = ExplorationPicture()
            return try played(isReducing: isReducing, looksAhead: false, drawing)
        }
    }

    private func played(isReducing: Bool, looksAhead: Bool, _ drawing: Drawing) throws(Finding) -> ExplorationReport {
        try searched(PlayExpander(self, isReducing: isReducing, looksAhead: looksAhead), isByValues: false, drawing) { $0 == $1 }
    }

    private func searched<Expander: MomentExpander>(
        _ expander: Expander, isByValues: Bool, _ drawing: Drawing, isSame: @escaping (Expander.Key, Expander.Key) -> Bool
    ) throws(Finding) -> ExplorationReport {
        var search = Search(
            expander, limits: limits, threads: threads, needsGraph: needsGraph, isByValues: isByValues,
            drawing: drawing, terminal: terminal ?? .standardError, isSame: isSame)
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
