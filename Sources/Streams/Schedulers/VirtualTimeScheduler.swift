import Synchronization

/// A scheduler whose time moves when it is told to, for tests that wait for nothing.
///
/// Say a search waits for 300 ms of silence. With this scheduler in place of a dispatch queue, a test types a letter,
/// advances by 299 ms and sees nothing, advances by 1 ms and sees the search:
///
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
    public struct SchedulerTimeType: Strideable, Hashable, Sendable, CustomStringConvertible {
        /// A span in nanoseconds.
        public typealias Stride = TimeStride

        /// The time since the scheduler's beginning.
        public var offset: TimeStride

        /// A point in time.
        public init(offset: TimeStride) { self.offset = offset }

        /// The span to another point.
        public func distance(to other: Self) -> TimeStride { other.offset - offset }

        /// The point after a span.
        public func advanced(by n: TimeStride) -> Self { Self(offset: offset + n) }

        /// The time since the scheduler's beginning, as `Duration` prints it.
        public var description: String { offset.description }
    }

    /// There is nothing to choose.
    public typealias SchedulerOptions = Never

    private let guarded: Lock<Agenda>

    /// A scheduler at the beginning of its time.
    public init(now: SchedulerTimeType = SchedulerTimeType(offset: 0)) { guarded = Lock(Agenda(now: now)) }

    /// The present.
    public var now: SchedulerTimeType { guarded.withLock { $0.now } }
    /// Zero: nothing is late here.
    public var minimumTolerance: TimeStride { 0 }

    /// How many closures wait, each repeating one counted once. Zero after a test shows that no timer was left behind.
    public var pending: Int { guarded.withLock { $0.count } }

    // MARK: Time

    /// Moves time on, and runs everything that falls due, up to and including the new present.
    ///
    /// - Parameter duration: How far; not negative. With zero, what is due now runs.
    public func advance(by duration: Duration = .zero) { advance(by: TimeStride(duration)) }

    /// Moves time on, and runs everything that falls due, up to and including the new present.
    ///
    /// - Parameter stride: How far; not negative.
    public func advance(by stride: TimeStride) {
        precondition(stride >= 0, "advance(by: \(stride)): time does not run backwards")
        advance(to: now.advanced(by: stride))
    }

    /// Moves time on to a point, and runs everything that falls due, up to and including it.
    public func advance(to date: SchedulerTimeType) {
        while let action = guarded.withLock({ $0.takeNext(notAfter: date) }) { action() }
        guarded.withLock { $0.now = max($0.now, date) }
    }

    /// Moves time on from one closure to the next until none waits.
    ///
    /// - Parameter limit: Stops after so many, because a repeating closure never ends.
    /// - Returns: Whether none waits.
    @discardableResult
    public func run(limit: Int = 1_000_000) -> Bool {
        for _ in 0..<limit {
            guard let action = guarded.withLock({ $0.takeNext(notAfter: nil) }) else { return true }
            action()
        }
        return pending == 0
    }

    // MARK: Scheduler

    /// Runs a closure as soon as possible.
    @preconcurrency
    public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
        guarded.withLock { _ = $0.add(at: $0.now, every: nil, action) }
    }

    /// Runs a closure when time is moved to a point, or at the next chance if that has passed.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) {
        guarded.withLock { _ = $0.add(at: date, every: nil, action) }
    }

    /// Runs a closure when time is moved to a point, and again after each interval, until cancelled.
    ///
    /// - Parameter interval: More than zero.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        precondition(interval > 0, "schedule(after:interval:): an interval of \(interval) would never let time move on")
        let id = guarded.withLock { $0.add(at: date, every: interval, action) }
        return AnyCancellable { [weak self] in self?.guarded.withLock { $0.remove(id) } }
    }
}

/// What is to be done when: a heap ordered by time and then by turn. A plain value, free of threads.
private struct Agenda: Sendable {
    struct Entry: Sendable {
        var time: VirtualTimeScheduler.SchedulerTimeType
        var turn: Int
        let id: Int
        let interval: TimeStride?
        let action: @Sendable () -> Void

        func isBefore(_ other: Entry) -> Bool { (time, turn) < (other.time, other.turn) }
    }

    var now: VirtualTimeScheduler.SchedulerTimeType
    private var heap: [Entry] = []
    private var turn = 0

    init(now: VirtualTimeScheduler.SchedulerTimeType) { self.now = now }

    var count: Int { heap.count }

    /// What is scheduled for the past is due now.
    mutating func add(
        at time: VirtualTimeScheduler.SchedulerTimeType, every interval: TimeStride?,
        _ action: @escaping @Sendable () -> Void
    ) -> Int {
        turn += 1
        push(Entry(time: max(time, now), turn: turn, id: turn, interval: interval, action: action))
        return turn
    }

    mutating func takeNext(notAfter date: VirtualTimeScheduler.SchedulerTimeType?) -> (@Sendable () -> Void)? {
        guard let first = heap.first, date.map({ first.time <= $0 }) ?? true else { return nil }
        var entry = pop()
        now = entry.time
        if let interval = entry.interval {
            turn += 1
            entry.time = entry.time.advanced(by: interval)
            entry.turn = turn
            push(entry)
        }
        return entry.action
    }

    mutating func remove(_ id: Int) {
        guard let index = heap.firstIndex(where: { $0.id == id }) else { return }
        heap.swapAt(index, heap.count - 1)
        heap.removeLast()
        if index < heap.count {
            siftDown(from: index)
            siftUp(from: index)
        }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        siftUp(from: heap.count - 1)
    }

    private mutating func pop() -> Entry {
        heap.swapAt(0, heap.count - 1)
        let entry = heap.removeLast()
        if !heap.isEmpty { siftDown(from: 0) }
        return entry
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
