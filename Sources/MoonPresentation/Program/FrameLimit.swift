/// How often frames are made when states change without a key: a few at once, and then one in each interval.
///
/// A pure value: time is told to it.
struct FrameLimit {
    /// How many frames may follow one another at once.
    static let atOnce = 4
    /// The interval of the others.
    static let interval = Duration.milliseconds(8)
    private static let span = interval * atOnce

    private var credit = atOnce
    private var since: ContinuousClock.Instant?

    /// Counts a frame that is made at once, whatever the time.
    mutating func count() { credit = max(0, credit - 1) }

    /// Asks for a frame.
    ///
    /// - Returns: Nil if it may be made now; else how long to wait.
    mutating func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let since, now - since < Self.span else {
            self.since = now
            credit = Self.atOnce - 1
            return nil
        }
        let intervals = Int((now - since) / Self.interval)
        if intervals > 0 {
            credit = min(Self.atOnce, credit + intervals)
            self.since = credit == Self.atOnce ? now : since + Self.interval * intervals
        }
        if credit > 0 {
            credit -= 1
            return nil
        }
        return Self.interval - (now - (self.since ?? now))
    }
}
