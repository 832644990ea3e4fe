/// What is to be done when: a heap ordered by time and, for one time, by turn. Entries know their places in it, so that taking
/// one back costs no search.
struct TimerHeap: Sendable {
    final class Entry: @unchecked Sendable {
        // Sound: only touched by the timer heap, which its owner keeps behind a lock.
        fileprivate var (time, turn): (TimePoint, Int)
        fileprivate let interval: TimeStride?
        fileprivate var action: (@Sendable () -> Void)?
        fileprivate var place = 0

        init(_ time: TimePoint, _ turn: Int, _ interval: TimeStride?, _ action: @escaping @Sendable () -> Void) {
            (self.time, self.turn, self.action) = (time, turn, action)
            self.interval = interval.map { max($0, .shortest) }
        }

        /// When it is due again after a turn; nil if it does not repeat, or is not due before the end of time.
        func turn(after time: TimePoint) -> TimePoint? {
            interval.flatMap { time.advanced(by: $0).unlessNever }
        }

        fileprivate func isBefore(_ other: Entry) -> Bool { (time, turn) < (other.time, other.turn) }
    }

    private var heap: [Entry] = []
    private var turn = 0
    var count: Int { heap.count }

    /// How many entries repeat.
    var repeatingCount: Int { heap.count { $0.interval != nil } }

    /// Adds what is to be done at a time, and then again after each interval, a nanosecond at least. Returns nil, and keeps
    /// nothing, if that time is never.
    mutating func add(at time: TimePoint, every interval: TimeStride?, _ action: @escaping @Sendable () -> Void) -> Entry? {
        guard let time = time.unlessNever else { return nil }
        turn += 1
        let entry = Entry(time, turn, interval, action)
        push(entry)
        return entry
    }

    /// Takes what is to be done first, unless that is after a point in time; a repeating entry goes back in, an interval later,
    /// unless that is never.
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

    /// Takes an entry out, if it is in, and returns its closure.
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

    /// Puts an entry where it belongs: in a free place, or above or below it.
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

/// A scheduler with a timer heap. All that it is asked to do comes down to one thing.
protocol TimedScheduler: Scheduler where SchedulerTimeType == TimePoint, SchedulerOptions == Never {
    /// Runs a closure at a point in time, or as soon as possible; returns what takes it back.
    func add(
        _ date: TimePoint?, every interval: TimeStride?, _ tolerance: TimeStride?, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void
}

extension TimedScheduler {
    /// Runs a closure as soon as possible.
    @preconcurrency public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
        _ = add(nil, every: nil, nil, action)
    }

    /// Runs a closure at a point in time, or at the next chance if that has passed.
    @preconcurrency public func schedule(
        after date: TimePoint, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) { _ = add(date, every: nil, tolerance, action) }

    /// Runs a closure at a point in time, or at the next chance if that has passed, and then again after each interval, a
    /// nanosecond at least, until cancelled.
    @preconcurrency public func schedule(
        after date: TimePoint, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { AnyCancellable(add(date, every: interval, tolerance, action)) }

    /// Runs a closure once, at a point in time or as soon as possible, unless it is taken back before.
    @preconcurrency public func schedule(
        once date: TimePoint?, tolerance: TimeStride?, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? { AnyCancellable(add(date, every: nil, tolerance, action)) }
}
