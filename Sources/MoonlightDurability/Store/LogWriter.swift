import Moonlight
import Streams

/// What is to be called when the lock of a line has been let go.
private enum LineCall {
    case none
    case wake(CheckedContinuation<Void, Never>?)
    case schedule
}

/// Passes what the loop has done to the storage: everything that has gathered while the storage was busy at once (group commit).
///
/// It is a task on a thread of its own. The loop appends to its queue and goes on.
final class LogWriter<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    /// What waits in the queue.
    enum Item {
        case entry(LogEntry<Event, Effect>)
        case endOfTurn
        case snapshot(Moment)
        case restart(Moment)
        case flush(Waiter?)
        case letGo
    }

    typealias Waiter = CheckedContinuation<Void, any Error>

    /// A moment of the loop, and who waits until it is safe.
    struct Moment {
        let state: State
        let book: LogBook<Event>
        /// The last turn before it.
        let sequence: UInt64
        let waiters: [Waiter]
    }

    private struct Line: @unchecked Sendable {
        // Sound: only used behind the lock.
        var items: [Item] = []
        /// The number of turns in the queue.
        var turns = 0
        /// Whether there is something to do now.
        var isUrgent = false
        /// Whether a time was set at which there will be.
        var isScheduled = false
        var isClosed = false
        /// The writer, while it has nothing to do.
        var sleeper: CheckedContinuation<Void, Never>?
        var failure: DurabilityError?
    }

    private let line = Lock(Line())
    private let degree: Acknowledgment
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// More turns than these are not told before they are written, whatever the degree.
    private static var mostUntold: Int { 1 << 16 }

    init(
        _ degree: Acknowledgment, schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) { (self.degree, self.schedule) = (degree, schedule) }

    // MARK: For the loop

    /// Appends a turn.
    func append(_ entries: [LogEntry<Event, Effect>]) {
        push(isUrgent: !isDelayed) { line in
            for entry in entries { line.items.append(.entry(entry)) }
            line.items.append(.endOfTurn)
            line.turns += 1
            if line.turns >= Self.mostUntold { line.isUrgent = true }
        }
    }

    /// Whether what happens may be told before it is written.
    var isDelayed: Bool { if case .later = degree { true } else { false } }

    /// Whether so many turns wait that nothing should be told before it is written.
    var isOverrun: Bool { line.withLock { $0.turns >= Self.mostUntold } }

    /// Ends the writer, when it has written what is in the queue.
    func close() { push(isUrgent: true) { $0.isClosed = true } }

    /// Returns when everything so far is synced.
    func flush() async throws {
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
            let isClosed = line.withLock { line in
                if !line.isClosed { line.items.append(.flush(waiter)) }
                return line.isClosed
            }
            if isClosed { waiter.resume(throwing: DurabilityError.closed) } else { wake() }
        }
    }

    /// The failure after which nothing is written until the log is restarted.
    var failure: DurabilityError? {
        get { line.withLock { $0.failure } }
        set { line.withLock { $0.failure = newValue } }
    }

    private func push(isUrgent: Bool, _ change: (inout Line) -> Void) {
        let call = line.withLock { line -> LineCall in
            change(&line)
            if isUrgent || line.isUrgent {
                line.isUrgent = true
                return .wake(line.sleeper.take())
            }
            if line.isScheduled { return .none }
            line.isScheduled = true
            return .schedule
        }
        switch call {
        case .none: break
        case .wake(let sleeper): sleeper?.resume()
        case .schedule: if case .later(let interval) = degree { wakeLater(interval) }
        }
    }

    private func wake() { push(isUrgent: true) { _ in } }

    private func wakeLater(_ interval: Duration) { schedule(interval) { [weak self] in self?.wake() } }

    // MARK: For the writer's task

    /// Waits until there is something to do.
    ///
    /// - Returns: What waits; nil if the writer has been closed, and nothing is left.
    func next() async -> [Item]? {
        while true {
            let batch = line.withLock { line -> UncheckedTransfer<[Item]>? in
                guard line.isUrgent else { return nil }
                (line.isUrgent, line.isScheduled, line.turns) = (line.isClosed, false, 0)
                defer { line.items = [] }
                return UncheckedTransfer(line.items)
            }
            if let batch { return batch.value.isEmpty && line.withLock({ $0.isClosed }) ? nil : batch.value }
            await withCheckedContinuation { sleeper in
                let isUrgent = line.withLock { line in
                    if !line.isUrgent { line.sleeper = sleeper }
                    return line.isUrgent
                }
                if isUrgent { sleeper.resume() }
            }
        }
    }

    /// Has what was written synced within a second.
    func syncSoon() {
        schedule(.seconds(1)) { [weak self] in self?.add(.flush(nil)) }
    }

    /// Puts something at the end of the queue.
    func add(_ item: Item) {
        let item = UncheckedTransfer(item)
        push(isUrgent: true) { $0.items.append(item.value) }
    }
}
