import Moonlight
import MoonlightTesting

/// The checks that a search makes.
extension Exploration {
    /// True if a property needs the whole graph.
    var needsGraph: Bool {
        properties.contains { property in
            switch property.kind {
            case .always, .whenQuiet: false
            case .eventually, .canAlways: true
            }
        }
    }

    /// Throws if the last choice of a play, or its beginning, has caused an endless chain of events, or if a property of single
    /// states is violated.
    func check(_ play: Play<State, Event, Effect, Environment>, after path: @autoclosure () -> [Choice]) throws(Finding) {
        if play.isEndless {
            let path = path()
            throw .endless(Array(path.dropLast()), path.last, endless)
        }
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

    /// Throws if a state that observers see violates a property, for a reducer whose effects are all ready.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - isLast: True if nothing is live in it.
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

    /// Returns the events that are possible in a state.
    ///
    /// - Parameter sent: The number of events from each limited source so far.
    func offers(in state: State, sent: [Int]) -> EventOffers<Event> {
        if sources.count == 1, sources[0].most == nil { return EventOffers(events: sources[0].events(state)) }
        var offers = EventOffers<Event>()
        var (counter, number) = (0, 0)
        for source in sources {
            defer { if source.most != nil { counter += 1 } }
            let events = source.events(state)
            defer { number += events.count }
            if let most = source.most, sent[counter] >= most {
                if !events.isEmpty { offers.isExhausted = true }
                continue
            }
            offers.numbers += number..<number + events.count
            offers.counters += events.map { _ in source.most == nil ? nil : counter }
            offers.events += events
        }
        return offers
    }

    /// An empty coverage; nil if none is requested.
    var emptyCoverage: ExplorationCoverage? {
        isCovered ? ExplorationCoverage(calls: rules.keys.sorted()) : nil
    }

    /// Returns the kind of a state, for the coverage.
    func kind(of state: State) -> String {
        if let kind { return kind(state) }
        if let name = enumCase(of: state) { return name }
        let cases = Mirror(reflecting: state).children.compactMap { label, value in
            (enumCase(of: value) ?? caseOfOptional(value)).map { "\(label ?? ""): \($0)" }
        }
        return cases.isEmpty ? "any" : cases.joined(separator: ", ")
    }

    /// Returns the case of a value that describes itself as an optional, such as a slot; nil if it does not.
    private func caseOfOptional(_ value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return nil }
        return mirror.children.isEmpty ? "none" : "some"
    }

    /// Returns the label of a state in a picture.
    func label(of state: State) -> String { label?(state) ?? ValueText.describe(state) }

    /// Returns, for each property, whether its goal holds in a state.
    func goals(_ state: State) -> NodeGraph.Bits {
        .init(
            properties.map { property in
                switch property.kind {
                case .always, .whenQuiet: false
                case .eventually(_, let until): until(state)
                case .canAlways(let goal): goal(state)
                }
            })
    }

    /// Returns, for each property, whether its goal holds in one of some states, and whether it is pending after them if not
    /// before.
    func passage(_ shown: [State]) -> (reached: NodeGraph.Bits, owed: NodeGraph.Bits) {
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

// MARK: Messages

extension Exploration {
    /// Returns the error for a program that is not deterministic.
    func unstable(_ path: [Choice]) -> ExplorationFault {
        ExplorationFault(
            """
            the program is not deterministic: played twice, "\(path.name)" has led to two different nodes
            Look for a random number, the order of a Set or Dictionary, the system clock, or memory that is not in the state
            """)
    }

    /// Returns the error for feedback that does not depend on the last state alone.
    func remembers(_ what: String) -> ExplorationFault {
        ExplorationFault(
            """
            feedback waits for \(what) outside a reaction, so it depends on more than the last state: remove .feedbackRemembersLastState()
            """)
    }

    /// The message for a choice that causes an endless chain of events.
    var endless: String { "does not hold: more than \(limits.chain) events and effects follow from this" }

    /// Returns the finding for a dead end.
    func deadEnd(at state: State, _ path: [Choice]) -> Finding {
        .violation(
            "there are no dead ends", path, cycle: [],
            "does not hold: nothing is live, and no event changes \(ValueText.shown("\(state)"))")
    }
}

/// The events that are possible at a node.
struct EventOffers<Event> {
    var events: [Event] = []
    /// For each event, the index of its limited source; empty if no source is limited.
    var counters: [Int?] = []
    /// For each event, its number among those of all sources, even of those whose limit is reached; empty if no source is limited.
    var numbers: [Int] = []
    /// True if a limit excludes further events.
    var isExhausted = false

    /// Returns the number of events from each limited source after one more event.
    func sent(after number: Int, _ sent: [Int]) -> [Int] {
        guard counters.indices.contains(number), let counter = counters[number] else { return sent }
        var sent = sent
        sent[counter] += 1
        return sent
    }
}
