import Streams

/// A scheduler whose type is hidden, for what is one scheduler in a program and another in its tests.
/// ```swift
/// struct SearchEnvironment {
///     var scheduler: AnyScheduler<TimePoint, Never>
/// }
/// SearchEnvironment(scheduler: ClockScheduler(ContinuousClock()).eraseToAnyScheduler())  // in the program
/// SearchEnvironment(scheduler: VirtualTimeScheduler().eraseToAnyScheduler())             // in a test
/// ```
public struct AnyScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, @unchecked Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    // Sound: a scheduler is made to be used from any thread, and it is all that the closures hold.

    /// A span of this scheduler's time.
    public typealias Stride = SchedulerTimeType.Stride
    private typealias Action = @Sendable () -> Void
    private let (getNow, getTolerance): (() -> SchedulerTimeType, () -> Stride)
    private let soon: (SchedulerOptions?, @escaping Action) -> Void
    private let later: (SchedulerTimeType, Stride, SchedulerOptions?, @escaping Action) -> Void
    private let again: (SchedulerTimeType, Stride, Stride, SchedulerOptions?, @escaping Action) -> any Cancellable
    private let once: (SchedulerTimeType?, Stride?, SchedulerOptions?, @escaping Action) -> AnyCancellable?
    /// Hides a scheduler's type.
    public init<S: Scheduler>(_ base: S) where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
        (getNow, getTolerance) = ({ base.now }, { base.minimumTolerance })
        soon = { base.schedule(options: $0, $1) }
        later = { base.schedule(after: $0, tolerance: $1, options: $2, $3) }
        again = { base.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
        once = { base.schedule(once: $0, tolerance: $1, options: $2, $3) }
    }
    /// The present.
    public var now: SchedulerTimeType { getNow() }
    /// The finest tolerance that the hidden scheduler knows.
    public var minimumTolerance: Stride { getTolerance() }
    /// Runs a closure as soon as possible.
    @preconcurrency public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        soon(options, action)
    }
    /// Runs a closure at a point in time.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: Stride, options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) { later(date, tolerance, options, action) }
    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: Stride, tolerance: Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { again(date, interval, tolerance, options, action) }
    /// Runs a closure once, at a point in time or as soon as possible; what is returned takes it back, if that can be done.
    @preconcurrency public func schedule(
        once date: SchedulerTimeType?, tolerance: Stride?, options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? { once(date, tolerance, options, action) }
}

extension Scheduler {
    /// Hides the type of this scheduler.
    public func eraseToAnyScheduler() -> AnyScheduler<SchedulerTimeType, SchedulerOptions> { AnyScheduler(self) }
}
