/// A scheduler that runs everything at once, on the caller's thread, and whose time stands still.
///
/// A closure scheduled for later runs at once, too: it takes delays out of a test. A repeating one cannot run "at once"
/// without end; it runs once.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only point in time of this scheduler.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// A span, measured in nothing: every point is the same.
        public typealias Stride = TimeStride

        /// The distance to the same point: zero.
        public func distance(to other: Self) -> TimeStride { 0 }

        /// The same point.
        public func advanced(by n: TimeStride) -> Self { self }
    }

    /// There is nothing to choose.
    public typealias SchedulerOptions = Never

    /// The scheduler.
    public static let shared = ImmediateScheduler()

    /// The present.
    public var now: SchedulerTimeType { SchedulerTimeType() }
    /// Zero: nothing is late here.
    public var minimumTolerance: TimeStride { 0 }

    /// Runs a closure as soon as possible.
    @preconcurrency
    public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

    /// Runs a closure at once, whatever the time.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) { action() }

    /// Runs a closure at once, and once only.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}
