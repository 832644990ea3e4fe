import Streams

/// Steps that were made before it was their node's turn.
///
/// It takes a play from the beginning to make a choice, and most nodes are come to on several ways. A play that has come to a node
/// therefore goes on, and makes a choice there that no other has made yet; when the node's turn comes, that choice need not be
/// played. This changes nothing but the time that a search takes: nodes are still noted breadth first, each in its turn.
///
/// The first choice of a node is left to its own trace, which is always played from the beginning, and compared: so a program that
/// is not deterministic is noticed as before.
final class StepsAhead<State: Equatable, Event, Effect, Environment>: Sendable {
    typealias Step = PlayStep<State, Event, Effect, Environment>

    /// What is known of a choice.
    enum Entry: @unchecked Sendable {
        // Sound: what a step holds is handed from thread to thread, as is what discoveries bring.
        case step(Step)
        /// It has led to something wrong, which is to be told in its turn.
        case wrong
    }

    private let entries = Lock([UInt64: [Choice: Entry]]())

    /// The number of choices that a play goes on with, behind the one that it was begun for.
    ///
    /// Three save six plays of ten where eight calls are open at once, and more would save hardly any.
    static var most: Int { 3 }

    /// Returns what is known of the choices at a moment, given its fingerprint.
    func known(at print: UInt64) -> [Choice: Entry] { entries.withLock { $0[print] } ?? [:] }

    /// Notes what is known of a choice.
    func add(_ entry: Entry, of choice: Choice, at print: UInt64) {
        discard(entries.withLock { $0[print, default: [:]].updateValue(entry, forKey: choice) })
    }

    /// Takes the steps out that were made at a moment, and in a state.
    ///
    /// States that differ count as different although their keys may be equal: what is said of a node is said of the state that its
    /// own trace has led to.
    func take(at node: NodeKey, print: UInt64, in state: State) -> [Choice: Step] {
        let entries = entries.withLock { $0.removeValue(forKey: print) } ?? [:]
        return entries.compactMapValues { entry in
            guard case .step(let step) = entry, step.before == state, step.start == node else { return nil }
            return step
        }
    }
}

extension Play {
    /// Returns a choice that may be made before it is the turn of the node; nil if there is none.
    ///
    /// - Parameters:
    ///   - entries: What is known of other choices.
    ///   - isReducing: Whether an outcome that only lets its own effect go on is tried at once, and not also later.
    func choiceAhead(
        besides entries: [Choice: StepsAhead<State, Event, Effect, Environment>.Entry], isReducing: Bool
    ) throws(ExplorationFault) -> Choice? {
        if isEnded { return nil }
        let calls = try openCalls()
        let choices = choices(calls)
        guard choices.count > 1 else { return nil }
        let groups = isReducing ? effectsOfAnswers(calls).filter { $0.count < choices.count } : []
        let first = groups.first?.first ?? choices[0]
        for group in groups {
            var isSilent = true
            for choice in group where isSilent && choice != first {
                switch entries[choice] {
                case .step(let step)?: isSilent = step.wasSilent
                case .wrong?: isSilent = false
                case nil: return choice
                }
            }
            // Probably no other choice is tried there.
            if isSilent { return nil }
        }
        return choices.first { $0 != first && entries[$0] == nil }
    }
}
