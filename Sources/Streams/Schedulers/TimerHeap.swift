/// A heap of scheduled closures, ordered by time and, at the same time, by turn number. Each entry stores its place in the heap,
/// so that it can be removed without a search. Adding, taking and removing an entry costs O(log n).
struct TimerHeap: Sendable {
    final class Entry: @unchecked Sendable {
        // Sound: only the heap accesses what changes, and the heap's owner protects it with a lock.
        fileprivate var (time, turn): (TimePoint, Int)
        fileprivate let interval: TimeStride?
        fileprivate let mark: Int?
        fileprivate var action: (@Sendable () -> Void)?
        fileprivate var place = 0

        init(
            _ time: TimePoint, _ turn: Int, _ interval: TimeStride?, _ mark: Int?, _ action: @escaping @Sendable () -> Void
        ) {
            self.time = time
            self.turn = turn
            self.mark = mark
            self.action = action
            self.interval = interval.map { max($0, .shortest) }
        }

        /// Returns the time of the next run after a run; nil if it does not repeat, or never becomes due again.
        func turn(after time: TimePoint) -> TimePoint? {
            interval.flatMap { time.advanced(by: $0).unlessNever }
        }

        fileprivate func isBefore(_ other: Entry) -> Bool { (time, turn) < (other.time, other.turn) }
    }

    private var heap: [Entry] = []
    /// The number of the last turn. Turns are numbered in the order in which they are scheduled.
    private var turn = 0
    var count: Int { heap.count }

    /// The closures that wait, in no particular order.
    var waiting: [VirtualTimeScheduler.Waiting] { heap.map { ($0.time, $0.turn, $0.interval, $0.mark) } }

    /// Adds a closure.
    ///
    /// - Parameters:
    ///   - time: The time of the first run.
    ///   - interval: The time from one run to the next, at least a nanosecond; nil if the closure does not repeat.
    ///   - mark: A mark of the closure, for ``waiting``.
    ///   - action: The closure.
    /// - Returns: The entry; nil, with nothing added, if the time stands for never.
    mutating func add(
        at time: TimePoint, every interval: TimeStride?, mark: Int? = nil, _ action: @escaping @Sendable () -> Void
    ) -> Entry? {
        guard let time = time.unlessNever else { return nil }
        turn += 1
        let entry = Entry(time, turn, interval, mark, action)
        push(entry)
        return entry
    }

    /// Takes the first entry, unless it is due after a point in time. A repeating entry is added again one interval later, unless
    /// that stands for never.
    mutating func takeNext(notAfter date: TimePoint? = nil) -> (time: TimePoint, action: @Sendable () -> Void)? {
        guard let entry = heap.first, date.map({ entry.time <= $0 }) ?? true else { return nil }
        let time = entry.time
        guard let action = remove(entry) else { return nil }
        if let next = entry.turn(after: time) {
            turn += 1
            (entry.time, entry.turn, entry.action) = (next, turn, action)
            push(entry)
        }
        return (time, action)
    }

    /// Removes an entry, and returns its closure; nil if the entry is not in the heap.
    mutating func remove(_ entry: Entry) -> (@Sendable () -> Void)? {
        guard let action = entry.action.take() else { return nil }
        let last = heap.removeLast()
        if last !== entry { sift(last, from: entry.place) }
        return action
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        sift(entry, from: heap.count - 1)
    }

    /// Puts an entry into a free place, or where it belongs above or below that.
    private mutating func sift(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0, case let parent = heap[(place - 1) / 2], entry.isBefore(parent) {
            heap[place] = parent
            swap(&place, &parent.place)
        }
        while let child = leastChild(of: place), child.isBefore(entry) {
            heap[place] = child
            swap(&place, &child.place)
        }
        heap[place] = entry
        entry.place = place
    }

    private func leastChild(of place: Int) -> Entry? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard right < heap.count else { return left < heap.count ? heap[left] : nil }
        return heap[left].isBefore(heap[right]) ? heap[left] : heap[right]
    }
}

/// A scheduler with a timer heap, which implements only ``add(_:every:_:_:)``.
protocol TimedScheduler: Scheduler where SchedulerTimeType == TimePoint, SchedulerOptions == Never {
    /// Schedules a closure.
    ///
    /// - Parameters:
    ///   - date: The point in time; nil for as soon as possible.
    ///   - interval: The time from one run to the next; nil if the closure does not repeat.
    ///   - tolerance: The longest time by which the closure may be late; nil for the default.
    ///   - action: The closure.
    /// - Returns: A closure that cancels the scheduled one.
    func add(
        _ date: TimePoint?, every interval: TimeStride?, _ tolerance: TimeStride?, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void
}

extension TimedScheduler {
    /// Runs a closure as soon as possible.
    @preconcurrency public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
        _ = add(nil, every: nil, nil, action)
    }

    /// Runs a closure at a point in time, or as soon as possible if that has passed.
    @preconcurrency public func schedule(
        after date: TimePoint, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) { _ = add(date, every: nil, tolerance, action) }

    /// Runs a closure at a point in time, or as soon as possible if that has passed, and then again after each interval, which is
    /// at least a nanosecond, until cancelled.
    ///
    /// - Returns: A cancellable that ends the repetition, also when it is released.
    @preconcurrency public func schedule(
        after date: TimePoint, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { AnyCancellable(add(date, every: interval, tolerance, action)) }

    /// Runs a closure once, at a point in time or, without one, as soon as possible.
    ///
    /// - Returns: A token that cancels the closure, also when it is released.
    @preconcurrency public func schedule(
        once date: TimePoint?, tolerance: TimeStride?, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? { AnyCancellable(add(date, every: nil, tolerance, action)) }
}
