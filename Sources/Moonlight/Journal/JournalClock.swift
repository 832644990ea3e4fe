import Dispatch
import Streams
import Synchronization

/// What the journals of this process tell time by.
@usableFromInline
enum JournalClock {
    static let origin = ContinuousClock.now
    /// The wall clock at the origin, in nanoseconds; moved when that clock has been set meanwhile.
    private static let wallOrigin = Atomic<Int>(0)

    /// How long ago the origin was.
    @usableFromInline
    static func read() -> Duration { origin.duration(to: .now) }

    /// The wall clock at an age, as that clock is set now: when nobody asks, nobody reads it. The same each time unless it is set.
    static func wallTime(at age: Duration) -> WallTime {
        let seen = WallTime.now.sinceEpoch - read()
        let known = Duration.nanoseconds(wallOrigin.load(ordering: .relaxed))
        if abs(known, seen) < .milliseconds(1) { return WallTime(sinceEpoch: known + age) }
        let (seconds, attoseconds) = seen.components
        wallOrigin.store(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000), ordering: .relaxed)
        return WallTime(sinceEpoch: .nanoseconds(wallOrigin.load(ordering: .relaxed)) + age)
    }

    private static func abs(_ one: Duration, _ other: Duration) -> Duration { one < other ? other - one : one - other }
}

/// A span of time, or a point in the time by which spans are measured: as cheap to read, and as small, as can be.
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
