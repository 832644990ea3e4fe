/// A type of time span that can be made of seconds and their fractions.
public protocol SchedulerTimeIntervalConvertible {
    /// A span of whole seconds.
    static func seconds(_ s: Int) -> Self
    /// A span of seconds.
    static func seconds(_ s: Double) -> Self
    /// A span of milliseconds.
    static func milliseconds(_ ms: Int) -> Self
    /// A span of microseconds.
    static func microseconds(_ us: Int) -> Self
    /// A span of nanoseconds.
    static func nanoseconds(_ ns: Int) -> Self
}

/// Something that runs closures: now, later, or again and again.
///
/// Schedulers are the only things in this module that bring in threads or time.
public protocol Scheduler<SchedulerTimeType> {
    /// A point in this scheduler's time.
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

    /// What a closure may be scheduled with, beyond its time.
    associatedtype SchedulerOptions

    /// The present.
    var now: SchedulerTimeType { get }

    /// The finest tolerance this scheduler knows.
    var minimumTolerance: SchedulerTimeType.Stride { get }

    /// Runs a closure as soon as possible.
    @preconcurrency
    func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

    /// Runs a closure at a point in time.
    @preconcurrency
    func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void)

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    @preconcurrency
    func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable
}

extension Scheduler {
    /// Runs a closure as soon as possible.
    @preconcurrency
    public func schedule(_ action: @escaping @Sendable () -> Void) {
        schedule(options: nil, action)
    }

    /// Runs a closure at a point in time.
    @preconcurrency
    public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }

    /// Runs a closure at a point in time.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        _ action: @escaping @Sendable () -> Void
    ) {
        schedule(after: date, tolerance: tolerance, options: nil, action)
    }

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
    }
}
