import Synchronization

/// A scheduler whose time moves when it is told to, for tests that wait for nothing.
///
/// Say a search waits for 300 ms of silence. With this scheduler in place of a dispatch queue, a test types a letter,
/// advances by 299 ms and sees nothing, advances by 1 ms and sees the search:
/// ```swift
/// let time = VirtualTimeScheduler()
/// let cancellable = letters.delay(for: .milliseconds(300), scheduler: time).sink { found.append($0) }
/// letters.send("a")
/// time.advance(by: .milliseconds(299))  // found is empty
/// time.advance(by: .milliseconds(1))    // found is ["a"]
/// ```
///
/// Closures run inside `advance(by:)` and ``run(limit:)``, on the thread that calls them, in the order of their times; those
/// of one time in the order in which they were scheduled. While one runs, ``now`` is its time. What is scheduled
/// meanwhile is taken into account. Scheduling is safe from any thread; advancing is for one thread at a time, and not
/// for closures that this scheduler runs. Scheduling and running one costs O(log n) with n waiting.
public final class VirtualTimeScheduler: Scheduler, @unchecked Sendable {
    // Sound: all state is behind `guarded`; closures run outside the lock.

    /// A point in virtual time.
    public typealias SchedulerTimeType = TimePoint
    /// There is nothing to choose.
    public typealias SchedulerOptions = Never
    private let guarded: Lock<(now: TimePoint, agenda: Agenda)>
    /// A scheduler at the beginning of its time.
    public init(now: TimePoint = TimePoint(offset: 0)) { guarded = Lock((now, Agenda())) }
    /// The present.
    public var now: TimePoint { guarded.withLock { $0.now } }
    /// Zero: nothing is late here.
    public var minimumTolerance: TimeStride { 0 }
    /// How many closures wait, each repeating one counted once. Zero after a test shows that no timer was left behind.
    public var pending: Int { guarded.withLock { $0.agenda.count } }

    // MARK: Time

    /// Moves time on, and runs everything that falls due, up to and including the new present; with zero, what is due now.
    public func advance(by stride: TimeStride = 0) {
        precondition(stride >= 0, "advance(by: \(stride)): time does not run backwards")
        advance(to: now.advanced(by: stride))
    }
    /// Moves time on, and runs everything that falls due, up to and including the new present.
    @_disfavoredOverload public func advance(by duration: Duration) { advance(by: TimeStride(duration)) }
    /// Moves time on to a point, and runs everything that falls due, up to and including it.
    public func advance(to date: TimePoint) {
        while let action = takeNext(notAfter: date) { action() }
        guarded.withLock { $0.now = max($0.now, date) }
    }
    /// Moves time on from one closure to the next until none waits.
    /// - Parameter limit: Stops after so many, because a repeating closure never ends.
    /// - Returns: Whether none waits.
    @discardableResult public func run(limit: Int = 1_000_000) -> Bool {
        for _ in 0..<limit {
            guard let action = takeNext() else { return true }
            action()
        }
        return pending == 0
    }

    private func takeNext(notAfter date: TimePoint? = nil) -> (@Sendable () -> Void)? {
        guarded.withLock { state in
            guard let (time, action) = state.agenda.takeNext(notAfter: date) else { return nil }
            state.now = time
            return action
        }
    }

    // MARK: Scheduler

    /// Runs a closure as soon as possible.
    @preconcurrency public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { add(nil, action) }
    /// Runs a closure when time is moved to a point, or at the next chance if that has passed.
    @preconcurrency public func schedule(
        after date: TimePoint, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) { add(date, action) }
    /// Runs a closure when time is moved to a point, and again after each interval, which is more than zero, until cancelled.
    @preconcurrency public func schedule(
        after date: TimePoint, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { AnyCancellable(add(date, every: interval, action)) }
    /// Runs a closure once when time is moved to a point, or at the next chance, unless it is taken back before.
    @preconcurrency public func schedule(
        once date: TimePoint?, tolerance: TimeStride?, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? { AnyCancellable(add(date, action)) }
    /// What is scheduled for the past is due now. Returns what takes the closure back.
    @discardableResult private func add(
        _ date: TimePoint?, every interval: TimeStride? = nil, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let entry = guarded.withLock { $0.agenda.add(at: max(date ?? $0.now, $0.now), every: interval, action) }
        // What is taken back ends outside the lock.
        return { [weak self] in withExtendedLifetime(self?.guarded.withLock { $0.agenda.remove(entry) }) {} }
    }
}
