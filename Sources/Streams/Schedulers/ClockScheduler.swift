/// A scheduler over a clock: closures run in tasks, one at a time, in the order of their times; those of one time in the order
/// in which they were scheduled: `letters.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))`.
///
/// A closure that repeats catches up on the turns that it has missed. The shortest interval is a nanosecond: what repeats after
/// nothing, or less, is run as often as the clock's time goes on. What is scheduled for later than 292 years never runs, and is not kept.
public final class ClockScheduler<C: Clock>: TimedScheduler, @unchecked Sendable where C.Duration == Duration {
    // Sound: all state is behind `guarded`; closures run outside the lock.
    /// Whose time it is; when this scheduler's time began.
    public let clock: C, start: C.Instant
    /// What is to be done, up to when it is due, and whether somebody is doing it.
    private let guarded = Lock((timers: TimerHeap(), due: TimePoint(offset: 0), isRunning: false))

    /// A scheduler over a clock, whose time begins now.
    public init(_ clock: C) { (self.clock, start) = (clock, clock.now) }

    /// The present.
    public var now: TimePoint { TimePoint(offset: TimeStride(start.duration(to: clock.now))) }

    /// The clock's resolution.
    public var minimumTolerance: TimeStride { TimeStride(clock.minimumResolution) }

    /// Has a task wait for each entry; whichever wakes runs all that is due. Returns what takes the closure back.
    func add(
        _ date: TimePoint?, every interval: TimeStride?, _ tolerance: TimeStride?, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // What is scheduled for the past is due now.
        let present = now
        let first = max(date ?? present, present)
        guard let entry = guarded.withLock({ $0.timers.add(at: first, every: interval, action) }) else { return {} }
        let tolerance = tolerance.map { max($0, 0).duration }
        // Detached, so as not to inherit what is bound to the task of whoever schedules.
        let task = Task.detached { [self] in
            var next: TimePoint? = first
            while let date = next {
                let instant = start.advanced(by: date.offset.duration)
                if instant > clock.now { try await clock.wait(until: instant, tolerance: tolerance) }
                runDue(date)
                next = entry.turn(after: date)
                // One that lags behind its clock for ever never sleeps: it must not keep others waiting, nor outlive its end.
                if next != nil {
                    await Task.yield()
                    try Task.checkCancellation()
                }
            }
        }
        return { [weak self] in
            task.cancel()
            discard(self?.guarded.withLock { $0.timers.remove(entry) })
        }
    }

    private func runDue(_ date: TimePoint) {
        var isMine = guarded.withLock { state in
            state.due = max(state.due, date)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        while isMine {
            let action = guarded.withLock { state in
                let next = state.timers.takeNext(notAfter: state.due)
                state.isRunning = next != nil
                return next?.action
            }
            action?()
            isMine = action != nil
        }
    }
}
