import Dispatch
import Synchronization

/// The clock that all journals of this process use.
@usableFromInline package enum JournalClock {
    /// The instant from which ages are measured.
    static let origin = ContinuousClock.now
    /// The wall clock at `origin`, in nanoseconds since 1970, as last computed. Replaced when the wall clock turns out to have
    /// been set.
    private static let wallOrigin = Atomic<Int>(0)

    /// Returns the time since `origin`.
    @usableFromInline package static func read() -> Duration { origin.duration(to: .now) }

    /// Returns the wall-clock time at an age, that is, a time since `origin`.
    ///
    /// The wall clock is read on demand only, not for each record. Repeated calls return the same time unless
    /// the wall clock was set in between (by a millisecond or more).
    static func wallTime(at age: Duration) -> WallTime {
        var before: Duration
        var wall: Duration
        var after: Duration
        // A thread that is suspended between the readings must not take the wall clock for set.
        repeat {
            before = read()
            wall = WallTime.now.sinceEpoch
            after = read()
        } while after - before > .microseconds(500)
        let seen = wall - after
        let known = Duration.nanoseconds(wallOrigin.load(ordering: .relaxed))
        if known - seen < .milliseconds(1), seen - known < .milliseconds(1) { return WallTime(sinceEpoch: known + age) }
        let origin = seen.nanoseconds
        wallOrigin.store(origin, ordering: .relaxed)
        return WallTime(sinceEpoch: .nanoseconds(origin) + age)
    }
}

extension Duration {
    /// The whole nanoseconds, within the range of `Int`, which is 292 years.
    var nanoseconds: Int {
        // Clamped before it is taken apart: `components` traps if the seconds exceed an `Int64`.
        let (seconds, attoseconds) = min(max(self, .nanoseconds(Int.min)), .nanoseconds(Int.max)).components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}

extension JournalRecord {
    /// Creates the record of an effect that no loop has applied.
    package init(number: Int, effect: Effect, before: State, after: State) {
        self.init(
            number: number, cause: nil, age: JournalClock.read(), step: .effect(effect, before: before, after: after))
    }

    /// The instant of a record whose time is a number of nanoseconds, by a clock that a test has set.
    package static func instant(at nanoseconds: Int) -> ContinuousClock.Instant {
        JournalClock.origin + .nanoseconds(nanoseconds)
    }
}

/// A time span, or a point on the clock by which spans are measured, in nanoseconds.
///
/// As small and as cheap to read as possible.
@usableFromInline
package struct Nanoseconds: Sendable, Comparable {
    @usableFromInline package let count: Int

    @inlinable
    package init(_ count: Int) { self.count = count }

    @inlinable package static var zero: Nanoseconds { Nanoseconds(0) }
    /// The unknown span.
    @inlinable package static var none: Nanoseconds { Nanoseconds(.min) }
    @inlinable package var isNone: Bool { self == .none }

    /// The present, by the system's uptime clock.
    @inlinable package static var now: Nanoseconds { Nanoseconds(Int(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds)) }

    /// The span as a `Duration`; nil if unknown.
    package var duration: Duration? { isNone ? nil : .nanoseconds(count) }

    @inlinable package static func < (one: Nanoseconds, other: Nanoseconds) -> Bool { one.count < other.count }
    @inlinable package static func - (one: Nanoseconds, other: Nanoseconds) -> Nanoseconds {
        Nanoseconds(one.count - other.count)
    }
}
