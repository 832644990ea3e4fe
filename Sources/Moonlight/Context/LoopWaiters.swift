import Streams

/// The outcomes that callers of a loop await or, once the loop has ended, its last state. A plain value; ``LoopContext`` keeps it
/// behind a lock.
///
/// It does not depend on the loop's types. Otherwise, the `deinit` of each loop would have to look them up.
enum LoopWaiters: Sendable {
    /// The outcomes that callers await, of events and of the loop's end.
    case running([ObjectIdentifier: Settlement.Outcome])
    /// The ``LastState``; nil if it is not kept.
    case ended((any AnyObject & Sendable)?)

    /// The ``LastState``, once the loop has ended.
    var last: (any AnyObject & Sendable)? { if case .ended(let last) = self { last } else { nil } }

    /// Adds an outcome that is awaited. Returns false if the loop has ended.
    mutating func add(_ outcome: Settlement.Outcome) -> Bool {
        guard case .running(var outcomes) = self else { return false }
        // Not copied, as nothing else has it now.
        self = .running([:])
        outcomes[ObjectIdentifier(outcome)] = outcome
        self = .running(outcomes)
        return true
    }

    /// Removes and returns an outcome.
    mutating func remove(_ outcome: Settlement.Outcome) -> Settlement.Outcome? {
        guard case .running(var outcomes) = self else { return nil }
        self = .running([:])
        defer { self = .running(outcomes) }
        return outcomes.removeValue(forKey: ObjectIdentifier(outcome))
    }

    /// Keeps the last state, and returns the outcomes that are still awaited.
    mutating func end(keeping last: (any AnyObject & Sendable)?) -> [Settlement.Outcome] {
        defer { self = .ended(last) }
        return if case .running(let outcomes) = self { Array(outcomes.values) } else { [] }
    }
}

/// The last state of a loop that has ended.
@usableFromInline
final class LastState<State>: @unchecked Sendable {
    // Sound: immutable; whoever reads it copies the state, which a store may be asked for from any thread.
    @usableFromInline let state: State
    @inlinable init(_ state: State) { self.state = state }
}

extension LoopContext {
    /// Returns the last state, which was kept when the loop ended.
    @usableFromInline
    func lastState<State>(_: State.Type) -> State {
        guard let last = waiters.withLock({ $0.last }) as? LastState<State> else {
            preconditionFailure("a store has a state until its loop has ended, and the last one after that")
        }
        return last.state
    }

    /// Waits for an outcome, or for the loop's end: an effect may ignore that it is cancelled, and keep the settlement alive.
    @usableFromInline
    func wait(for outcome: Settlement.Outcome) async -> Result<Void, SendError> {
        guard waiters.withLock({ $0.add(outcome) }) else {
            finish(outcome)
            return await outcome.value
        }
        let result = await outcome.value
        discard(waiters.withLock { $0.remove(outcome) })
        return result
    }

    /// Stores the last state, if it is kept, and ends all waits: the loop has ended.
    @usableFromInline
    func endWaits(keeping last: (any AnyObject & Sendable)?) {
        for outcome in waiters.withLock({ $0.end(keeping: last) }) { finish(outcome) }
    }

    private func finish(_ outcome: Settlement.Outcome) {
        if isCancelled { outcome.cutOff() }
        outcome.end()
    }
}
