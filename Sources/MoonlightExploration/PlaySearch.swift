import Moonlight
import Streams

/// Explores by playing each story from the beginning.
struct PlaySearch<State: Equatable, Event, Effect, Environment> {
    private let program: Exploration<State, Event, Effect, Environment>
    private var graph = MomentGraph()
    private var known: [MomentKey: Int] = [:]
    private var keys: [Int] = []
    private var states: Set<AnyHashable> = []
    private var levels: [Int] = []
    private var transitions = 0
    private var picture = ExplorationPicture()
    /// Numbers for calls, by how their effects began and which of their calls they are.
    private var callNumbers: [CallName: Int] = [:]

    private struct CallName: Hashable {
        let event: AnyHashable, state: AnyHashable, part: Int, number: Int
    }

    init(_ program: Exploration<State, Event, Effect, Environment>) { self.program = program }

    mutating func run() throws(Finding) -> ExplorationReport {
        let play = Play(program)
        try program.check(play, after: [])
        if let label = program.label { picture.add(label(play.state)) }
        _ = try add(play, parent: 0, .time, depth: 0)
        var (next, limit) = (0, "")
        while next < graph.moments.count {
            if graph.moments[next].depth >= program.limits.depth {
                limit = "a depth of \(program.limits.depth)"
                break
            }
            guard try expand(next) else {
                limit = "\(program.limits.moments) moments"
                break
            }
            next += 1
        }
        try program.check(graph)
        return ExplorationReport(
            extent: limit.isEmpty ? .exhaustive : .bounded(by: limit, left: graph.moments.count - next), states: states.count,
            moments: graph.moments.count, transitions: transitions, levels: levels, isByValues: false,
            picture: program.label == nil ? nil : picture)
    }

    /// Tries all choices of a moment.
    ///
    /// - Returns: False if there is no room for what they lead to.
    private mutating func expand(_ index: Int) throws(Finding) -> Bool {
        let path = graph.path(to: index)
        let first = try playing(path, to: index)
        let choices = try finding { () throws(ExplorationFault) in try first.choices() }
        var edges: [MomentGraph.Edge] = []
        for (number, choice) in choices.enumerated() {
            let play = number == 0 ? first : try playing(path, to: nil)
            let before = try open(in: play)
            let state = play.state
            let title = try finding { () throws(ExplorationFault) in try play.make(choice) }
            transitions += 1
            if let label = program.label, let title {
                picture.add(.init(source: label(state), choice: title, target: label(play.state)))
            }
            try program.check(play, after: path + [choice])
            guard let target = try add(play, parent: index, choice, depth: graph.moments[index].depth + 1) else { return false }
            let after = Set(try open(in: play).map(\.identity))
            let (reached, owed) = program.passage(play.shown)
            let closed = Set(before.filter { !after.contains($0.identity) }.map(\.number))
            edges.append(
                .init(
                    choice: choice, target: target, reached: reached, owed: owed,
                    closed: choice == .time ? closed.union([-1]) : closed))
        }
        graph.expand(index, edges)
        return true
    }

    /// Plays the choices that lead to a moment.
    ///
    /// - Parameter index: The moment that it must be; nil if that has been seen.
    private func playing(_ path: [Choice], to index: Int?) throws(Finding) -> Play<State, Event, Effect, Environment> {
        let play = Play(program)
        for choice in path {
            guard try finding({ () throws(ExplorationFault) in try play.make(choice) }) != nil else { throw .fault(unstable(path)) }
        }
        if let index, play.key.hashValue != keys[index] { throw .fault(unstable(path)) }
        return play
    }

    private func unstable(_ path: [Choice]) -> ExplorationFault {
        ExplorationFault(
            """
            the program is not deterministic: played twice, "\(program.shortName(path))" has led to two different moments
            Look for a random number, the order of a Set or Dictionary, the system's clock, or a memory that is not in the state
            """)
    }

    /// Notes the moment that a play has come to.
    ///
    /// - Returns: The number of the moment; nil if it is new and there is no room.
    private mutating func add(
        _ play: Play<State, Event, Effect, Environment>, parent: Int, _ choice: Choice, depth: Int
    ) throws(Finding) -> Int? {
        let key = play.key
        if let index = known[key] { return index }
        guard graph.moments.count < program.limits.moments else { return nil }
        var open = Set(try open(in: play).map(\.number))
        if play.hasTimers { open.insert(-1) }
        let index = graph.add(
            .init(parent: parent, choice: choice, depth: depth, goals: program.goals(play.state), mayRest: open.isEmpty, open: open))
        known[key] = index
        keys.append(key.hashValue)
        states.insert(key.state)
        if depth == levels.count { levels.append(0) }
        levels[depth] += 1
        return index
    }

    /// The calls that get an outcome in the end: what tells each apart in its play, and its number in all plays.
    private mutating func open(
        in play: Play<State, Event, Effect, Environment>
    ) throws(Finding) -> [(identity: ObjectIdentifier, number: Int)] {
        let calls = try finding { () throws(ExplorationFault) in try play.openCalls() }
        var open: [(ObjectIdentifier, Int)] = []
        for call in calls where !call.rule.isNeverAnswered {
            let key = call.effect.key
            let name = CallName(event: key.event, state: key.state, part: key.part, number: call.number)
            let number = callNumbers[name] ?? callNumbers.count
            callNumbers[name] = number
            open.append((ObjectIdentifier(call.record), number))
        }
        return open
    }
}

/// Runs a closure, and turns what it throws into a finding.
private func finding<Value>(_ body: () throws(ExplorationFault) -> Value) throws(Finding) -> Value {
    do { return try body() } catch { throw .fault(error) }
}
