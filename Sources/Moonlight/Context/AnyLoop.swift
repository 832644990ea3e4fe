/// A loop, as its store sees it: independent of the types of events, effects and environment.
@usableFromInline
protocol AnyLoop: QuietLoop {
    /// Cancels the loop. Nothing of it runs after this, except for a call that another thread has begun.
    func cancel()

    /// Refuses events from outside from now on, and ends the loop when nothing is in flight.
    func drain()

    /// Whether this thread is handling an item of the loop.
    var isHandledHere: Bool { get }

    /// Whether no item is being handled, and none waits. False from inside a running loop.
    var isIdle: Bool { get }

    /// Whether nothing is in flight, and ``isIdle``.
    var isQuiet: Bool { get }

    /// The streams of effects that are live, each with its description. Safe from any thread.
    var liveStreams: [(stream: EffectOrigin, info: LiveWork)] { get }

    /// Waits for room in the inbox; nil if the inbox does not suspend senders.
    var waitForRoom: (() async -> Bool)? { get }

    /// Notes that an effect awaits an event of this loop, until ``LoopContext/endAwaiting()``. The effect no longer counts,
    /// so another event may now be handled.
    func beginAwaiting()

    /// The hook of the loop, if it has one.
    var hookOfLoop: AnyObject? { get }
}
