import Streams

/// Holds back what a loop tells, until the log has what led to it.
///
/// The loop itself does not wait. `transform` and `apply` go on with the newest state, and each turn of the loop has a position in the
/// log. What the loop tells, which is states, answers and refusals, and the streams that it is to subscribe to, waits in order until
/// its position has been released.
@usableFromInline
package final class OutputGate<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the progress guards itself, and the rest is the loop owner's.

    /// Something that is not told yet.
    struct Held {
        enum What {
            case state(State)
            case call(() -> Void)
        }

        let what: What
        let position: UInt64
        /// Who waits for it.
        var trace: Trace
    }

    @usableFromInline let log: any TurnLog<State, Event, Effect>
    let progress: GateProgress
    private(set) var held = Queue<Held>()
    /// The last state that is held; nil if none is.
    @exclusivity(unchecked) @usableFromInline private(set) var newest: State?
    /// The numbers of the streams whose end is to be noted.
    @exclusivity(unchecked) @usableFromInline var streams: [ObjectIdentifier: UInt64] = [:]
    /// How many streams are held.
    @usableFromInline var heldStreams = 0
    /// Keeps the loop from being considered quiet while something is held.
    var transit: Transit?

    /// Creates a gate for one loop.
    ///
    /// - Parameters:
    ///   - log: Notes what the loop does.
    ///   - progress: Is told what the log has.
    package init(_ log: some TurnLog<State, Event, Effect>, _ progress: GateProgress) {
        (self.log, self.progress) = (log, progress)
    }

    /// Whether what is told now may be told at once.
    @usableFromInline var isOpen: Bool { held.isEmpty && progress.isReleased(log.position) }

    /// Removes and returns the first of what is held, if it has been released.
    func next() -> Held? {
        guard let first = held[0], progress.isReleased(first.position) else { return nil }
        let next = held.popFirst()
        // An empty ring would take 600 bytes of each loop that waits for its next event.
        if held.isEmpty { (held, newest) = (Queue(), nil) }
        return next
    }

    func hold(_ what: Held.What, _ trace: Trace) {
        var entry = Held(what: what, position: log.position, trace: trace)
        if let failure = progress.failure { Self.fail(&entry, failure) }
        held.append(entry)
        if case .state(let state) = what { newest = state }
    }

    /// Fails the waits for everything that is held, if the log has failed.
    func failHeld() {
        guard let failure = progress.failure else { return }
        for place in 0..<held.count {
            guard var entry = held[place] else { continue }
            Self.fail(&entry, failure)
            held[place] = entry
        }
    }

    /// Fails a wait, and lets go of it, so that nobody waits any longer.
    private static func fail(_ entry: inout Held, _ failure: SendError) {
        entry.trace.settlement?.fail(failure)
        // A stream that is held keeps its event from settling: the wait ends here.
        for outcome in entry.trace.settlement?.outcomes ?? [] { outcome.end() }
        entry.trace.asker?.decide()
        (entry.trace.settlement, entry.trace.asker) = (nil, nil)
    }

    /// Lets go of everything that is held: the loop has ended.
    @usableFromInline
    func close(_ state: UnsafePointer<State>) {
        progress.setWake(nil)
        (held, newest, transit) = (Queue(), nil, nil)
        log.end(state)
    }
}
