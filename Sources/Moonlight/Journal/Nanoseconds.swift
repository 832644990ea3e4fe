import Dispatch

/// A span of time, or a point in the time by which spans are measured: as cheap to read, and as small, as can be. A `TimeStride` knows
/// neither a present nor nothing, and is not inlined.
@usableFromInline
struct Nanoseconds: Sendable, Comparable {
    @usableFromInline let count: Int

    @inlinable
    init(_ count: Int) { self.count = count }

    @inlinable static var zero: Nanoseconds { Nanoseconds(0) }
    /// Not known.
    @inlinable static var none: Nanoseconds { Nanoseconds(.min) }
    @inlinable var isNone: Bool { self == .none }

    /// The present.
    @inlinable static var now: Nanoseconds { Nanoseconds(Int(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds)) }

    /// Nil if it is not known.
    @usableFromInline var duration: Duration? { isNone ? nil : .nanoseconds(count) }

    @inlinable static func < (one: Nanoseconds, other: Nanoseconds) -> Bool { one.count < other.count }
    @inlinable static func - (one: Nanoseconds, other: Nanoseconds) -> Nanoseconds { Nanoseconds(one.count - other.count) }
}
