/// A type of time span that can be made of seconds and their fractions. Only the last has no default.
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

extension SchedulerTimeIntervalConvertible {
    /// A span of so many nanoseconds, or of as many as can be counted.
    public static func seconds(_ s: Int) -> Self { nanoseconds(s.times(1_000_000_000)) }

    /// A span of so many nanoseconds, rounded, or of as many as can be counted.
    public static func seconds(_ s: Double) -> Self {
        nanoseconds(Int(saturating: (s * 1_000_000_000).rounded()))
    }

    /// A span of so many nanoseconds, or of as many as can be counted.
    public static func milliseconds(_ ms: Int) -> Self { nanoseconds(ms.times(1_000_000)) }

    /// A span of so many nanoseconds, or of as many as can be counted.
    public static func microseconds(_ us: Int) -> Self { nanoseconds(us.times(1000)) }
}

/// Something that runs closures: now, later, or again and again. Nothing else in this module brings in threads or time.
///
/// **Unusual spans.** The schedulers of this module treat all spans alike, and others should, too. What is scheduled for the past
/// is due now. What repeats after nothing, or after less than nothing, does so after the shortest span that the scheduler can tell
/// from none: a nanosecond. A point in time that is too far off to be counted (292 years) is never: what is scheduled for it does
/// not run. Spans that are added or multiplied stop at the ends of what can be counted; nothing traps. (The time of
/// ``ImmediateScheduler`` stands still: there, everything runs at once, and once.)
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
    @preconcurrency func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

    /// Runs a closure at a point in time.
    @preconcurrency func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void)

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    @preconcurrency func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable

    /// Runs a closure once, at a point in time or, without one, as soon as possible. Operators schedule by this.
    ///
    /// Leave it to its default, which calls the methods above, unless a closure that waits can be taken back.
    /// - Returns: What takes it back, also when it is released; nil if nothing can.
    @preconcurrency func schedule(
        once date: SchedulerTimeType?, tolerance: SchedulerTimeType.Stride?, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable?
}

extension Scheduler {
    /// Runs a closure as soon as possible.
    @preconcurrency @inlinable public func schedule(_ action: @escaping @Sendable () -> Void) { schedule(options: nil, action) }

    /// Runs a closure at a point in time.
    @preconcurrency @inlinable public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride? = nil, _ action: @escaping @Sendable () -> Void
    ) { schedule(after: date, tolerance: tolerance ?? minimumTolerance, options: nil, action) }

    /// Runs a closure at a point in time, or once an interval has passed, and then again after each, until cancelled.
    @preconcurrency @inlinable public func schedule(
        after date: SchedulerTimeType? = nil, interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride? = nil, options: SchedulerOptions? = nil,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let date = date ?? now.advanced(by: interval)
        return schedule(
            after: date, interval: interval, tolerance: tolerance ?? minimumTolerance, options: options, action)
    }

    /// Runs a closure once, and cannot take it back.
    @preconcurrency @inlinable public func schedule(
        once date: SchedulerTimeType?, tolerance: SchedulerTimeType.Stride?, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? {
        if let date {
            schedule(after: date, tolerance: tolerance ?? minimumTolerance, options: options, action)
        } else {
            schedule(options: options, action)
        }
        return nil
    }
}
