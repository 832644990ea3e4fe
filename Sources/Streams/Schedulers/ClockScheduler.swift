/// A scheduler over a Swift `Clock`: `letters.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))`.
///
/// Closures run in tasks of their own, one at a time, in the order of their times. Closures of the same time run in the order in which they
/// were scheduled.
///
/// A repeating closure catches up on the runs that it has missed. The shortest interval is a nanosecond: a closure with an
/// interval of zero or less is due once for each nanosecond of the clock's time. A closure that is scheduled for more than 292
/// years ahead never runs, and is not stored.
public final class ClockScheduler<C: Clock>: TimedScheduler, @unchecked Sendable where C.Duration == Duration {
    // Sound: `guarded` protects all state; closures run outside the lock.
    /// The clock that measures the time.
    public let clock: C
    /// The instant when this scheduler's time begins.
    public let start: C.Instant
    /// The scheduled closures, the time up to which they are due, and whether a task is running them.
    private let guarded = Lock((timers: TimerHeap(), due: TimePoint(offset: 0), isRunning: false))

    /// Creates a scheduler over a clock. Its time begins now.
    public init(_ clock: C) {
        self.clock = clock
        start = clock.now
    }

    /// The current time.
    public var now: TimePoint { TimePoint(offset: TimeStride(start.duration(to: clock.now))) }

    /// The clock's resolution.
    public var minimumTolerance: TimeStride { TimeStride(clock.minimumResolution) }

    /// Schedules a closure. A task waits for each entry. Another one runs the closures that are due: the first is cancelled once its entry
    /// is, even by the closure itself.
    ///
    /// - Returns: A closure that cancels the scheduled one.
    func add(
        _ date: TimePoint?, every interval: TimeStride?, _ tolerance: TimeStride?, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // A time in the past is due now.
        let present = now
        let first = max(date ?? present, present)
        guard let entry = guarded.withLock({ $0.timers.add(at: first, every: interval, action) }) else { return {} }
        let tolerance = tolerance.map { max($0, 0).duration }
        // Detached, so that the task does not inherit the caller's task-local values and priority.
        let task = Task.detached { [self] in
            var next: TimePoint? = first
            while let date = next {
                let instant = start.advanced(by: date.offset.duration)
                if instant > clock.now { try await clock.wait(until: instant, tolerance: tolerance) }
                runDue(date)
                next = entry.turn(after: date)
                // A task that permanently lags behind its clock never sleeps: let others run, and end if this one is cancelled.
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

    /// Begins a task that runs all closures that are due by a point in time, unless one is running: then that task runs them.
    private func runDue(_ date: TimePoint) {
        let isRunning = guarded.withLock { state in
            state.due = max(state.due, date)
            defer { state.isRunning = true }
            return state.isRunning
        }
        if !isRunning { Task.detached { [self] in while let action = takeDue() { action() } } }
    }

    private func takeDue() -> (@Sendable () -> Void)? {
        guarded.withLock { state in
            let next = state.timers.takeNext(notAfter: state.due)
            state.isRunning = next != nil
            return next?.action
        }
    }
}
