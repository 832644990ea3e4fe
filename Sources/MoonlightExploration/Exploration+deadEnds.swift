import Moonlight
import MoonlightTesting

extension Exploration {
    /// Throws if a trace that is replayed has come to a dead end: nothing is live, and no choice changes anything.
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
