import Moonlight
import MoonlightTesting

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
            isOwed[index] = count > 0 ? isOwed[index] && !reached[index] || owed[index] : isOwed[index] || owed[index]
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
                Property<State>.unfulfilled(isCycle: true))
        }
        guard let index = isOwed.firstIndex(of: true), !play.hasTimers, try play.owedCalls().isEmpty else { return }
        throw Finding.violation(
            program.properties[index].name, choices, cycle: [], Property<State>.unfulfilled(isCycle: false))
    }
}
