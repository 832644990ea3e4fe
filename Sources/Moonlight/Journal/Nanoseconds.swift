import Dispatch

/// A time span, or a point on the clock by which spans are measured, in nanoseconds.
///
/// As small and as cheap to read as possible. `TimeStride` does not serve here: it has neither a "now" nor an "unknown" value,
/// and is not inlined.
@usableFromInline
struct Nanoseconds: Sendable, Comparable {
    @usableFromInline let count: Int

    @inlinable
    init(_ count: Int) { self.count = count }

    @inlinable static var zero: Nanoseconds { Nanoseconds(0) }
    /// The unknown span.
    @inlinable static var none: Nanoseconds { Nanoseconds(.min) }
    @inlinable var isNone: Bool { self == .none }

    /// The present, by the system's uptime clock.
    @inlinable static var now: Nanoseconds { Nanoseconds(Int(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds)) }

    /// The span as a `Duration`; nil if unknown.
    @usableFromInline var duration: Duration? { isNone ? nil : .nanoseconds(count) }

    @inlinable static func < (one: Nanoseconds, other: Nanoseconds) -> Bool { one.count < other.count }
    @inlinable static func - (one: Nanoseconds, other: Nanoseconds) -> Nanoseconds { Nanoseconds(one.count - other.count) }
}
