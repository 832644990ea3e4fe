import Moonlight
import MoonlightTesting

extension Exploration {
    /// Replays a trace, given the name that a failure reports.
    ///
    /// Properties of the kind `canAlways` are not checked, since a single trace cannot decide them.
    ///
    /// - Parameter name: The short name of the trace, such as `"e0 a0.1 t"`. The choices after a `*` repeat forever.
    /// - Returns: A description of the trace.
    /// - Throws: The violation of a property by a state, or by the end of the trace; or an error that names a choice that
    ///   does not exist.
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
                throw ExplorationFailure(
                    "\"\(word)\" is not a choice: choices are written e1, a0.2, t, f, c0, x or he1", at: place)
            }
            choices.append(choice)
        }
        do throws(any Error) {
            let play = Play(self)
            try check(play, after: [])
            var obligations = Obligations(self, stem: stem)
            try obligations.note(play, after: 0)
            for (index, choice) in choices.enumerated() {
                guard try play.make(choice) else {
                    throw Finding.fault(
                        ExplorationFault("the trace has no choice \(choice) after \"\(choices.prefix(index).name)\""))
                }
                try check(play, after: Array(choices[...index]))
                try obligations.note(play, after: index + 1)
            }
            try obligations.check(play, after: choices)
            try checkDeadEnd(play, after: choices)
            return try trace(of: Array(choices.prefix(stem ?? .max)), cycle: stem.map { Array(choices[$0...]) } ?? [])
                .joined(separator: "\n")
        } catch let fault as ExplorationFault { throw failure(of: .fault(fault)) } catch let finding as Finding {
            throw failure(of: finding)
        } catch { throw ExplorationFailure("\(error)", at: place) }
    }
}

extension Exploration {
    /// Throws if a replayed trace ends in a dead end: nothing is live, and no choice changes the state.
    ///
    /// - Parameters:
    ///   - play: The play of the trace.
    ///   - choices: The trace.
    func checkDeadEnd(_ play: Play<State, Event, Effect, Environment>, after choices: [Choice]) throws {
        guard let deadEnds, play.isQuiet, !play.isExhausted, deadEnds.isEnd?(play.state) != true else { return }
        for choice in try play.choices() {
            let next = Play(self)
            for choice in choices + [choice] { try next.make(choice) }
            if next.goesOn(from: play.state) { return }
        }
        throw deadEnd(at: play.state, choices)
    }
}

/// The goals that a replayed trace must still reach.
struct Obligations<State: Equatable, Event, Effect, Environment> {
    private let program: Exploration<State, Event, Effect, Environment>
    /// The number of choices before those that repeat; nil if none repeat.
    private let stem: Int?
    /// For each property, whether its goal is pending, and whether it was pending throughout the choices that repeat.
    private var isOwed: [Bool]
    private var isOwedThroughout: [Bool]
    /// The node at which the cycle begins.
    private var start: NodeKey?

    init(_ program: Exploration<State, Event, Effect, Environment>, stem: Int?) {
        self.program = program
        self.stem = stem
        isOwed = program.properties.map { property in
            guard case .eventually(let after, let until) = property.kind else { return false }
            return (after?(program.given) ?? true) && !until(program.given)
        }
        isOwedThroughout = isOwed.map { _ in true }
    }

    /// Records the states since the last choice.
    ///
    /// - Parameters:
    ///   - play: The play.
    ///   - count: The number of choices that have been made.
    mutating func note(_ play: Play<State, Event, Effect, Environment>, after count: Int) throws(ExplorationFault) {
        let (reached, owed) = program.passage(play.shown)
        for index in isOwed.indices {
            isOwed[index] = isOwed[index] && !reached[index] || owed[index]
            if let stem, count >= stem { isOwedThroughout[index] = isOwedThroughout[index] && isOwed[index] }
            if let stem, count > stem, reached[index] { isOwedThroughout[index] = false }
        }
        if count == stem { start = play.key }
    }

    /// Throws if a goal is pending at the end of a trace and nothing can reach it any more, or if the trace has returned to
    /// the start of its cycle.
    func check(_ play: Play<State, Event, Effect, Environment>, after choices: [Choice]) throws {
        if play.isEnded { return }
        if let stem, stem < choices.count {
            guard start == play.key, let index = isOwed.indices.first(where: { isOwed[$0] && isOwedThroughout[$0] }) else {
                return
            }
            throw Finding.violation(
                program.properties[index].name, Array(choices[..<stem]), cycle: Array(choices[stem...]),
                Property<State>.unfulfilled(isCycle: true), property: index)
        }
        guard let index = isOwed.firstIndex(of: true), !play.hasTimers, !play.hasFollowUps, try play.owedCalls().isEmpty else {
            return
        }
        throw Finding.violation(
            program.properties[index].name, choices, cycle: [], Property<State>.unfulfilled(isCycle: false), property: index)
    }
}
