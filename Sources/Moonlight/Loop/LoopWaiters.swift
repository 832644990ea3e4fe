/// Who waits for something of a loop or, once the loop has ended, its last state. A plain value; the loop keeps it behind a lock.
///
/// It does not depend on the loop's types. Otherwise, the `deinit` of each loop would have to look them up.
enum LoopWaiters: Sendable {
    /// The outcomes that callers await, of events and of the loop's end.
    case running([ObjectIdentifier: Settlement.Outcome])
    /// The ``LastState``.
    case ended(any AnyObject & Sendable)

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
    mutating func end(keeping last: any AnyObject & Sendable) -> [Settlement.Outcome] {
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
