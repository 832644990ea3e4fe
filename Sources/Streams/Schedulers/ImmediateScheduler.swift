/// A scheduler that runs everything at once, on the caller's thread, and whose time stands still: it takes delays out of a test.
/// A closure that is to be repeated cannot run "at once" without end; it runs once.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only point in time of this scheduler.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// The distance to the same point: zero.
        public func distance(to other: Self) -> Stride { 0 }

        /// The same point.
        public func advanced(by n: Stride) -> Self { self }

        /// A count of nothing: a span of time, however long, is zero here. Sums and products that leave the range of `Int` stop
        /// at its ends.
        public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, ExpressibleByFloatLiteral, Comparable,
            Hashable, Codable, Sendable
        {
            /// The count, with its sign.
            public var magnitude: Int

            /// A count.
            public init(_ value: Int) { magnitude = value }

            /// A count, as a literal.
            public init(integerLiteral value: Int) { magnitude = value }

            /// A count, as a literal of which the whole part is taken.
            public init(floatLiteral value: Double) { magnitude = Int(saturating: value) }

            /// A count; nil if the number does not fit.
            public init?<T: BinaryInteger>(exactly source: T) {
                guard let value = Int(exactly: source) else { return nil }
                magnitude = value
            }

            /// Zero.
            public static func nanoseconds(_ ns: Int) -> Self { 0 }

            /// Whether one count is less than another.
            public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

            /// The sum.
            public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude.plus(rhs.magnitude)) }

            /// The difference.
            public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude.minus(rhs.magnitude)) }

            /// The product.
            public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude.times(rhs.magnitude)) }

            /// Multiplies.
            public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
        }
    }

    /// There is nothing to choose.
    public typealias SchedulerOptions = Never
    /// The scheduler.
    public static let shared = ImmediateScheduler()

    /// The present.
    public var now: SchedulerTimeType { SchedulerTimeType() }

    /// Zero: nothing is late here.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs a closure at once.
    @preconcurrency public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

    /// Runs a closure at once, whatever the time.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) { action() }

    /// Runs a closure at once, and once only.
    @preconcurrency public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}
