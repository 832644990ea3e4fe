import Streams

/// The log of a durable store: its status, and requests to it.
///
/// ```swift
/// for await status in orders.durability!.statuses.values {
///     if case .degraded(let error) = status { await alert("orders are not taken: \(error)") }
/// }
/// ```
/// It can be used from any thread.
public final class Durability: Sendable {
    /// The status of a log.
    public enum Status: Sendable, Hashable {
        /// The log is written.
        case healthy
        /// The log could not be written, for this reason. Until ``Durability/resume()`` succeeds, events are refused with
        /// `SendError.notDurable(_:isTaken:)`, and unwritten results are not published.
        case degraded(DurabilityError)
        /// The store has ended, and the log is closed.
        case closed
    }

    /// The report of the recovery when the store was opened.
    public let recovery: LogRecovery
    private let guarded: Lock<Guarded>
    private let subject = CurrentValueSubject<Status, Never>(.healthy)
    private let actions = Lock<(any DurabilityActions)?>(nil)

    private struct Guarded: Sendable {
        var written: UInt64
        var snapshot: UInt64?
        var snapshotFailure: DurabilityError?
        var isClosed = false
        /// The tasks that wait for the end, by number.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    init(_ recovery: LogRecovery) {
        self.recovery = recovery
        guarded = Lock(Guarded(written: recovery.last, snapshot: recovery.snapshot))
    }

    func connect(_ actions: any DurabilityActions) { self.actions.withLock { $0 = actions } }

    /// The current status.
    public var status: Status { subject.value }

    /// The current status and each change.
    public var statuses: AnyPublisher<Status, Never> { subject.removeDuplicates().eraseToAnyPublisher() }

    /// The last record that was written, to the chosen degree.
    public var position: UInt64 { guarded.withLock { $0.written } }

    /// The last record that the newest snapshot includes; nil without a snapshot.
    public var snapshotPosition: UInt64? { guarded.withLock { $0.snapshot } }

    /// The error of the last snapshot, or of the cleaning after it; nil if both succeeded. The store continues without it.
    public var snapshotFailure: DurabilityError? { guarded.withLock { $0.snapshotFailure } }

    /// Waits until everything so far is synced, at any degree. Like ``snapshot()`` and ``resume()``, it waits even if the task is
    /// cancelled.
    public func flush() async throws(DurabilityError) { try await wrapping { try await self.connected.flush() } }

    /// Makes a snapshot of the current state, and removes the snapshots and records that it replaces.
    public func snapshot() async throws(DurabilityError) { try await wrapping { try await self.connected.snapshot() } }

    /// Resumes after a failure of the disk: writes the current state as a snapshot, continues the log behind it, and publishes the held
    /// results. Does nothing if the log is healthy.
    ///
    /// - Throws: The reason why the log is still degraded.
    public func resume() async throws(DurabilityError) { try await wrapping { try await self.connected.resume() } }

    /// Waits until the store has ended, everything is written and the log is closed, so that it can be opened again. Returns at once if
    /// the task is cancelled.
    public func closed() async {
        let number = guarded.withLock { guarded in
            guarded.lastWaiter += 1
            return guarded.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = guarded.withLock { guarded in
                    if guarded.isClosed || Task.isCancelled { return true }
                    guarded.waiters[number] = waiter
                    return false
                }
                if goesOn { waiter.resume() }
            }
        } onCancel: {
            guarded.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    private var connected: any DurabilityActions {
        get throws(DurabilityError) {
            guard let actions = actions.withLock({ $0 }) else { throw .closed }
            return actions
        }
    }

    private func wrapping(_ body: () async throws -> Void) async throws(DurabilityError) {
        do { try await body() } catch { throw DurabilityError(wrapping: error) }
    }

    // MARK: The writer

    func advance(to sequence: UInt64) { guarded.withLock { $0.written = sequence } }

    func noteSnapshot(_ sequence: UInt64) {
        guarded.withLock { guarded in (guarded.snapshot, guarded.snapshotFailure) = (sequence, nil) }
    }

    func noteFailure(ofSnapshot failure: DurabilityError) { guarded.withLock { $0.snapshotFailure = failure } }

    func degrade(_ error: DurabilityError) { subject.send(.degraded(error)) }
    func recover() { subject.send(.healthy) }

    func close() {
        discard(actions.withLock { $0.take() })
        subject.send(.closed)
        subject.send(completion: .finished)
        let waiters = guarded.withLock { guarded in
            guarded.isClosed = true
            defer { guarded.waiters = [:] }
            return guarded.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// The open log of a durable store.
protocol DurabilityActions: AnyObject, Sendable {
    var handle: Durability { get }
    func flush() async throws
    func snapshot() async throws
    func resume() async throws
}

/// The report of a recovery: the content of the log when a durable store was opened.
public struct LogRecovery: Sendable, Hashable {
    /// The last record of the snapshot with which the recovery began; nil for the initial state.
    public internal(set) var snapshot: UInt64?
    /// The damaged snapshots that were skipped, newest first.
    public internal(set) var damagedSnapshots: [UInt64] = []
    /// The snapshots that were skipped because of their versions, each with that version.
    public internal(set) var doubtedSnapshots: [UInt64: String] = [:]
    /// The number of effects that were folded into the state.
    public internal(set) var effects = 0
    /// The last record.
    public internal(set) var last: UInt64 = 0
    /// The torn end that was cut off; nil if the log was intact.
    public internal(set) var tornEnd: TornEnd?
    /// The number of interrupted pieces of work.
    public internal(set) var interrupted = 0
}
