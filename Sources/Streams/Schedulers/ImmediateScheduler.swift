/// A scheduler that runs every closure at once, on the caller's thread, and whose time does not advance. It removes delays from a
/// test.
///
/// A repeating closure runs only once, as it cannot run "at once" without end.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only point in time of this scheduler.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// A span of time in nanoseconds.
        public typealias Stride = TimeStride

        /// Returns zero, as there is only one point.
        public func distance(to other: Self) -> TimeStride { 0 }

        /// Returns the same point.
        public func advanced(by n: TimeStride) -> Self { self }
    }

    /// `Never`, as there are no options.
    public typealias SchedulerOptions = Never
    /// The shared instance.
    public static let shared = ImmediateScheduler()

    /// The only point in time.
    public var now: SchedulerTimeType { SchedulerTimeType() }

    /// Zero, as no closure is ever late.
    public var minimumTolerance: TimeStride { 0 }

    /// Runs a closure at once.
    @preconcurrency public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

    /// Runs a closure at once, for any point in time.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) { action() }

    /// Runs a closure at once, and only once.
    ///
    /// - Returns: A cancellable that does nothing.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride,
        options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}
