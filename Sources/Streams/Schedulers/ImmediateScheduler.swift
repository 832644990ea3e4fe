/// A scheduler that runs every closure at once, on the caller's thread, and whose time does not advance. It removes delays from a
/// test.
///
/// A repeating closure runs only once, as it cannot run "at once" without end.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only point in time of this scheduler.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// Returns zero, as there is only one point.
        public func distance(to other: Self) -> Stride { 0 }

        /// Returns the same point.
        public func advanced(by n: Stride) -> Self { self }

        /// A count without a unit: every span of time, however long, is zero. Sums and products are clamped to the range of
        /// `Int`.
        public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, ExpressibleByFloatLiteral, Comparable,
            Hashable, Codable, Sendable
        {
            /// The count, with its sign.
            public var magnitude: Int

            /// Creates a count.
            public init(_ value: Int) { magnitude = value }

            /// Creates a count from an integer literal.
            public init(integerLiteral value: Int) { magnitude = value }

            /// Creates a count from the whole part of a literal.
            public init(floatLiteral value: Double) { magnitude = Int(saturating: value) }

            /// Creates a count; nil if the number is outside the range of `Int`.
            public init?<T: BinaryInteger>(exactly source: T) {
                guard let value = Int(exactly: source) else { return nil }
                magnitude = value
            }

            /// Returns zero.
            public static func nanoseconds(_ ns: Int) -> Self { 0 }

            /// Returns whether one count is less than another.
            public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

            /// Returns the sum of two counts.
            public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude.plus(rhs.magnitude)) }

            /// Returns the difference of two counts.
            public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude.minus(rhs.magnitude)) }

            /// Returns the product of two counts.
            public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude.times(rhs.magnitude)) }

            /// Multiplies by a count.
            public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
        }
    }

    /// `Never`, as there are no options.
    public typealias SchedulerOptions = Never
    /// The shared instance.
    public static let shared = ImmediateScheduler()

    /// The only point in time.
    public var now: SchedulerTimeType { SchedulerTimeType() }

    /// Zero, as no closure is ever late.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs a closure at once.
    @preconcurrency public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

    /// Runs a closure at once, for any point in time.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) { action() }

    /// Runs a closure at once, and only once.
    ///
    /// - Returns: A cancellable that does nothing.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}
