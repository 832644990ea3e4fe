import Moonlight
import Streams
import Synchronization

/// Passes what the loop of a store has done to the task that writes its log: see ``LogWorker``.
@usableFromInline
final class LogWriter<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    @usableFromInline typealias Waiter = CheckedContinuation<Void, any Error>

    /// What the task has to write or to do, in order.
    @usableFromInline
    enum Order: Sendable {
        /// The payload of a turn.
        case turn([UInt8])
        // Elsewhere, so that a turn has eight bytes in the queue.
        indirect case request(Request)
    }

    /// What is asked of the task, beside the turns.
    @usableFromInline
    enum Request: Sendable {
        case snapshot(Checkpoint)
        case restart(Checkpoint)
        case flush(Waiter?)
        case letGo
    }

    /// The state between two turns, and who waits until it is safe.
    @usableFromInline
    struct Checkpoint: Sendable {
        let state: State
        let book: LogBook<Event>
        /// The last turn before it.
        let sequence: UInt64
        let waiters: [Waiter]
    }

    @usableFromInline let queue: WriteQueue<Order>
    private let lastFailure = Lock<DurabilityError?>(nil)
    /// Whether there is a ``failure``.
    private let hasFailed = Atomic<Bool>(false)

    init(
        _ degree: Acknowledgment, schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        queue = WriteQueue(degree, schedule: schedule)
    }

    /// Whether what happens may be told before it is written.
    var isDelayed: Bool { queue.isDelayed }

    /// Appends a turn.
    ///
    /// - Parameters:
    ///   - payload: What it has led to.
    ///   - overrun: Called before, if so many turns wait that nothing should be told before it is written: when the turn has been
    ///     written, everything is told again.
    @inlinable
    func append(_ payload: [UInt8], overrun: () -> Void) {
        let mayWait = queue.isDelayed
        if mayWait, queue.isFull { overrun() }
        queue.append(.turn(payload), mayWait: mayWait)
    }

    func request(_ request: Request) { queue.append(.request(request)) }

    /// Returns when everything so far is synced.
    func flush() async throws { try await queue.ask { .request(.flush($0)) } }

    /// Ends the writer, when it has written what is in the queue.
    func close() { queue.close() }

    /// The failure after which nothing is written until the log is restarted.
    var failure: DurabilityError? {
        get { hasFailed.load(ordering: .acquiring) ? lastFailure.withLock { $0 } : nil }
        set {
            lastFailure.withLock { $0 = newValue }
            hasFailed.store(newValue != nil, ordering: .releasing)
        }
    }
}
