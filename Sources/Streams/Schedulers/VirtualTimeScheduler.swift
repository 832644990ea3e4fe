/// A scheduler whose time moves when it is told to, for tests that wait for nothing.
///
/// With this scheduler in place of a dispatch queue, a test of what waits for 300 ms sees it after 300 and not after 299:
/// ```swift
/// let time = VirtualTimeScheduler()
/// let cancellable = letters.delay(for: .milliseconds(300), scheduler: time).sink { found.append($0) }
/// letters.send("a")
/// time.advance(by: .milliseconds(299))  // found is empty
/// time.advance(by: .milliseconds(1))    // found is ["a"]
/// ```
/// Closures run inside `advance(by:)` and ``run(limit:)``, on the thread that calls them, in the order of their times; those
/// of one time in the order in which they were scheduled. While one runs, ``now`` is its time. What is scheduled
/// meanwhile is taken into account. Scheduling is safe from any thread; advancing is for one thread at a time, and not
/// for closures that this scheduler runs. Scheduling and running one costs O(log n) with n waiting.
///
/// The shortest interval is a nanosecond: what repeats after nothing, or less, does so each nanosecond, which is a thousand
/// million times in a second. Time ends after 292 years; what is scheduled for later never runs, and is not kept.
public final class VirtualTimeScheduler: TimedScheduler, @unchecked Sendable {
    // Sound: all state is behind `guarded`; closures run outside the lock.
    private let guarded: Lock<(now: TimePoint, timers: TimerHeap)>

    /// A scheduler at the beginning of its time.
    public init(now: TimePoint = TimePoint(offset: 0)) { guarded = Lock((min(now, .last), TimerHeap())) }

    /// The present.
    public var now: TimePoint { guarded.withLock { $0.now } }

    /// Zero: nothing is late here.
    public var minimumTolerance: TimeStride { 0 }

    /// How many closures wait, each repeating one counted once. Zero after a test shows that no timer was left behind.
    public var pending: Int { guarded.withLock { $0.timers.count } }

    /// How many of the closures that wait are repeating ones, which time alone does not end.
    package var repeating: Int { guarded.withLock { $0.timers.repeatingCount } }

    /// Moves time on, and runs everything that falls due, up to and including the new present; with zero, what is due now.
    public func advance(by stride: TimeStride = 0) {
        precondition(stride >= 0, "advance(by: \(stride)): time does not run backwards")
        advance(to: now.advanced(by: stride))
    }

    /// Moves time on, and runs everything that falls due, up to and including the new present.
    @_disfavoredOverload public func advance(by duration: Duration) { advance(by: TimeStride(duration)) }

    /// Moves time on to a point, and runs everything that falls due, up to and including it.
    public func advance(to date: TimePoint) {
        let date = min(date, .last)
        while let action = takeNext(notAfter: date) { action() }
        guarded.withLock { $0.now = max($0.now, date) }
    }

    /// Moves time on from one closure to the next until none waits, or so many have run, as a repeating one never ends;
    /// returns whether none waits. A limit below zero is none: nothing runs.
    @discardableResult public func run(limit: Int = 1_000_000) -> Bool {
        for _ in 0..<max(0, limit) {
            guard let action = takeNext() else { return true }
            action()
        }
        return pending == 0
    }

    private func takeNext(notAfter date: TimePoint? = nil) -> (@Sendable () -> Void)? {
        guarded.withLock { state in
            guard let (time, action) = state.timers.takeNext(notAfter: date) else { return nil }
            state.now = time
            return action
        }
    }

    /// What is scheduled for the past is due now. Returns what takes the closure back.
    func add(
        _ date: TimePoint?, every interval: TimeStride?, _ tolerance: TimeStride?, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let entry = guarded.withLock { $0.timers.add(at: max(date ?? $0.now, $0.now), every: interval, action) }
        guard let entry else { return {} }
        // What is taken back ends outside the lock.
        return { [weak self] in discard(self?.guarded.withLock { $0.timers.remove(entry) }) }
    }
}
