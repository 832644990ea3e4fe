import Moonlight
import MoonlightTesting
import Streams

/// Tries choices by playing each story from the beginning.
struct PlayExpander<State: Equatable, Event, Effect, Environment>: MomentExpander, @unchecked Sendable {
    // Sound: an exploration on several threads asks for Sendable states and events, its closures are Sendable, and each play is
    // used by one thread.
    typealias Key = MomentKey
    typealias World = Play<State, Event, Effect, Environment>
    private let program: Exploration<State, Event, Effect, Environment>
    private let needsGraph: Bool
    /// Whether an outcome that only lets its own effect go on is tried at once, and not also later.
    private let isReducing: Bool

    init(_ program: Exploration<State, Event, Effect, Environment>, isReducing: Bool) {
        (self.program, needsGraph, self.isReducing) = (program, program.needsGraph, isReducing)
    }

    var countsStates: Bool { true }

    func begin(into harvest: Harvest<Key>) throws(Finding) {
        let play = Play(program)
        try program.check(play, after: [])
        if program.isDrawn { harvest.label = program.label(of: play.state) }
        harvest.coverage = program.emptyCoverage
        harvest.coverage?.note(state: program.kind(of: play.state))
        try note(play, .time, before: nil, into: harvest)
    }

    func expandPlainly(
        _ keys: ArraySlice<Key>, from first: Int, into harvest: Harvest<Key>, isTrying: (Int, UInt32) -> Void
    ) -> Int { 0 }

    func expand(_ moment: MomentToExpand<Key>, into harvest: Harvest<Key>, isTrying: (UInt32) -> Void) throws(Finding) {
        let path = moment.path()
        var first: World? = try playing(path)
        guard first?.key.print == moment.print, let choices = try finding({ () throws(ExplorationFault) in try first?.choices() })
        else { throw .fault(program.unstable(path)) }
        if program.isCovered {
            if harvest.coverage == nil { harvest.coverage = program.emptyCoverage }
            for call in try finding({ () throws(ExplorationFault) in try first?.openCalls() }) ?? [] {
                harvest.coverage?.note(call: call.record.name, offering: call.outcomes.map(\.outcomeTitle))
            }
        }
        let isQuiet = first?.isQuiet ?? false
        var made: [Choice: Made] = [:]
        var goesOn = false
        func make(_ choice: Choice) throws(Finding) -> Made {
            if let known = made[choice] { return known }
            guard let packed = choice.packed else { throw .fault(ExplorationFault("too many choices at once: \(choice)")) }
            isTrying(packed)
            let play = if let first { first } else { try playing(path) }
            first = nil
            let before = try Before(play, needsGraph: needsGraph)
            let covered = program.isCovered ? try finding { () throws(ExplorationFault) in try play.covered(choice) } : nil
            let title = program.isDrawn ? try finding { () throws(ExplorationFault) in try play.title(of: choice) } : nil
            try finding { () throws(ExplorationFault) in _ = try play.make(choice) }
            if play.isEndless { throw .crash(path, choice, program.endless) }
            return Made(play: play, before: before, title: title ?? "", covered: covered)
        }
        func bring(_ choice: Choice) throws(Finding) {
            let made = try make(choice)
            let play = made.play
            try program.check(play, after: path + [choice])
            if program.isCovered { cover(choice, made, harvest) }
            if program.isDrawn {
                harvest.edges.append(
                    .init(source: program.label(of: made.before.state), choice: made.title, target: program.label(of: play.state))
                )
            }
            goesOn = goesOn || play.goesOn(from: made.before.state)
            try note(play, choice, before: made.before, into: harvest)
        }
        if isReducing, let effects = try finding({ () throws(ExplorationFault) in try first?.effectsOfAnswers() }),
            choices.count > 1
        {
            for group in effects where group.count < choices.count {
                var isSilent = true
                for choice in group where isSilent {
                    let one = try make(choice)
                    made[choice] = one
                    isSilent = one.play.wasSilent
                }
                guard isSilent else { continue }
                harvest.isReduced = true
                for choice in group { try bring(choice) }
                return
            }
        }
        for choice in choices { try bring(choice) }
        guard let deadEnds = program.deadEnds, isQuiet, !goesOn else { return }
        let play = try playing(path)
        if !play.isExhausted, deadEnds.isEnd?(play.state) != true { throw program.deadEnd(at: play.state, path) }
    }

    /// A play in which a choice has been made.
    private struct Made {
        let play: World
        let before: Before
        let title: String
        /// What it is for the coverage: an event, or a call and its outcome.
        let covered: World.Covered?
    }

    private func cover(_ choice: Choice, _ made: Made, _ harvest: Harvest<Key>) {
        for effect in made.play.effects { harvest.coverage?.note(effect: effect) }
        switch made.covered {
        case .event(let event):
            let outcome: ExplorationCoverage.Outcome =
                !made.play.refusals.isEmpty ? .refused : made.play.wasIdle ? .unchanged : .taken
            harvest.coverage?.note(event: event, in: program.kind(of: made.before.state), outcome: outcome)
        case .outcome(let call, let outcome): harvest.coverage?.note(call: call, outcome: outcome)
        case nil: break
        }
    }

    /// What is known before a choice.
    private struct Before {
        let state: State
        let open: [(record: ObjectIdentifier, name: CallName)]

        init(_ play: World, needsGraph: Bool) throws(Finding) {
            state = play.state
            open = needsGraph ? try finding { () throws(ExplorationFault) in try play.owedCalls() } : []
        }
    }

    /// Plays the choices that lead to a moment.
    private func playing(_ path: [Choice]) throws(Finding) -> World {
        let play = Play(program)
        for choice in path {
            guard try finding({ () throws(ExplorationFault) in try play.repeatChoice(choice) }) else {
                throw .fault(program.unstable(path))
            }
        }
        return play
    }

    /// Notes the moment that a play has come to.
    private func note(_ play: World, _ choice: Choice, before: Before?, into harvest: Harvest<Key>) throws(Finding) {
        let key = play.key
        let open = try finding { () throws(ExplorationFault) in needsGraph ? try play.owedCalls() : [] }
        harvest.choices.append(choice.packed ?? 0)
        harvest.keys.append(key)
        harvest.prints.append(key.print)
        harvest.statePrints.append(UInt64(bitPattern: Int64(key.state.hashValue)))
        guard needsGraph else { return }
        var (reached, owed) = program.passage(play.shown)
        var goals = program.goals(play.state)
        // Of a loop that was cancelled from outside, nothing is expected.
        if play.isEnded {
            let all = MomentGraph.Bits(program.properties.map { _ in true })
            (reached, owed, goals) = (all, MomentGraph.Bits(program.properties.map { _ in false }), all)
        }
        let after = Set(open.map(\.record))
        harvest.facts.append(
            GraphFacts(
                reached: reached, owed: owed, goals: goals,
                after: Set(open.map(\.name)),
                closed: Set((before?.open ?? []).filter { !after.contains($0.record) }.map(\.name)), hasTimers: play.hasTimers,
                place: key.place, isExhausted: play.isExhausted))
    }
}

/// Runs a closure, and turns what it throws into a finding.
private func finding<Value>(_ body: () throws(ExplorationFault) -> Value) throws(Finding) -> Value {
    do { return try body() } catch { throw .fault(error) }
}
