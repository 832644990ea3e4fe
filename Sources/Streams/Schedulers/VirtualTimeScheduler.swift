/// A scheduler whose time advances only when a test advances it, so that the test does not wait.
///
/// With this scheduler in place of a dispatch queue, a test of a delay of 300 ms sees the value after 300 ms and not after 299:
/// ```swift
/// let time = VirtualTimeScheduler()
/// let cancellable = letters.delay(for: .milliseconds(300), scheduler: time).sink { found.append($0) }
/// letters.send("a")
/// time.advance(by: .milliseconds(299))  // found is empty
/// time.advance(by: .milliseconds(1))    // found is ["a"]
/// ```
/// Closures run inside `advance(by:)` and ``run(limit:)``, on the calling thread, in the order of their times. Closures of the
/// same time run in the order in which they were scheduled. While a closure runs, ``now`` is its time, and closures that it
/// schedules are taken into account.
///
/// Any thread may schedule closures. Only one thread at a time may advance the time, and the closures that this scheduler runs
/// must not. Scheduling and running a closure costs O(log n) with n closures waiting.
///
/// The shortest interval is a nanosecond: a closure with an interval of zero or less runs each nanosecond, a billion times a
/// second. Time ends after 292 years; a closure that is scheduled for later never runs, and is not stored.
public final class VirtualTimeScheduler: TimedScheduler, @unchecked Sendable {
    // Sound: `guarded` protects all state; closures run outside the lock.
    private let guarded: Lock<(now: TimePoint, timers: TimerHeap)>
    private let marks: TimerMarks?

    /// Creates a scheduler.
    ///
    /// - Parameter now: The time to begin at.
    public convenience init(now: TimePoint = TimePoint(offset: 0)) { self.init(now: now, marks: nil) }

    /// Creates a scheduler that marks scheduled closures.
    package init(now: TimePoint = TimePoint(offset: 0), marks: TimerMarks?) {
        guarded = Lock((min(now, .last), TimerHeap()))
        self.marks = marks
    }

    /// The current time.
    public var now: TimePoint { guarded.withLock { $0.now } }

    /// Zero, as no closure is ever late.
    public var minimumTolerance: TimeStride { 0 }

    /// The number of waiting closures; a repeating one counts once. Zero at the end of a test shows that no timer remains.
    public var pending: Int { guarded.withLock { $0.timers.count } }

    /// A closure that waits.
    package typealias Waiting = (time: TimePoint, turn: Int, interval: TimeStride?, mark: Int?)

    /// The waiting closures, in no particular order. They run in the order of their times and, at the same time, of their turns.
    package var waiting: [Waiting] { guarded.withLock { $0.timers.waiting } }

    /// Advances the time by a span, and runs every closure that becomes due, up to and including the new time. A span of zero
    /// runs the closures that are due now.
    ///
    /// - Parameter stride: The span; traps if it is negative.
    public func advance(by stride: TimeStride = 0) {
        precondition(stride >= 0, "advance(by: \(stride)): time does not run backwards; pass zero or more")
        advance(to: now.advanced(by: stride))
    }

    /// Advances the time by a span, and runs every closure that becomes due, up to and including the new time.
    ///
    /// - Parameter duration: The span; traps if it is negative.
    @_disfavoredOverload public func advance(by duration: Duration) { advance(by: TimeStride(duration)) }

    /// Advances the time to a point, and runs every closure that becomes due, up to and including that point.
    public func advance(to date: TimePoint) {
        let date = min(date, .last)
        while let action = takeNext(notAfter: date) { action() }
        guarded.withLock { $0.now = max($0.now, date) }
    }

    /// Advances the time from one closure to the next until none waits, or until a limit is reached, as repeating closures never
    /// end.
    ///
    /// - Parameter limit: The largest number of closures to run. Below zero, none runs.
    /// - Returns: Whether no closure waits.
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

    /// Schedules a closure. A time in the past is due now.
    ///
    /// - Returns: A closure that cancels the scheduled one.
    func add(
        _ date: TimePoint?, every interval: TimeStride?, _ tolerance: TimeStride?, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let mark = marks?.make()
        let marked = marks.map { marks in { @Sendable in marks.run(mark, action) } } ?? action
        let entry = guarded.withLock { $0.timers.add(at: max(date ?? $0.now, $0.now), every: interval, mark: mark, marked) }
        guard let entry else { return {} }
        // A cancelled closure is released outside the lock.
        return { [weak self] in discard(self?.guarded.withLock { $0.timers.remove(entry) }) }
    }
}

/// A note that a ``VirtualTimeScheduler`` makes of each closure: `make` returns it where the closure is scheduled, and `run` runs the
/// closure, given its note.
package typealias TimerMarks = (
    make: @Sendable () -> Int?, run: @Sendable (_ mark: Int?, _ action: () -> Void) -> Void
)
