import Moonlight
import Streams

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
