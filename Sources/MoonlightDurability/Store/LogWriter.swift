import Moonlight
import Streams
import Synchronization

/// What is to be called when the lock of a line has been let go.
@usableFromInline
enum LineCall {
    case none
    case wake(CheckedContinuation<Void, Never>?)
    case schedule
}

/// Passes what the loop has done to the storage: everything that has gathered while the storage was busy at once (group commit).
///
/// It is a task on a thread of its own. The loop appends to its queue and goes on.
@usableFromInline
final class LogWriter<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    /// What is asked of the writer, beside the turns.
    enum Request {
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

    /// What waits: the payloads of turns, one after another, and what is asked for between them.
    @usableFromInline
    struct Line: @unchecked Sendable {
        // Sound: only used behind the lock.
        @usableFromInline var payloads: [[UInt8]] = []
        /// Each request, and how many turns come before it.
        var requests: [(turns: Int, request: Request)] = []
        /// Whether there is something to do now.
        @usableFromInline var isUrgent = false
        /// Whether a time was set at which there will be.
        @usableFromInline var isScheduled = false
        var isClosed = false
        /// The writer, while it has nothing to do.
        @usableFromInline var sleeper: CheckedContinuation<Void, Never>?
        var failure: DurabilityError?

        var isEmpty: Bool { payloads.isEmpty && requests.isEmpty }

        init() {}
    }

    @usableFromInline let line = Lock(Line())
    private let degree: Acknowledgment
    /// Whether what happens may be told before it is written.
    @usableFromInline let isDelayed: Bool
    /// Whether there is a ``failure``.
    private let hasFailed = Atomic<Bool>(false)
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// More turns than these are not told before they are written, whatever the degree.
    @usableFromInline static var mostUntold: Int { 1 << 16 }

    init(
        _ degree: Acknowledgment, schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.degree = degree
        self.schedule = schedule
        isDelayed = if case .later = degree { true } else { false }
    }

    // MARK: For the loop

    /// Appends a turn.
    ///
    /// - Parameters:
    ///   - payload: What it has led to.
    ///   - overrun: Called before, if so many turns wait that nothing should be told before it is written: when the turn has been
    ///     written, everything is told again.
    @inlinable
    func append(_ payload: [UInt8], overrun: () -> Void) {
        let mayWait = isDelayed
        if mayWait, line.withLock({ $0.payloads.count >= Self.mostUntold }) { overrun() }
        let call = line.withLock { line -> LineCall in
            line.payloads.append(payload)
            return Self.call(&line, isUrgent: !mayWait || line.payloads.count >= Self.mostUntold)
        }
        make(call)
    }

    /// Ends the writer, when it has written what is in the queue.
    func close() { push(isUrgent: true) { $0.isClosed = true } }

    /// Returns when everything so far is synced.
    func flush() async throws {
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
            let isClosed = line.withLock { line in
                if !line.isClosed { line.requests.append((line.payloads.count, .flush(waiter))) }
                return line.isClosed
            }
            if isClosed { waiter.resume(throwing: DurabilityError.closed) } else { wake() }
        }
    }

    /// The failure after which nothing is written until the log is restarted.
    var failure: DurabilityError? {
        get { hasFailed.load(ordering: .acquiring) ? line.withLock { $0.failure } : nil }
        set {
            line.withLock { $0.failure = newValue }
            hasFailed.store(newValue != nil, ordering: .releasing)
        }
    }

    private func push(isUrgent: Bool, _ change: (inout Line) -> Void) {
        make(
            line.withLock { line in
                change(&line)
                return Self.call(&line, isUrgent: isUrgent)
            })
    }

    /// Notes that something has come into the line, and returns what is to be called for it.
    @inlinable
    static func call(_ line: inout Line, isUrgent: Bool) -> LineCall {
        if isUrgent || line.isUrgent {
            line.isUrgent = true
            return .wake(line.sleeper.take())
        }
        if line.isScheduled { return .none }
        line.isScheduled = true
        return .schedule
    }

    @inlinable
    func make(_ call: LineCall) {
        switch call {
        case .none, .wake(nil): break
        case .wake(let sleeper?): sleeper.resume()
        case .schedule: wakeLater()
        }
    }

    private func wake() { push(isUrgent: true) { _ in } }

    @usableFromInline
    func wakeLater() {
        guard case .later(let interval) = degree else { return }
        schedule(interval) { [weak self] in self?.wake() }
    }

    // MARK: For the writer's task

    /// Waits until there is something to do.
    ///
    /// - Returns: What waits; nil if the writer has been closed, and nothing is left.
    func next() async -> Line? {
        while true {
            let batch = line.withLock { line -> Line? in
                guard line.isUrgent else { return nil }
                let batch = line
                (line.payloads, line.requests) = ([], [])
                (line.isUrgent, line.isScheduled) = (line.isClosed, false)
                return batch
            }
            if let batch { return batch.isEmpty && batch.isClosed ? nil : batch }
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
        schedule(.seconds(1)) { [weak self] in self?.request(.flush(nil)) }
    }

    /// Puts something at the end of the queue.
    func request(_ request: Request) {
        let request = UncheckedTransfer(request)
        push(isUrgent: true) { $0.requests.append(($0.payloads.count, request.value)) }
    }
}
