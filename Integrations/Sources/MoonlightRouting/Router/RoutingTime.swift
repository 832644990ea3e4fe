import Streams

/// The clock of a router.
struct RoutingTime: Sendable {
    /// Returns the current time in nanoseconds.
    let now: @Sendable () -> Int64
    /// Calls a closure after some nanoseconds.
    let after: @Sendable (Int64, @escaping @Sendable () -> Void) -> Void

    init<S: Scheduler & Sendable>(_ scheduler: S) where S.SchedulerTimeType == TimePoint {
        now = { Int64(scheduler.now.offset.nanoseconds) }
        after = { time, call in
            let now = scheduler.now
            scheduler.schedule(after: now.advanced(by: .nanoseconds(Int(max(time, 0)))), call)
        }
    }

    /// Returns the time after a span, in nanoseconds, at most the largest representable one.
    func now(after span: TimeStride) -> Int64 { Int64((TimeStride(nanoseconds: Int(now())) + span).nanoseconds) }

    /// Returns after some nanoseconds.
    func pause(_ time: Int64) async {
        await withCheckedContinuation { waiter in after(time) { waiter.resume() } }
    }
}
