/// A scheduler over a clock: closures run in tasks, one at a time, in the order of their times; those of one time in the order
/// in which they were scheduled: `letters.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))`.
public final class ClockScheduler<C: Clock>: AgendaScheduler, @unchecked Sendable where C.Duration == Duration {
    // Sound: all state is behind `guarded`; closures run outside the lock.
    /// Whose time it is; when this scheduler's time began.
    public let clock: C, start: C.Instant
    /// What is to be done, up to when it is due, and whether somebody is doing it.
    private let guarded = Lock((agenda: Agenda(), due: TimePoint(offset: 0), isRunning: false))
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
        let first = date ?? now
        let entry = guarded.withLock { $0.agenda.add(at: first, every: interval, action) }
        // Detached, so as not to inherit what is bound to the task of whoever schedules.
        let task = Task.detached { [self] in
            var next: TimePoint? = first
            while let date = next {
                let instant = start.advanced(by: date.offset.duration)
                if instant > clock.now { try await clock.sleep(until: instant, tolerance: tolerance?.duration) }
                runDue(date)
                next = interval.map(date.advanced)
            }
        }
        return { [weak self] in
            task.cancel()
            withExtendedLifetime(self?.guarded.withLock { $0.agenda.remove(entry) }) {}
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
                let next = state.agenda.takeNext(notAfter: state.due)
                state.isRunning = next != nil
                return next?.action
            }
            action?()
            isMine = action != nil
        }
    }
}
