import Moonlight
import MoonlightTesting
import Streams

/// Expands nodes by values, for a reducer whose effects are all ready and cause no events, unless there is one sender: the future
/// depends only on the state.
struct ValueExpander<State: Equatable, Event, Effect, Environment>: NodeExpander, @unchecked Sendable {
    // Sound: an exploration on several threads requires Sendable states and events, and its closures are Sendable.
    typealias Key = ValueKey<State>
    private let program: Exploration<State, Event, Effect, Environment>
    private let loop: ReadyLoop<State, Event, Effect, Environment>
    private let needsGraph: Bool
    let countsStates: Bool
    /// True if ``ValueTrial`` supports all options of the exploration; it leaves exceptions to `expand`.
    private let isPlain: Bool
    private let always: [(State) -> Bool]
    private let whenQuiet: [(State) -> Bool]

    /// Creates an expander; nil if the program has feedback, which depends on more than the state.
    init?(_ program: Exploration<State, Event, Effect, Environment>) {
        if program.feedback != nil { return nil }
        self.program = program
        loop = ReadyLoop(program.reducer)
        needsGraph = program.needsGraph
        countsStates = program.sources.contains { $0.most != nil }
        isPlain =
            !needsGraph && !program.isDrawn && !program.isCovered && program.deadEnds == nil
            && !countsStates && program.trace == nil
        always = program.properties.compactMap { if case .always(let holds) = $0.kind { holds } else { nil } }
        whenQuiet = program.properties.compactMap { if case .whenQuiet(let holds) = $0.kind { holds } else { nil } }
    }

    private var environment: Environment { program.environment(Stubs(scheduler: VirtualTimeScheduler(), log: CallLog())) }

    func begin(into found: Discoveries<Key>) throws(Finding) {
        let given = program.given
        try program.check(given, isLast: true, path: { [] })
        if program.isDrawn { found.label = program.label(of: given) }
        found.coverage = program.emptyCoverage
        found.coverage?.note(state: program.kind(of: given))
        note(.time, given, Array(repeating: 0, count: program.sources.count(where: { $0.most != nil })), [given], into: found)
    }

    func expandPlainly(
        _ keys: ArraySlice<Key>, from first: Int, into found: Discoveries<Key>, isTrying: (Int, UInt32) -> Void
    ) -> Int {
        // The first nodes are tried with care, to detect nondeterminism.
        guard isPlain, first >= Self.mostWithCare else { return 0 }
        let sources = program.sources
        let events: (State) -> [Event] =
            sources.count == 1 ? sources[0].events : { state in sources.flatMap { $0.events(state) } }
        var columns = ValueColumns<State>()
        (columns.choices, columns.keys, columns.prints, columns.counts) = (
            found.choices, found.keys, found.prints, found.counts
        )
        (found.choices, found.keys, found.prints, found.counts) = ([], [], [], [])
        let count = program.trial.expand(keys, events, environment, program.hasOneSender, always, whenQuiet, isTrying, &columns)
        (found.choices, found.keys, found.prints, found.counts) = (
            columns.choices, columns.keys, columns.prints, columns.counts
        )
        return count
    }

    /// The number of nodes that are tried twice.
    private static var mostWithCare: Int { 200 }

    func expand(_ node: PendingNode<Key>, into found: Discoveries<Key>, isTrying: (UInt32) -> Void) throws(Finding) {
        let key = node.key
        // A new environment for each node, so that none can have memory.
        let environment = environment
        let offers = program.offers(in: key.state, sent: key.sent)
        var shown: [State] = []
        var goesOn = offers.events.isEmpty && offers.isExhausted
        if found.coverage == nil { found.coverage = program.emptyCoverage }
        if program.isCovered { found.coverage?.note(state: program.kind(of: key.state)) }
        for (number, event) in offers.events.enumerated() {
            let choice = Choice.event(number)
            guard let packed = choice.packed else { throw .fault(ExplorationFault("too many events: \(number)")) }
            isTrying(packed)
            let outcome = try handle(event, of: key.state, environment, &shown, node, choice, found)
            if program.isCovered {
                found.coverage?.note(
                    event: enumCase(of: event) ?? "any", in: program.kind(of: key.state), outcome: outcome)
            }
            // Twice at the beginning, to detect nondeterminism.
            if node.number < Self.mostWithCare {
                let before = shown
                _ = try withOtherAddresses { () throws(Finding) in
                    try handle(event, of: key.state, environment, &shown, node, choice, nil)
                }
                if before != shown {
                    throw .fault(shown.contains { $0 != $0 } ? .unequal : program.unstable(node.path() + [choice]))
                }
            }
            for (place, state) in shown.enumerated() {
                try program.check(state, isLast: place == shown.count - 1) { node.path() + [choice] }
            }
            if shown.isEmpty {
                shown.append(key.state)
            } else if program.deadEnds != nil {
                goesOn = goesOn || shown.last != key.state
            }
            let state = shown[shown.count - 1]
            if program.isDrawn {
                found.edges.append(
                    .init(
                        source: program.label(of: key.state), choice: "When \(ValueText.describe(event))",
                        target: program.label(of: state)))
            }
            note(choice, state, offers.sent(after: number, key.sent), shown, into: found)
        }
        if let deadEnds = program.deadEnds, !goesOn, !offers.isExhausted, deadEnds.isEnd?(key.state) != true {
            throw program.deadEnd(at: key.state, node.path())
        }
    }

    private func handle(
        _ event: Event, of state: State, _ environment: Environment, _ shown: inout [State], _ node: PendingNode<Key>,
        _ choice: Choice, _ found: Discoveries<Key>?
    ) throws(Finding) -> ExplorationCoverage.Outcome {
        shown.removeAll(keepingCapacity: true)
        var state = state
        var (refusal, isRefused) = (Refusal?.none, false)
        let outcome = loop.handle(
            event, in: &state, environment, most: program.limits.chain, hasOneSender: program.hasOneSender,
            applied: { effect, state in
                if let state { shown.append(state) }
                if program.isCovered { found?.coverage?.note(effect: enumCase(of: effect) ?? "any") }
            },
            refused: { what, error in
                isRefused = true
                if refusal == nil, program.isExpectedRefusal?(error) != true {
                    refusal = Refusal(
                        what: "\(what is Event ? "the event" : "the effect") \(ValueText.describe(what))", error: error)
                }
            })
        switch outcome {
        case .settled: break
        case .unready: throw .notByValues
        case .endless: throw .endless(node.path(), choice, program.endless)
        }
        if let refusal { throw refusal.finding(node.path() + [choice]) }
        return isRefused ? .refused : shown.isEmpty ? .unchanged : .taken
    }

    private func note(_ choice: Choice, _ state: State, _ sent: [Int], _ shown: [State], into found: Discoveries<Key>) {
        let statePrint = program.keys.print(state)
        // Mixed with an odd factor, so that equal states with different numbers of events have different fingerprints.
        let print = sent.reduce(statePrint) { ($0 ^ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 ^ ($0 >> 29) }
        found.choices.append(choice.packed ?? 0)
        found.keys.append(ValueKey(state: state, sent: sent))
        found.prints.append(print)
        if countsStates { found.statePrints.append(statePrint) }
        guard needsGraph else { return }
        let (reached, owed) = program.passage(shown)
        found.facts.append(
            GraphFacts(
                reached: reached, owed: owed, goals: program.goals(state), after: [], closed: [], hasTimers: false,
                hasFollowUps: false, place: statePrint, isExhausted: program.offers(in: state, sent: sent).isExhausted))
    }
}
