/// A loop, as its store sees it: independent of the types of events, effects and environment.
@usableFromInline
protocol AnyLoop: AnyObject, Sendable {
    /// Checks in the loop's turn whether anything is in flight.
    func look()

    /// Cancels the loop. Nothing of it runs after this, except for a call that another thread has begun.
    func cancel()

    /// Handles the mail that the previous owner of the mailbox has handed over.
    func inherit()

    /// Refuses events from outside from now on, and ends the loop when nothing is in flight.
    func drain()

    /// True while this thread handles an item of the loop.
    var isHandledHere: Bool { get }

    /// True if no item is being handled, and none waits; false from inside a running loop.
    var isIdle: Bool { get }

    /// True if nothing is in flight, and ``isIdle``.
    var isQuiet: Bool { get }

    /// The streams of effects that are live, each with its description. Safe from any thread.
    var liveStreams: [(stream: EffectOrigin, work: LiveWork)] { get }

    /// Waits for room in the inbox; nil if the inbox does not suspend senders.
    var waitForRoom: (() async -> Bool)? { get }

    /// Notes that an effect awaits an event of this loop, until ``LoopContext/endAwaiting()``. The effect no longer counts,
    /// so another event may now be handled.
    func beginAwaiting()

    // MARK: The journal

    /// Writes a note into the journal. Returns the number of the record, if it could be written at once.
    func take(_ note: Note, cause: Int?) -> Int?

    /// Replaces the cause of what the loop does from here on. Returns the one before.
    func replaceCause(_ number: Int?) -> Int?

    /// The number of the record that causes what the calling thread does now.
    var causeHere: Int? { get }

    /// The hook of the loop, if it has one.
    var hookOfLoop: AnyObject? { get }
}
