import Synchronization

/// A scheduler over a clock: closures run in tasks, one at a time, in the order of their times; those of one time in the order
/// in which they were scheduled.
///
/// ```swift
/// letters.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))
/// ```
public final class ClockScheduler<C: Clock>: Scheduler, @unchecked Sendable where C.Duration == Duration {
    // Sound: all state is behind `guarded`; closures run outside the lock.

    /// A point in the clock's time.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// A span in nanoseconds.
        public typealias Stride = TimeStride
        /// The point as the clock knows it.
        public var instant: C.Instant
        /// A point in time.
        public init(_ instant: C.Instant) { self.instant = instant }
        /// The span to another point.
        public func distance(to other: Self) -> TimeStride { TimeStride(instant.duration(to: other.instant)) }
        /// The point after a span.
        public func advanced(by n: TimeStride) -> Self { Self(instant.advanced(by: n.duration)) }
    }

    /// There is nothing to choose.
    public typealias SchedulerOptions = Never
    /// Whose time it is.
    public let clock: C
    /// What is to be done, up to when it is due, and whether somebody is doing it.
    private let guarded: Lock<(agenda: Agenda<SchedulerTimeType>, due: SchedulerTimeType, isRunning: Bool)>

    /// A scheduler over a clock.
    public init(_ clock: C) {
        self.clock = clock
        guarded = Lock((Agenda(), SchedulerTimeType(clock.now), false))
    }

    /// The present.
    public var now: SchedulerTimeType { SchedulerTimeType(clock.now) }
    /// The clock's resolution.
    public var minimumTolerance: TimeStride { TimeStride(clock.minimumResolution) }

    /// Runs a closure as soon as possible.
    @preconcurrency public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
        add(nil, nil, action)
    }

    /// Runs a closure at a point in time.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) { add(date, tolerance, action) }

    /// Runs a closure at a point in time and then again after each interval, which is more than zero, until cancelled.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { AnyCancellable(add(date, every: interval, tolerance, action)) }

    /// Runs a closure once, at a point in time or as soon as possible, unless it is taken back before.
    @preconcurrency public func schedule(
        once date: SchedulerTimeType?, tolerance: TimeStride?, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { AnyCancellable(add(date, tolerance, action)) }

    /// Has a task wait for each entry; whichever wakes runs all that is due. Returns what takes the closure back.
    @discardableResult
    private func add(
        _ date: SchedulerTimeType?, every interval: TimeStride? = nil, _ tolerance: TimeStride?,
        _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let first = date ?? now
        let entry = guarded.withLock { $0.agenda.add(at: first, every: interval, action) }
        // Detached, so as not to inherit what is bound to the task of whoever schedules.
        let task = Task.detached { [self] in
            var next: SchedulerTimeType? = first
            while let date = next {
                if date > now { try await clock.sleep(until: date.instant, tolerance: tolerance?.duration) }
                runDue(date)
                next = interval.map(date.advanced)
            }
        }
        return { [weak self] in
            task.cancel()
            withExtendedLifetime(self?.guarded.withLock { $0.agenda.remove(entry) }) {}
        }
    }

    private func runDue(_ date: SchedulerTimeType) {
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
