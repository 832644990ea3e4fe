/// A type-erased scheduler, for code that uses one scheduler in a program and another in its tests.
///
/// ```swift
/// struct SearchEnvironment {
///     var scheduler: AnyScheduler<TimePoint, Never>
/// }
/// SearchEnvironment(scheduler: ClockScheduler(ContinuousClock()).eraseToAnyScheduler())  // in the program
/// SearchEnvironment(scheduler: VirtualTimeScheduler().eraseToAnyScheduler())             // in a test
/// ```
public struct AnyScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, @unchecked Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    // Sound: a scheduler can be used from any thread, and the closures capture nothing else.

    /// A span of this scheduler's time.
    public typealias Stride = SchedulerTimeType.Stride

    private typealias Action = @Sendable () -> Void

    private let getNow: () -> SchedulerTimeType
    private let getTolerance: () -> Stride
    private let soon: (SchedulerOptions?, @escaping Action) -> Void
    private let later: (SchedulerTimeType, Stride, SchedulerOptions?, @escaping Action) -> Void
    private let again: (SchedulerTimeType, Stride, Stride, SchedulerOptions?, @escaping Action) -> any Cancellable
    private let once: (SchedulerTimeType?, Stride?, SchedulerOptions?, @escaping Action) -> AnyCancellable?

    /// Creates a type-erasing scheduler.
    ///
    /// - Parameter base: The scheduler that does the work.
    public init<S: Scheduler>(_ base: S) where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
        getNow = { base.now }
        getTolerance = { base.minimumTolerance }
        soon = { base.schedule(options: $0, $1) }
        later = { base.schedule(after: $0, tolerance: $1, options: $2, $3) }
        again = { base.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
        once = { base.schedule(once: $0, tolerance: $1, options: $2, $3) }
    }

    /// The current time.
    public var now: SchedulerTimeType { getNow() }

    /// The minimum tolerance of the underlying scheduler.
    public var minimumTolerance: Stride { getTolerance() }

    /// Runs a closure as soon as possible.
    ///
    /// - Parameters:
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    @preconcurrency public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        soon(options, action)
    }

    /// Runs a closure at a point in time.
    ///
    /// - Parameters:
    ///   - date: The time of the run.
    ///   - tolerance: The longest time by which the closure may be late.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: Stride, options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) { later(date, tolerance, options, action) }

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    ///
    /// - Parameters:
    ///   - date: The time of the first run.
    ///   - interval: The time between two runs.
    ///   - tolerance: The longest time by which the closure may be late.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    /// - Returns: A cancellable that stops the repetition.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: Stride, tolerance: Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { again(date, interval, tolerance, options, action) }

    /// Runs a closure once, at a point in time or as soon as possible.
    ///
    /// - Parameters:
    ///   - date: The time of the run; nil for as soon as possible.
    ///   - tolerance: The longest time by which the closure may be late; nil for the minimum tolerance.
    ///   - options: Options of the underlying scheduler.
    ///   - action: The closure to run.
    /// - Returns: A cancellable that withdraws the closure if it has not run yet, also when it is released; nil if the underlying
    ///   scheduler cannot withdraw closures.
    @preconcurrency public func schedule(
        once date: SchedulerTimeType?, tolerance: Stride?, options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? { once(date, tolerance, options, action) }
}

extension Scheduler {
    /// Wraps this scheduler in a type-erasing ``AnyScheduler``.
    public func eraseToAnyScheduler() -> AnyScheduler<SchedulerTimeType, SchedulerOptions> { AnyScheduler(self) }
}
