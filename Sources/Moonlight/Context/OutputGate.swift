import Streams

/// Holds back what a loop tells, until the log has what led to it.
///
/// The loop itself does not wait. `transform` and `apply` go on with the newest state, and each turn of the loop has a position in the
/// log. What the loop tells, which is states, answers and refusals, and the streams that it is to subscribe to, waits in order until
/// its position has been released.
///
/// The stream of an event belongs to the turn of that event: what it sends at once is applied before the next event is decided about.
/// Events that come while a stream is held therefore wait, too.
@usableFromInline
package final class OutputGate<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: only the loop's owner touches what is held.

    @usableFromInline let log: any TurnLog<State, Event, Effect>
    /// What is held, from when something is until nothing is.
    @exclusivity(unchecked) @usableFromInline var held: HeldOutput<State, Event>?

    /// Creates a gate for one loop.
    ///
    /// - Parameter log: Notes what the loop does, and says what of it may be told.
    package init(_ log: some TurnLog<State, Event, Effect>) { self.log = log }

    /// Whether what is told now may be told at once.
    @usableFromInline var isOpen: Bool { (held?.entries.isEmpty ?? true) && log.isReleased(log.position) }

    /// Whether an event has to wait for a stream that is held. Not once the log has failed: it is refused then.
    @usableFromInline var isHoldingStreams: Bool {
        guard let held, held.streams > 0 else { return false }
        return log.failureOfProgress == nil
    }

    /// Removes and returns the first of what is held, if it has been released.
    func next() -> HeldOutput<State, Event>.Entry? {
        guard let held, let first = held.entries[0], log.isReleased(first.position) else { return nil }
        let next = held.entries.popFirst()
        if held.entries.isEmpty { held.newest = nil }
        return next
    }

    /// Holds something back.
    func hold(_ what: HeldOutput<State, Event>.Entry.What, _ trace: Trace, in held: HeldOutput<State, Event>) {
        var entry = HeldOutput<State, Event>.Entry(what: what, position: log.position, trace: trace)
        if let failure = log.failureOfProgress { entry.fail(failure) }
        held.entries.append(entry)
        if case .state(let state) = what { held.newest = state }
    }

    /// Fails the waits for everything that is held, if the log has failed.
    func failHeld() {
        guard let held, let failure = log.failureOfProgress else { return }
        for place in 0..<held.entries.count {
            guard var entry = held.entries[place] else { continue }
            entry.fail(failure)
            held.entries[place] = entry
        }
    }

    /// Lets go of everything that is held: the loop has ended.
    @usableFromInline
    func close(_ state: UnsafePointer<State>) {
        log.setLoop(nil)
        held?.refusePostponed()
        held = nil
        log.end(state)
    }
}

/// What a gate holds back. While there is anything, the loop is not considered quiet.
@usableFromInline
final class HeldOutput<State, Event>: Transit, @unchecked Sendable {
    // Sound: only the loop's owner touches it.

    /// Something that is not told yet.
    struct Entry {
        enum What {
            case state(State)
            case call(() -> Void)
        }

        let what: What
        let position: UInt64
        /// Who waits for it.
        var trace: Trace

        /// Fails the wait, and lets go of it, so that nobody waits any longer.
        mutating func fail(_ failure: SendError) {
            trace.settlement?.fail(failure)
            // A stream that is held keeps its event from settling: the wait ends here.
            for outcome in trace.settlement?.outcomes ?? [] { outcome.end() }
            trace.asker?.decide()
            (trace.settlement, trace.asker) = (nil, nil)
        }
    }

    var entries = Queue<Entry>()
    /// The last state that is held; nil if none is.
    @usableFromInline var newest: State?
    /// How many streams are held.
    @usableFromInline var streams = 0
    /// The events that wait for these streams: those that follow from effects, which come first, and all others.
    private var followUps = Queue<(event: Event, trace: Trace)>()
    private var events = Queue<(event: Event, trace: Trace)>()
    /// Whether the mailbox has a mark for the first event that waits.
    var isMarked = false

    /// Whether an event waits.
    var hasPostponed: Bool { !followUps.isEmpty || !events.isEmpty }

    /// Whether an event waits that is to be handled before one with a certain trace.
    func hasPostponed(before trace: Trace) -> Bool { !followUps.isEmpty || !trace.isFollowUp && !events.isEmpty }

    /// Adds an event that is to wait.
    func postpone(_ event: Event, _ trace: Trace) {
        if trace.isFollowUp { followUps.append((event, trace)) } else { events.append((event, trace)) }
    }

    /// Removes and returns the first event that waits.
    func popPostponed() -> (event: Event, trace: Trace)? { followUps.popFirst() ?? events.popFirst() }

    /// Refuses all events that wait: the loop has ended.
    func refusePostponed() { while let next = popPostponed() { next.trace.refuse(.ended) } }
}
