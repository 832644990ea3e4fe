import Moonlight
import Streams

/// The clocks of a fleet.
struct FleetTime: Sendable {
    /// The time of the scheduler, in nanoseconds.
    let now: @Sendable () -> Int64
    /// Calls a closure after some nanoseconds.
    let after: @Sendable (Int64, @escaping @Sendable () -> Void) -> Void
    /// The wall clock, in nanoseconds since 1970.
    let wall: @Sendable () -> Int64

    init<S: Scheduler & Sendable>(_ scheduler: S, _ wall: @escaping @Sendable () -> WallTime)
    where S.SchedulerTimeType == TimePoint {
        now = { Int64(scheduler.now.offset.nanoseconds) }
        after = { time, call in
            let now = scheduler.now
            scheduler.schedule(after: now.advanced(by: .nanoseconds(Int(max(time, 0)))), call)
        }
        self.wall = { wall().sinceEpoch.nanoseconds }
    }
}
