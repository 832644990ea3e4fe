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
                throw ExplorationFailure("\"\(word)\" is not a choice: choices are written e1, a0.2, t, c0 or x", at: place)
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
