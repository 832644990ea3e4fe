/// What a store has done so far, and what it is doing: plain values for whoever publishes them.
///
/// Kept of stores that have a ``LoopOptions/name-swift.property``; ask a ``Store/counters``, or the ``StoreRegistry`` for those of all.
public struct StoreCounters: Sendable, Hashable {
    /// The store's name.
    public let name: String
    /// How many events it has handled, those included that `transform` has refused.
    public let events: Int
    /// How many events were refused: see ``Store/refusals``.
    public let refusals: Int
    /// How many events wait to be handled.
    public let waiting: Int
    /// How many streams of effects are live.
    public let liveEffects: Int
    /// The longest that it took to handle an event or a later effect: `transform`, `apply`, observers and journal.
    public let longestTurn: Duration
    /// The longest that an event had to wait until its turn came.
    public let longestWait: Duration
}
