import Streams
import Synchronization

/// The outcomes that callers of a loop await or, after its end, its last state. A plain value, which ``LoopContext`` keeps behind
/// a lock.
///
/// It is independent of the loop's types. Otherwise, the `deinit` of each loop would have to look them up.
struct LoopWaiters: Sendable {
    /// The outcomes that callers await: of events, of quiet, and of the loop's end.
    private(set) var outcomes = Numbered<Settlement.Outcome>()
    /// The last state, once the loop has ended; nil if it is not kept.
    private(set) var last: (any Sendable)?
    private var isOver = false

    /// Adds an awaited outcome. Returns its number; nil if the loop has ended.
    mutating func add(_ outcome: Settlement.Outcome) -> Int? { isOver ? nil : outcomes.add(outcome) }

    /// Removes and returns an outcome.
    mutating func remove(_ number: Int) -> Settlement.Outcome? { outcomes.remove(number) }

    /// The outcomes that end as soon as nothing is in flight.
    var quiet: [Settlement.Outcome] { outcomes.filter(\.endsWhenQuiet) }

    /// Stores the last state.
    mutating func keep(_ last: any Sendable) { self.last = last }

    /// Returns the outcomes that are still awaited. No more are added.
    mutating func end() -> [Settlement.Outcome] {
        isOver = true
        defer { outcomes = Numbered() }
        return Array(outcomes)
    }
}

extension LoopContext {
    /// Returns the last state, which was kept when the loop ended.
    @usableFromInline
    func lastState<State>(_: State.Type) -> State {
        guard let last = waiters.withLock({ $0.last }) as? UncheckedTransfer<State> else {
            preconditionFailure("the loop has ended without keeping its last state")
        }
        return last.value
    }

    /// Waits for an outcome, or for the end of the loop, since an effect may ignore its cancellation and retain the settlement.
    @usableFromInline
    func wait(for outcome: Settlement.Outcome, _ begun: () -> Void = {}) async -> Result<Void, SendError> {
        let number = waiters.withLock { waiters in
            if outcome.endsWhenQuiet { watchesQuiet.store(true, ordering: .releasing) }
            return waiters.add(outcome)
        }
        if number != nil { begun() } else { outcome.end(with: self) }
        let result = await outcome.value
        if let number { discard(waiters.withLock { $0.remove(number) }) }
        return result
    }

    /// Stores the last state, for callers that read it after the end.
    @usableFromInline
    func keep(_ last: any Sendable) { waiters.withLock { $0.keep(last) } }

    /// Ends all waits: the loop has ended.
    @usableFromInline
    func endWaits() { for outcome in waiters.withLock({ $0.end() }) { outcome.end(with: self) } }

    // MARK: Quiet

    /// Makes a loop check for quiet whenever its mailbox is empty, and when something in transit has ended, until it is quiet.
    func watchQuiet(of loop: any AnyLoop) {
        attached.withLock { $0.watched = loop }
        watchesQuiet.store(true, ordering: .releasing)
    }

    /// Makes the loop check for quiet, if a caller waits for that. Called at the end of something in transit, such as a reaction.
    func lookForQuiet() {
        if watchesQuiet.load(ordering: .acquiring) { attached.withLock { $0.watched }?.look() }
    }

    /// Ends the waits for quiet, if nothing is in flight.
    ///
    /// - Parameter hasNoMail: Whether no event waits. Called when no further caller can begin to wait: an event that a caller sent
    ///   before its wait is seen.
    @usableFromInline
    func endQuietWaits(if hasNoMail: () -> Bool) {
        let outcomes = waiters.withLock { waiters -> [Settlement.Outcome] in
            guard hasNoMail() else { return [] }
            watchesQuiet.store(false, ordering: .releasing)
            return waiters.quiet
        }
        for outcome in outcomes { outcome.end() }
    }
}

/// Reports that a loop begins to be drained.
final class Draining: LoopService {
    let begins = Signal()
}
