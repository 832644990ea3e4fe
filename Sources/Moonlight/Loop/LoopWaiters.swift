/// Who waits for something of a loop, and the last state once the loop has ended. A plain value; the loop keeps it behind a lock.
///
/// It does not depend on the loop's types. Otherwise, the `deinit` of each loop would have to look them up.
struct LoopWaiters: Sendable {
    /// The ``LastState``, once the loop has ended.
    private(set) var last: (AnyObject & Sendable)?
    /// The outcomes that callers await, of events and of the loop's end.
    private var outcomes: [Int: Settlement.Outcome] = [:]
    private var count = 0

    /// Adds an outcome that is awaited, and returns its number; nil if the loop has ended.
    mutating func add(_ outcome: Settlement.Outcome) -> Int? {
        if last != nil { return nil }
        count += 1
        outcomes[count] = outcome
        return count
    }

    /// Removes and returns an outcome.
    mutating func remove(_ number: Int) -> Settlement.Outcome? { outcomes.removeValue(forKey: number) }

    /// Keeps the last state, and returns the outcomes that are still awaited.
    mutating func end(keeping last: AnyObject & Sendable) -> [Settlement.Outcome] {
        self.last = last
        defer { outcomes = [:] }
        return Array(outcomes.values)
    }
}

/// The last state of a loop that has ended.
@usableFromInline
final class LastState<State>: @unchecked Sendable {
    // Sound: immutable; whoever reads it copies the state, which a store may be asked for from any thread.
    @usableFromInline let state: State
    @inlinable init(_ state: State) { self.state = state }
}
