import Moonlight
import Streams

/// A scheduler whose timers are recorded; see `Recording.scheduler(_:)`.
public struct RecordedScheduler<Base: Scheduler & Sendable>: Scheduler, Sendable where Base.SchedulerTimeType == TimePoint {
    /// The time of the scheduler.
    public typealias SchedulerTimeType = TimePoint
    /// The options of the scheduler.
    public typealias SchedulerOptions = Base.SchedulerOptions

    private let base: Base
    /// Notes that a timer is set; what it returns notes that the timer is due, and when it will be due again.
    private let set: @Sendable (Duration) -> @Sendable (Duration?) -> Void

    init(_ base: Base, set: @escaping @Sendable (Duration) -> @Sendable (Duration?) -> Void) {
        self.base = base
        self.set = set
    }

    /// The current time.
    public var now: SchedulerTimeType { base.now }
    /// The minimum tolerance of the underlying scheduler.
    public var minimumTolerance: TimeStride { base.minimumTolerance }

    /// Runs a closure as soon as possible.
    ///
    /// - Parameters:
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    @preconcurrency public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        base.schedule(options: options, action)
    }

    /// Runs a closure at a point in time.
    ///
    /// - Parameters:
    ///   - date: When to run the closure.
    ///   - tolerance: How much later the closure may run.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        let isDue = set(span(until: date))
        base.schedule(after: date, tolerance: tolerance, options: options) {
            isDue(nil)
            action()
        }
    }

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    ///
    /// - Parameters:
    ///   - date: When to run the closure for the first time.
    ///   - interval: The time between two runs.
    ///   - tolerance: How much later the closure may run.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    /// - Returns: A cancellable that stops the repetition.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let isDue = set(span(until: date))
        let next = interval.duration
        return base.schedule(after: date, interval: interval, tolerance: tolerance, options: options) {
            isDue(next)
            action()
        }
    }

    /// Runs a closure once, at a point in time or as soon as possible.
    ///
    /// - Parameters:
    ///   - date: When to run the closure; nil for as soon as possible.
    ///   - tolerance: How much later the closure may run; nil for the minimum tolerance.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    /// - Returns: A cancellable that withdraws the closure if it has not run yet, also when it is released; nil if the underlying
    ///   scheduler cannot withdraw closures.
    @preconcurrency public func schedule(
        once date: SchedulerTimeType?, tolerance: TimeStride?, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? {
        guard let date else { return base.schedule(once: nil, tolerance: tolerance, options: options, action) }
        let isDue = set(span(until: date))
        return base.schedule(once: date, tolerance: tolerance, options: options) {
            isDue(nil)
            action()
        }
    }

    private func span(until date: SchedulerTimeType) -> Duration { base.now.distance(to: date).duration }
}

/// A clock whose sleeps are recorded; see `Recording.clock(_:)`.
public struct RecordedClock<Base: Clock>: Clock where Base.Duration == Duration {
    /// A point in the clock's time.
    public typealias Instant = Base.Instant

    private let base: Base
    private let set: @Sendable (Duration) -> @Sendable () -> Void

    init(_ base: Base, set: @escaping @Sendable (Duration) -> @Sendable () -> Void) {
        self.base = base
        self.set = set
    }

    /// The current time.
    public var now: Instant { base.now }
    /// The shortest span that the underlying clock can tell.
    public var minimumResolution: Duration { base.minimumResolution }

    /// Suspends the task until a point in time.
    ///
    /// - Parameters:
    ///   - deadline: The point in time.
    ///   - tolerance: How much later the task may go on.
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let isDue = set(base.now.duration(to: deadline))
        try await base.sleep(until: deadline, tolerance: tolerance)
        isDue()
    }
}
