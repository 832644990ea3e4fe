import Streams

extension VirtualTimeScheduler {
    /// The waiting closures, in the order in which they run.
    package var agenda: [Waiting] { waiting.sorted { ($0.time, $0.turn) < ($1.time, $1.turn) } }
}
