import Moonlight
import MoonlightTesting
import Streams

/// Explores a reducer whose effects all lie ready, by values: the state is all that the future depends on.
struct ValueSearch<State: Equatable, Event, Effect, Environment> {
    private let program: Exploration<State, Event, Effect, Environment>
    private let environment: Environment
    private let log = CallLog()
    private var graph = MomentGraph()
    private var known: [ValueKey: Int] = [:]
    private var values: [State] = []
    private var eventsSent: [Int] = []
    private var states: Set<AnyHashable> = []
    private var levels: [Int] = []
    private var transitions = 0
    private var picture = ExplorationPicture()

    private struct ValueKey: Hashable {
        let state: AnyHashable
        let events: Int
    }

    /// Creates a search; nil if the program has feedback.
    init?(_ program: Exploration<State, Event, Effect, Environment>) {
        // Without effects that live, there is nothing to cancel but the loop, and nothing happens after that.
        if program.feedback != nil { return nil }
        self.program = program
        environment = program.environment(Stubs(scheduler: VirtualTimeScheduler(), log: log))
    }

    /// - Returns: What was tried; nil if an effect does not lie ready.
    mutating func run() throws(Finding) -> ExplorationReport? {
        _ = add(program.given, events: 0, parent: 0, .time, depth: 0)
        try check([program.given], path: { [] })
        if let label = program.label { picture.add(label(program.given)) }
        var (next, limit) = (0, "")
        search: while next < graph.moments.count {
            if graph.moments[next].depth >= program.limits.depth {
                limit = "a depth of \(program.limits.depth)"
                break
            }
            let sent = eventsSent[next]
            var edges: [MomentGraph.Edge] = []
            let events = sent < program.mostEvents ?? .max ? program.events(values[next]) : []
            for (number, event) in events.enumerated() {
                guard let shown = Self.step(values[next], event, environment, program.reducer) else { return nil }
                let choice = Choice.event(number)
                transitions += 1
                try check(shown) { [graph, next] in graph.path(to: next) + [choice] }
                let state = shown.last ?? values[next]
                if let label = program.label {
                    picture.add(
                        .init(source: label(values[next]), choice: "When \(Differences.describe(event))", target: label(state)))
                }
                let count = program.mostEvents == nil ? 0 : sent + 1
                guard let target = add(state, events: count, parent: next, choice, depth: graph.moments[next].depth + 1) else {
                    limit = "\(program.limits.moments) moments"
                    break search
                }
                let (reached, owed) = program.passage(shown)
                edges.append(.init(choice: choice, target: target, reached: reached, owed: owed, closed: []))
            }
            graph.expand(next, edges)
            next += 1
        }
        try program.check(graph)
        return ExplorationReport(
            extent: limit.isEmpty ? .exhaustive : .bounded(by: limit, left: graph.moments.count - next), states: states.count,
            moments: graph.moments.count, transitions: transitions, levels: levels, isByValues: true,
            picture: program.label == nil ? nil : picture)
    }

    /// Handles an event, and all that follows from it.
    ///
    /// - Returns: The states that an observer sees; nil if an effect does not lie ready.
    private static func step(
        _ state: State, _ event: Event, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>
    ) -> [State]? {
        var (state, shown, waiting) = (state, [State](), [event])
        var next = 0
        while next < waiting.count {
            let event = waiting[next]
            next += 1
            guard let effects = try? reducer.transform(state, event, environment) else { continue }
            let ready = effects._sendReady { effect in
                guard let effect else { return true }
                let before = state
                if let events = try? reducer.apply(effect, to: &state) { waiting += events }
                if state != before { shown.append(state) }
                return true
            }
            guard case .taken = ready else { return nil }
        }
        return shown
    }

    private mutating func add(_ state: State, events: Int, parent: Int, _ choice: Choice, depth: Int) -> Int? {
        let key = ValueKey(state: program.key(state), events: events)
        if let index = known[key] { return index }
        guard graph.moments.count < program.limits.moments else { return nil }
        let index = graph.add(
            .init(parent: parent, choice: choice, depth: depth, goals: program.goals(state), mayRest: true, open: []))
        known[key] = index
        values.append(state)
        eventsSent.append(events)
        states.insert(key.state)
        if depth == levels.count { levels.append(0) }
        levels[depth] += 1
        return index
    }

    private func check(_ shown: [State], path: () -> [Choice]) throws(Finding) {
        for property in program.properties {
            switch property.kind {
            case .always(let holds):
                if let state = shown.first(where: { !holds($0) }) {
                    throw .violation(property.name, path(), cycle: [], "does not hold of \(Differences.shown("\(state)"))")
                }
            case .whenQuiet(let holds):
                if let state = shown.last, !holds(state) {
                    throw .violation(
                        property.name, path(), cycle: [], "does not hold when nothing is live: \(Differences.shown("\(state)"))")
                }
            case .eventually, .canAlways: break
            }
        }
    }
}
