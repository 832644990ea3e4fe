/// A span of time that can be created from seconds and fractions of a second. Only ``nanoseconds(_:)`` has no default.
public protocol SchedulerTimeIntervalConvertible {
    /// Returns a span of whole seconds.
    static func seconds(_ s: Int) -> Self

    /// Returns a span of seconds.
    static func seconds(_ s: Double) -> Self

    /// Returns a span of milliseconds.
    static func milliseconds(_ ms: Int) -> Self

    /// Returns a span of microseconds.
    static func microseconds(_ us: Int) -> Self

    /// Returns a span of nanoseconds.
    static func nanoseconds(_ ns: Int) -> Self
}

extension SchedulerTimeIntervalConvertible {
    /// Returns a span of whole seconds, clamped to what `Int` can count in nanoseconds.
    public static func seconds(_ s: Int) -> Self { nanoseconds(s.times(1_000_000_000)) }

    /// Returns a span of seconds, rounded to nanoseconds and clamped to what `Int` can count in them. NaN is zero.
    public static func seconds(_ s: Double) -> Self {
        nanoseconds(Int(saturating: (s * 1_000_000_000).rounded()))
    }

    /// Returns a span of milliseconds, clamped to what `Int` can count in nanoseconds.
    public static func milliseconds(_ ms: Int) -> Self { nanoseconds(ms.times(1_000_000)) }

    /// Returns a span of microseconds, clamped to what `Int` can count in nanoseconds.
    public static func microseconds(_ us: Int) -> Self { nanoseconds(us.times(1000)) }
}

/// A type that runs closures: as soon as possible, later, or repeatedly. All operators that deal with time use a scheduler.
///
/// **Unusual spans.** The schedulers of this module all treat unusual spans in the same way, and other schedulers should, too:
/// - A closure that is scheduled for the past is due now.
/// - A repeat interval of zero or less is the shortest span that the scheduler can distinguish from zero: a nanosecond.
/// - A point in time that is too far away to be represented (292 years) means never: a closure that is scheduled for it does not
///   run.
/// - Sums and products of spans are clamped to the range that can be represented. Nothing traps.
///
/// (The time of ``ImmediateScheduler`` stands still: it runs every closure at once, and only once.)
public protocol Scheduler<SchedulerTimeType> {
    /// A point in this scheduler's time.
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    /// The options of a scheduled closure.
    associatedtype SchedulerOptions

    /// The current time.
    var now: SchedulerTimeType { get }

    /// The smallest tolerance that this scheduler supports.
    var minimumTolerance: SchedulerTimeType.Stride { get }

    /// Runs a closure as soon as possible.
    ///
    /// - Parameters:
    ///   - options: The options; nil for the defaults.
    ///   - action: The closure.
    @preconcurrency func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

    /// Runs a closure at a point in time.
    ///
    /// - Parameters:
    ///   - date: The point in time.
    ///   - tolerance: The longest time by which the closure may be late.
    ///   - options: The options; nil for the defaults.
    ///   - action: The closure.
    @preconcurrency func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void)

    /// Runs a closure at a point in time and then again after each interval, until cancelled.
    ///
    /// - Parameters:
    ///   - date: The time of the first run.
    ///   - interval: The time from one run to the next.
    ///   - tolerance: The longest time by which the closure may be late.
    ///   - options: The options; nil for the defaults.
    ///   - action: The closure.
    /// - Returns: A cancellable that ends the repetition.
    @preconcurrency func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable

    /// Runs a closure once, at a point in time or, without one, as soon as possible. Operators use this method.
    ///
    /// The default calls the methods above. Implement this method if your scheduler can cancel a closure that is waiting.
    ///
    /// - Parameters:
    ///   - date: The point in time; nil for as soon as possible.
    ///   - tolerance: The longest time by which the closure may be late; nil for the smallest tolerance.
    ///   - options: The options; nil for the defaults.
    ///   - action: The closure.
    /// - Returns: A token that cancels the closure, also when it is released; nil if the closure cannot be cancelled.
    @preconcurrency func schedule(
        once date: SchedulerTimeType?, tolerance: SchedulerTimeType.Stride?, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable?
}

extension Scheduler {
    /// Runs a closure as soon as possible.
    @preconcurrency @inlinable public func schedule(_ action: @escaping @Sendable () -> Void) { schedule(options: nil, action) }

    /// Runs a closure at a point in time.
    ///
    /// - Parameters:
    ///   - date: The point in time.
    ///   - tolerance: The longest time by which the closure may be late; nil for the smallest tolerance.
    ///   - action: The closure.
    @preconcurrency @inlinable public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride? = nil, _ action: @escaping @Sendable () -> Void
    ) { schedule(after: date, tolerance: tolerance ?? minimumTolerance, options: nil, action) }

    /// Runs a closure repeatedly, until cancelled.
    ///
    /// - Parameters:
    ///   - date: The time of the first run; nil for one interval from now.
    ///   - interval: The time from one run to the next.
    ///   - tolerance: The longest time by which the closure may be late; nil for the smallest tolerance.
    ///   - options: The options; nil for the defaults.
    ///   - action: The closure.
    /// - Returns: A cancellable that ends the repetition.
    @preconcurrency @inlinable public func schedule(
        after date: SchedulerTimeType? = nil, interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride? = nil, options: SchedulerOptions? = nil,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let date = date ?? now.advanced(by: interval)
        return schedule(
            after: date, interval: interval, tolerance: tolerance ?? minimumTolerance, options: options, action)
    }

    /// Runs a closure once. Returns nil, as the closure cannot be cancelled.
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
