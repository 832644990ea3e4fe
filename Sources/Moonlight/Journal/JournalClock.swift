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
        let origin = TimeStride(seen)
        wallOrigin.store(origin.nanoseconds, ordering: .relaxed)
        return WallTime(sinceEpoch: origin.duration + age)
    }

    private static func abs(_ one: Duration, _ other: Duration) -> Duration { one < other ? other - one : one - other }
}
