/// The counters of a store: what it has done so far, and what it is doing. Plain values, for export to a monitoring system.
///
/// Only stores with a ``LoopOptions/name-swift.property`` have counters. Read ``Store/counters`` of one store, or get those of
/// all from the ``StoreRegistry``.
public struct StoreCounters: Sendable, Hashable {
    /// The store's name.
    public let name: String
    /// The number of events that were handled, including those that `transform` rejected.
    public let events: Int
    /// The number of events that were refused: see ``Store/refusals``.
    public let refusals: Int
    /// The number of events that wait to be handled.
    public let waiting: Int
    /// The number of live streams of effects.
    public let liveEffects: Int
    /// The longest time that it took to handle an event or a later effect, including `transform`, `apply`, observers and journal.
    public let longestTurn: Duration
    /// The longest time that an event waited before it was handled.
    public let longestWait: Duration
}
