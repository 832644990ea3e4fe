import Streams

/// Steps that were made before their node was due.
///
/// Each choice costs a play from the beginning. A play that has reached a node therefore continues with a choice that no other
/// play has made yet; when the node is due, that choice need not be played again. This affects only the time of a search: nodes
/// are still processed breadth first.
///
/// The first choice of a node is always played from the beginning, by the node's own trace, and compared, so that a program
/// that is not deterministic is still detected.
final class StepsAhead<State: Equatable, Event, Effect, Environment>: Sendable {
    typealias Step = PlayStep<State, Event, Effect, Environment>

    /// The result of a choice.
    enum Entry: @unchecked Sendable {
        // Sound: the contents of a step are passed from thread to thread, as discoveries are.
        case step(Step)
        /// A violation, which is reported when its node is due.
        case wrong
    }

    private let entries = Lock([UInt64: [Choice: Entry]]())

    /// The number of choices with which a play continues.
    ///
    /// With eight calls open at once, three choices save six of ten plays; further ones save hardly any.
    static var most: Int { 3 }

    /// Returns the known results of the choices of a node, given its fingerprint.
    func known(at print: UInt64) -> [Choice: Entry] { entries.withLock { $0[print] } ?? [:] }

    /// Stores the result of a choice.
    func add(_ entry: Entry, of choice: Choice, at print: UInt64) {
        discard(entries.withLock { $0[print, default: [:]].updateValue(entry, forKey: choice) })
    }

    /// Removes and returns the steps of a node in a given state.
    ///
    /// Different states count as different although their keys may be equal: findings about a node are about the state that
    /// its own trace has reached.
    func take(at node: NodeKey, print: UInt64, in state: State) -> [Choice: Step] {
        let entries = entries.withLock { $0.removeValue(forKey: print) } ?? [:]
        return entries.compactMapValues { entry in
            guard case .step(let step) = entry, step.before == state, step.start == node else { return nil }
            return step
        }
    }
}

extension Play {
    /// Returns a choice that may be made before the node is due; nil if there is none.
    ///
    /// - Parameters:
    ///   - entries: The results of other choices.
    ///   - isReducing: True if an outcome that only its own effect can observe is tried at once, and not also later.
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
            // Probably no other choice of the node is tried.
            if isSilent { return nil }
        }
        return choices.first { $0 != first && entries[$0] == nil }
    }
}
