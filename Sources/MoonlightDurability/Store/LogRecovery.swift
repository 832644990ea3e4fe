/// What was found when a durable store was opened.
public struct LogRecovery: Sendable, Hashable {
    /// The last record that the snapshot includes with which the recovery began; nil if it began with the initial state.
    public internal(set) var snapshot: UInt64?
    /// The snapshots that were passed over because they are damaged, newest first.
    public internal(set) var damagedSnapshots: [UInt64] = []
    /// The snapshots that were passed over because they are of other versions, newest first, each with what is other.
    public internal(set) var doubtedSnapshots: [UInt64: String] = [:]
    /// The number of effects that were folded into the state.
    public internal(set) var effects = 0
    /// The last record.
    public internal(set) var last: UInt64 = 0
    /// The end that was cut off; nil if the log was whole.
    public internal(set) var tornEnd: TornEnd?
    /// The number of pieces of work that were interrupted.
    public internal(set) var interrupted = 0
}
