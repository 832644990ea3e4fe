import Moonlight
import Streams

/// A scheduler whose timers are recorded; see `Recording.scheduler(_:)`.
struct RecordedScheduler<Base: Scheduler & Sendable>: Scheduler, Sendable where Base.SchedulerTimeType == TimePoint {
    /// The time of the scheduler.
    typealias SchedulerTimeType = TimePoint
    /// The options of the scheduler.
    typealias SchedulerOptions = Base.SchedulerOptions

    private let base: Base
    /// Records that a timer is set.
    private let set: @Sendable (Duration) -> RecordedTimer
    /// Returns the cause of the calls that the current thread makes.
    private let cause: @Sendable () -> Int?
    private let times = ReadTimes<SchedulerTimeType>()

    init(_ base: Base, cause: @escaping @Sendable () -> Int?, set: @escaping @Sendable (Duration) -> RecordedTimer) {
        self.base = base
        self.cause = cause
        self.set = set
    }

    /// The current time.
    var now: SchedulerTimeType { times.keeping(base.now) }
    /// The minimum tolerance of the underlying scheduler.
    var minimumTolerance: TimeStride { base.minimumTolerance }

    /// Runs a closure as soon as possible.
    ///
    /// - Parameters:
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    @preconcurrency func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        base.schedule(options: options, carrying(action))
    }

    /// Returns a closure that runs another one with the cause of the current work of this thread.
    private func carrying(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let cause = cause()
        return { RecordedTimer.$cause.withValue(cause, operation: action) }
    }

    /// Runs a closure at a point in time.
    ///
    /// - Parameters:
    ///   - date: The time at which to run the closure.
    ///   - tolerance: The delay that is allowed.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    @preconcurrency func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        let timer = set(span(until: date))
        base.schedule(after: date, tolerance: tolerance, options: options) { timer.isDue(action) }
    }

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    ///
    /// - Parameters:
    ///   - date: The time at which to run the closure for the first time.
    ///   - interval: The time between two runs.
    ///   - tolerance: The delay that is allowed.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    /// - Returns: A cancellable that stops the repetition.
    @preconcurrency func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let timer = set(span(until: date))
        let next = interval.duration
        let repetition = base.schedule(after: date, interval: interval, tolerance: tolerance, options: options) {
            timer.isDue(next: next, action)
        }
        let token = AnyCancellable(repetition)
        return AnyCancellable {
            timer.withdraw()
            token.cancel()
        }
    }

    /// Runs a closure once, at a point in time or as soon as possible.
    ///
    /// - Parameters:
    ///   - date: The time at which to run the closure; nil for as soon as possible.
    ///   - tolerance: The delay that is allowed; nil for the minimum tolerance.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    /// - Returns: A cancellable that withdraws the closure if it has not run yet, also when it is released; nil if the underlying
    ///   scheduler cannot withdraw closures.
    @preconcurrency func schedule(
        once date: SchedulerTimeType?, tolerance: TimeStride?, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? {
        guard let date else { return base.schedule(once: nil, tolerance: tolerance, options: options, carrying(action)) }
        let timer = set(span(until: date))
        let token = base.schedule(once: date, tolerance: tolerance, options: options) { timer.isDue(action) }
        guard let token else { return nil }
        return AnyCancellable {
            timer.withdraw()
            token.cancel()
        }
    }

    private func span(until date: SchedulerTimeType) -> Duration { (times.last ?? base.now).distance(to: date).duration }
}

/// A clock whose sleeps are recorded; see `Recording.clock(_:)`.
struct RecordedClock<Base: Clock>: Clock where Base.Duration == Duration {
    /// A point in the clock's time.
    typealias Instant = Base.Instant

    private let base: Base
    private let set: @Sendable (Duration) -> RecordedTimer
    private let times = ReadTimes<Instant>()

    init(_ base: Base, set: @escaping @Sendable (Duration) -> RecordedTimer) {
        self.base = base
        self.set = set
    }

    /// The current time.
    var now: Instant { times.keeping(base.now) }
    /// The resolution of the underlying clock.
    var minimumResolution: Duration { base.minimumResolution }

    /// Suspends the task until a point in time.
    ///
    /// - Parameters:
    ///   - deadline: The point in time.
    ///   - tolerance: The delay that is allowed.
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let timer = set((times.last ?? base.now).duration(to: deadline))
        do { try await base.wait(until: deadline, tolerance: tolerance) } catch {
            timer.withdraw()
            throw error
        }
        timer.isDue()
    }
}
