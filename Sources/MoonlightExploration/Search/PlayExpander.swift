import Moonlight
import MoonlightTesting
import Streams

/// Expands nodes by playing each trace from the beginning.
struct PlayExpander<State: Equatable, Event, Effect, Environment>: NodeExpander, @unchecked Sendable {
    // Sound: an exploration on several threads requires Sendable states and events, its closures are Sendable, and each play
    // is used by one thread.
    typealias Key = NodeKey
    typealias World = Play<State, Event, Effect, Environment>
    typealias Step = PlayStep<State, Event, Effect, Environment>
    private let program: Exploration<State, Event, Effect, Environment>
    /// True if an outcome that only its own effect can observe is tried at once, and not also later.
    private let isReducing: Bool
    /// The steps that were made ahead of their turn; nil if none are.
    private let ahead: StepsAhead<State, Event, Effect, Environment>?

    init(_ program: Exploration<State, Event, Effect, Environment>, isReducing: Bool, looksAhead: Bool) {
        self.program = program
        self.isReducing = isReducing
        ahead = looksAhead ? StepsAhead() : nil
    }

    var countsStates: Bool { true }

    /// The number of nodes that are played with other addresses.
    private static var mostWithCare: Int { 200 }

    func begin(into found: Discoveries<Key>) throws(Finding) {
        let play = Play(program)
        try program.check(play, after: [])
        if program.isDrawn { found.label = program.label(of: play.state) }
        found.coverage = program.emptyCoverage
        found.coverage?.note(state: program.kind(of: play.state))
        let key = play.key
        note(
            Choice.time.packed ?? 0, key, key.print, program.needsGraph ? try program.graphFacts(play, key, open: []) : nil,
            found)
    }

    func expandPlainly(
        _ keys: ArraySlice<Key>, from first: Int, into found: Discoveries<Key>, isTrying: (Int, UInt32) -> Void
    ) -> Int { 0 }

    func expand(_ node: PendingNode<Key>, into found: Discoveries<Key>, isTrying: (UInt32) -> Void) throws(Finding) {
        let path = node.path()
        let own =
            node.number < Self.mostWithCare
            ? try withOtherAddresses { () throws(Finding) in try playing(path) } : try playing(path)
        guard own.key.print == node.print else { throw .fault(program.unstable(path)) }
        let calls = own.isEnded ? [] : try finding { () throws(ExplorationFault) in try own.openCalls() }
        let choices = own.choices(calls)
        if program.isCovered { try coverOffers(of: own, found) }
        let ownHasFollowUps = own.hasFollowUps
        let (state, isQuiet, isExhausted) = (own.state, own.isQuiet, program.deadEnds != nil && own.isExhausted)
        let groups = isReducing && choices.count > 1 ? own.effectsOfAnswers(calls) : []
        var steps = ahead?.take(at: node.key, print: node.print, in: state) ?? [:]
        var first: World? = own
        func step(_ choice: Choice) throws(Finding) -> Step {
            if let known = steps[choice] { return known }
            isTrying(choice.packed ?? 0)
            let play = if let first { first } else { try playing(path) }
            first = nil
            let step = try program.make(choice, at: node.key, in: play, after: path)
            steps[choice] = step
            if step.finding == nil { goOn(play, from: step, depth: path.count + 1, of: node, isTrying) }
            return step
        }
        for group in groups where group.count < choices.count {
            var isSilent = true
            for choice in group where isSilent { isSilent = try step(choice).wasSilent }
            guard isSilent else { continue }
            found.isReduced = true
            for choice in group { try bring(try step(choice), found) }
            return
        }
        var goesOn = false
        for choice in choices {
            let made = try step(choice)
            try bring(made, found)
            goesOn = goesOn || made.goesOn
            // Where events wait already, all choices but this one are held.
            if !program.hasOneSender, made.mayBeHeld, choice == .followUps || !ownHasFollowUps {
                try bring(try step(.held(choice)), found)
            }
        }
        if let deadEnds = program.deadEnds, isQuiet, !goesOn, !isExhausted, deadEnds.isEnd?(state) != true {
            throw program.deadEnd(at: state, path)
        }
    }

    /// Continues a play with further choices, before the nodes that it reaches are due.
    ///
    /// - Parameters:
    ///   - play: The play.
    ///   - step: Its last choice.
    ///   - depth: The number of its choices.
    ///   - node: The node for which it was begun.
    ///   - isTrying: Called before each choice.
    private func goOn(
        _ play: World, from step: Step, depth: Int, of node: PendingNode<Key>, _ isTrying: (UInt32) -> Void
    ) {
        guard let ahead else { return }
        var (key, print) = (step.key, step.print)
        for depth in depth..<depth + StepsAhead<State, Event, Effect, Environment>.most {
            guard depth < program.limits.depth, !node.wasExpanded(print),
                let choice = try? play.choiceAhead(besides: ahead.known(at: print), isReducing: isReducing)
            else { return }
            isTrying(Choice.ahead)
            guard let step = try? program.make(choice, at: key, in: play, after: []), step.finding == nil else {
                return ahead.add(.wrong, of: choice, at: print)
            }
            ahead.add(.step(step), of: choice, at: print)
            (key, print) = (step.key, step.print)
        }
    }

    /// Records a step when its node is due.
    private func bring(_ step: Step, _ found: Discoveries<Key>) throws(Finding) {
        if let finding = step.finding { throw finding }
        if program.isCovered { cover(step, found) }
        if program.isDrawn {
            found.edges.append(
                .init(source: program.label(of: step.before), choice: step.title, target: program.label(of: step.state)))
        }
        note(step.packed, step.key, step.print, step.facts, found)
    }

    private func note(_ choice: UInt32, _ key: NodeKey, _ print: UInt64, _ facts: GraphFacts?, _ found: Discoveries<Key>) {
        found.choices.append(choice)
        found.keys.append(key)
        found.prints.append(print)
        found.statePrints.append(UInt64(bitPattern: Int64(key.state.hashValue)))
        if let facts { found.facts.append(facts) }
    }

    /// Records the kind of a node's state, and the possible outcomes of its calls.
    private func coverOffers(of play: World, _ found: Discoveries<Key>) throws(Finding) {
        if found.coverage == nil { found.coverage = program.emptyCoverage }
        found.coverage?.note(state: program.kind(of: play.state))
        for call in try finding({ () throws(ExplorationFault) in try play.openCalls() }) {
            found.coverage?.note(call: call.record.name, offering: call.outcomes.map(\.outcomeTitle))
        }
    }

    private func cover(_ step: Step, _ found: Discoveries<Key>) {
        for effect in step.effects { found.coverage?.note(effect: effect) }
        switch step.covered {
        case .event(let event): found.coverage?.note(event: event, in: program.kind(of: step.before), outcome: step.outcome)
        case .outcome(let call, let outcome): found.coverage?.note(call: call, outcome: outcome)
        case nil: break
        }
    }

    /// Plays the choices that lead to a node.
    private func playing(_ path: [Choice]) throws(Finding) -> World {
        let play = Play(program)
        for choice in path {
            guard try finding({ () throws(ExplorationFault) in try play.repeatChoice(choice) }) else {
                throw .fault(program.unstable(path))
            }
        }
        return play
    }
}
