import Streams

/// The log of a durable store: what has become of it, and what one can ask of it.
///
/// ```swift
/// for await status in orders.durability!.statuses.values {
///     if case .degraded(let error) = status { await alert("orders are not taken: \(error)") }
/// }
/// ```
/// It is safe to use from any thread.
public final class Durability: Sendable {
    /// Whether what happens is written.
    public enum Status: Sendable, Hashable {
        /// It is.
        case healthy
        /// The log could not be written, for this reason. Events are refused with `SendError.notDurable(_:isTaken:)`, and
        /// what was not written is not told, until ``Durability/resume()`` has succeeded.
        case degraded(DurabilityError)
        /// The store has ended, and the log was closed.
        case closed
    }

    /// What was found when the store was opened.
    public let recovery: LogRecovery
    private let guarded: Lock<Guarded>
    private let subject = CurrentValueSubject<Status, Never>(.healthy)
    private let actions = Lock<(any DurableActions)?>(nil)

    private struct Guarded: Sendable {
        var written: UInt64
        var snapshot: UInt64?
        var snapshotFailure: DurabilityError?
        var isClosed = false
        /// The tasks that wait for the end, by their numbers.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    init(_ recovery: LogRecovery) {
        self.recovery = recovery
        guarded = Lock(Guarded(written: recovery.last, snapshot: recovery.snapshot))
    }

    func connect(_ actions: any DurableActions) { self.actions.withLock { $0 = actions } }

    /// Whether what happens is written, now.
    public var status: Status { subject.value }

    /// Whether what happens is written: the present status, and each change.
    public var statuses: AnyPublisher<Status, Never> { subject.removeDuplicates().eraseToAnyPublisher() }

    /// The last record that was written, to the degree that was asked for.
    public var position: UInt64 { guarded.withLock { $0.written } }

    /// The last record that the newest snapshot includes; nil if there is no snapshot.
    public var snapshotPosition: UInt64? { guarded.withLock { $0.snapshot } }

    /// Why the last attempt at a snapshot has failed, or at removing what it makes superfluous; nil if it has not. The store goes on
    /// without.
    public var snapshotFailure: DurabilityError? { guarded.withLock { $0.snapshotFailure } }

    /// Returns when everything that has happened so far is synced, whatever the degree.
    ///
    /// Like ``snapshot()`` and ``resume()``, it waits for the disk also if the task is cancelled.
    public func flush() async throws(DurabilityError) { try await wrapping { try await self.connected.flush() } }

    /// Makes a snapshot of the present state, and lets go of what it makes superfluous.
    public func snapshot() async throws(DurabilityError) { try await wrapping { try await self.connected.snapshot() } }

    /// Goes on after a failure of the disk: the present state is written as a snapshot, behind which the log goes on. What was held
    /// back is told then. Does nothing if the log is healthy.
    ///
    /// - Throws: The reason why it is degraded still.
    public func resume() async throws(DurabilityError) { try await wrapping { try await self.connected.resume() } }

    /// Returns when the store has ended, everything that was to be written is, and the log is closed: another may open it then. A task
    /// that is cancelled goes on at once.
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

    private var connected: any DurableActions {
        get throws(DurabilityError) {
            guard let actions = actions.withLock({ $0 }) else { throw .closed }
            return actions
        }
    }

    private func wrapping(_ body: () async throws -> Void) async throws(DurabilityError) {
        do { try await body() } catch { throw DurabilityError(wrapping: error) }
    }

    // MARK: From the writer

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

/// What can be asked of a log that is open.
protocol DurableActions: AnyObject, Sendable {
    func flush() async throws
    func snapshot() async throws
    func resume() async throws
}

extension DurableTurns: DurableActions {
    func flush() async throws { try await writer.flush() }
    func snapshot() async throws { try await request(\.snapshot) }
    func resume() async throws { try await request(\.restart) }
}

/// What has the log of a store.
protocol HasDurability { var handle: Durability { get } }
