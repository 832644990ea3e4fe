import Moonlight
import Streams

/// The output of a loop that may not be told yet, and the events that wait for streams among it. A plain value.
struct HeldOutput<State, Event> {
    /// Something that is not told yet.
    struct Entry {
        let output: LoopOutput<State>
        let position: UInt64
        /// The turn in which it is told, with those who wait for it.
        var turn: Turn
    }

    private(set) var output = Queue<Entry>()
    /// The last state that is held; nil if none is.
    private(set) var newest: State?
    /// The number of streams that are held.
    private(set) var streams = 0
    /// The events that wait for these streams: those that follow from effects, which come first, and all others.
    private var followUps = Queue<(event: Event, turn: Turn)>()
    private var events = Queue<(event: Event, turn: Turn)>()
    /// Whether the loop has been asked to handle the first event that waits.
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

    /// Ends the waits for everything that is held, which stays so.
    mutating func endWaits(_ failure: SendError) {
        for place in 0..<output.count { output[place]?.turn.endWait(failure) }
    }

    /// Whether an event waits.
    var hasEvents: Bool { !followUps.isEmpty || !events.isEmpty }

    /// Whether an event waits that is to be handled before one with a certain turn.
    func hasEvent(before turn: Turn) -> Bool { !followUps.isEmpty || !turn.isFollowUp && !events.isEmpty }

    /// Adds an event that is to wait.
    mutating func add(_ event: Event, _ turn: Turn) {
        if turn.isFollowUp { followUps.append((event, turn)) } else { events.append((event, turn)) }
    }

    /// Removes and returns the first event that waits.
    mutating func popEvent() -> (event: Event, turn: Turn)? { followUps.popFirst() ?? events.popFirst() }
}
