import Moonlight
import Streams

/// The hook of a durable loop: buffers the loop's output until its cause is in the log.
///
/// The loop itself does not wait. `transform` and `apply` use the newest state, and each turn of the loop has a position in the log.
/// States, answers, refusals and subscriptions to streams are queued until their position is released.
///
/// The stream of an event belongs to the turn of that event: effects that it sends at once are applied before the next event is decided.
/// Events that come while a stream is held therefore wait, too.
final class OutputGate<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: LogHook, LoopHook, @unchecked Sendable {
    // Sound: only the loop's owner uses the variables.

    let log: any TurnLog<State, Event, Effect>
    /// The loop; nil before it is connected, and once it has ended.
    private var loop: (any HookedLoop<State, Event>)?
    private var held = HeldOutput<State, Event>()
    /// True if the loop was informed that output is held.
    private var isHolding = false
    /// True while the loop handles an event that was held.
    private var isHandling = false

    /// Creates a gate for one loop.
    ///
    /// - Parameter log: The log of the loop's turns, which releases their output.
    init(_ log: some TurnLog<State, Event, Effect>) {
        self.log = log
        super.init(log)
    }

    // MARK: Begin

    func connect(_ loop: any HookedLoop<State, Event>) {
        self.loop = loop
        // A retain cycle until the loop ends. Every loop ends.
        log.setLoop(loop)
        log.open { event, isFollowUp, note in loop.post(event, Turn(isFollowUp: isFollowUp, note: note)) }
    }

    var noteOfCaller: (any AnyObject & Sendable)? { log.requestOfCaller }

    func begin(_ event: Event, _ turn: Turn) -> TurnAdmission {
        if !isHandling, keepsEvents || held.hasEvent(before: turn) {
            held.add(event, turn)
            return .kept
        }
        return log.admit(event, isFollowUp: turn.isFollowUp, request: turn.note)
    }

    // MARK: Applied

    func prepare(_ effect: Effect) throws { try log.prepare(effect) }

    func applied(followUps: Int) { log.noteApplied(followUps: followUps) }

    func rejected(_ error: any Error) { log.noteRejection(error) }

    func willSubscribe(to job: JobID?, of event: Event) throws -> UInt64? { try log.noteStream(of: event, job: job) }

    func subscribe(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) { log.begin(stream, subscribe) }

    func ended(_ stream: UInt64) { log.noteEnd(of: stream) }

    // MARK: Output

    func tells(_ output: LoopOutput<State>, _ turn: Turn) -> Bool {
        if held.output.isEmpty, log.isReleased(log.position) { return true }
        // No sender waits for this answer.
        if case .answer = output, !turn.isAwaited { return false }
        var entry = HeldOutput<State, Event>.Entry(output: output, position: log.position, turn: turn)
        if let failure = log.failureOfProgress { entry.turn.endWait(failure) }
        held.append(entry)
        noteHolding(true)
        return false
    }

    var keptState: State? { held.newest }

    /// True if events must wait for a held stream. After a failure of the log, they are refused instead.
    var keepsEvents: Bool { held.streams > 0 && log.failureOfProgress == nil }

    func isStuck(liveStreams: Int) -> Bool {
        log.failureOfProgress != nil && liveStreams == held.streams && !held.hasEvents
    }

    func goOn(isInTurn: Bool) {
        guard let loop else { return }
        if isInTurn {
            held.isMarked = false
            if !keepsEvents, let next = held.popEvent() {
                isHandling = true
                loop.handle(next.event, next.turn)
                isHandling = false
            }
        } else {
            if let failure = log.failureOfProgress { held.endWaits(failure) }
            while !loop.isCancelled, let next = released() { loop.tell(next.output, next.turn) }
        }
        if loop.isCancelled || keepsEvents { return }
        if held.hasEvents {
            // One at a time, since an event may start a stream; and after the pending items, which are consequences of the
            // previous event.
            if !held.isMarked { loop.wakeInTurn() }
            held.isMarked = true
        } else if held.output.isEmpty {
            noteHolding(false)
        }
    }

    /// Removes and returns the first held output, if it is released.
    private func released() -> HeldOutput<State, Event>.Entry? {
        guard let first = held.output[0], log.isReleased(first.position) else { return nil }
        return held.popFirst()
    }

    private func noteHolding(_ isHolding: Bool) {
        if self.isHolding == isHolding { return }
        self.isHolding = isHolding
        loop?.note(isKeeping: isHolding)
    }

    // MARK: End

    func endTurn(_ state: UnsafePointer<State>) { log.endTurn(state) }

    func end(_ state: UnsafePointer<State>) {
        loop = nil
        log.setLoop(nil)
        while let next = held.popEvent() { next.turn.refuse(.ended) }
        held = HeldOutput()
        log.end(state)
    }
}

/// A hook with a log, independent of the types of its loop.
class LogHook: @unchecked Sendable {
    // Sound: immutable. Subclasses must justify their additions.
    final let anyLog: any AnyObject & Sendable

    init(_ log: any AnyObject & Sendable) { anyLog = log }
}

extension Store {
    /// The log of the loop's turns; nil if it has none.
    var log: (any AnyObject & Sendable)? { (hook as? LogHook)?.anyLog }
}

/// The held output of a loop, and the events that wait for held streams.
struct HeldOutput<State, Event> {
    /// An output that is held back.
    struct Entry {
        let output: LoopOutput<State>
        let position: UInt64
        /// The turn in which it is published, with its waiting senders.
        var turn: Turn
    }

    private(set) var output = Queue<Entry>()
    /// The last held state; nil for none.
    private(set) var newest: State?
    /// The number of held streams.
    private(set) var streams = 0
    /// The waiting follow-up events. They are handled before all others.
    private var followUps = Queue<(event: Event, turn: Turn)>()
    /// All other events that wait for held streams.
    private var events = Queue<(event: Event, turn: Turn)>()
    /// True if the loop was requested to handle the first waiting event.
    var isMarked = false

    mutating func append(_ entry: Entry) {
        output.append(entry)
        if case .state(let state) = entry.output { newest = state }
        if case .stream = entry.output { streams += 1 }
    }

    mutating func popFirst() -> Entry? {
        guard let entry = output.popFirst() else { return nil }
        if case .stream = entry.output { streams -= 1 }
        if output.isEmpty { newest = nil }
        return entry
    }

    /// Fails the waiting senders of all held output, which remains held.
    mutating func endWaits(_ failure: SendError) {
        for place in 0..<output.count { output[place]?.turn.endWait(failure) }
    }

    /// True if an event waits.
    var hasEvents: Bool { !followUps.isEmpty || !events.isEmpty }

    /// Returns whether a waiting event precedes one with a given turn.
    func hasEvent(before turn: Turn) -> Bool { !followUps.isEmpty || !turn.isFollowUp && !events.isEmpty }

    /// Adds a waiting event.
    mutating func add(_ event: Event, _ turn: Turn) {
        if turn.isFollowUp { followUps.append((event, turn)) } else { events.append((event, turn)) }
    }

    /// Removes and returns the first waiting event.
    mutating func popEvent() -> (event: Event, turn: Turn)? { followUps.popFirst() ?? events.popFirst() }
}
