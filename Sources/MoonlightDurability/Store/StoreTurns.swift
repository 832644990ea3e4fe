import Moonlight
import Streams
import Synchronization

/// The turns of a single store. Its snapshots are made concurrently with the loop, and its log can resume after a failure.
final class StoreTurns<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: DurableTurns<State, Event, Effect>,
    @unchecked Sendable
{
    // Sound: the requests are behind their lock, and only the writer's task uses `saving`.
    typealias Waiter = CheckedContinuation<Void, any Error>

    /// The tasks that wait for a snapshot, and those that wait for the log to resume after a failure.
    private struct Requests: Sendable {
        var snapshot: [Waiter] = []
        var restart: [Waiter] = []
        var isEnded = false
    }

    /// The state between two turns.
    private struct Checkpoint: Sendable {
        let state: State
        let book: LogBook<Event>
        /// The last turn before it.
        let sequence: UInt64
        /// The tasks that wait until it is durable.
        let waiters: [Waiter]

        func resume(throwing error: DurabilityError? = nil) {
            for waiter in waiters { if let error { waiter.resume(throwing: error) } else { waiter.resume() } }
        }
    }

    let handle: Durability
    private let storage: any LogBackend
    private let keepsHistory: Bool
    private let requests = Lock(Requests())
    /// True if there are requests.
    private let isAsked = Atomic<Bool>(false)
    /// The snapshot that is being saved.
    private var saving: Task<Void, Never>?

    init(
        _ settings: TurnSettings<State, Event, Effect>, _ recovered: Recovered<State, Event, Effect>,
        _ leftOver: [LeftOver<Event>],
        _ storage: any LogBackend, keepsHistory: Bool, _ handle: Durability
    ) {
        self.handle = handle
        self.storage = storage
        self.keepsHistory = keepsHistory
        super.init("", settings, recovered, leftOver, written: recovered.last)
    }

    // MARK: The loop

    override var hasFailed: Bool { progress.hasFailed.load(ordering: .acquiring) }

    override var failure: DurabilityError? {
        if hasFailed, case .notDurable(let error, _) = progress.failure { error as? DurabilityError } else { nil }
    }

    override func answerRequests(_ state: UnsafePointer<State>) {
        guard isAsked.load(ordering: .acquiring) else { return }
        isAsked.store(false, ordering: .releasing)
        let asked = requests.withLock { requests in
            defer { (requests.snapshot, requests.restart) = ([], []) }
            return requests
        }
        if !asked.restart.isEmpty {
            let checkpoint = checkpoint(state, asked.restart)
            settings.writer.call { [self] in await restart(checkpoint) }
        }
        if !asked.snapshot.isEmpty { save(checkpoint(state, asked.snapshot)) }
    }

    override func takeSnapshot(_ state: UnsafePointer<State>) { save(checkpoint(state, [])) }

    private func save(_ checkpoint: Checkpoint) { settings.writer.call { [self] in await saveBeside(checkpoint) } }

    private func checkpoint(_ state: UnsafePointer<State>, _ waiters: [Waiter]) -> Checkpoint {
        Checkpoint(state: state.pointee, book: takeBook(), sequence: last, waiters: waiters)
    }

    override func end(_ state: UnsafePointer<State>) {
        let left = requests.withLock { requests in
            requests.isEnded = true
            return requests.snapshot + requests.restart
        }
        for waiter in left { waiter.resume(throwing: DurabilityError.closed) }
        settings.writer.close()
    }

    // MARK: The writer's task

    /// Writes until the loop has ended.
    func run() async {
        await settings.writer.run(
            LogWriter.Target(
                largest: settings.largest,
                append: { [self] batch, synced in
                    for append in batch { try await storage.append(append.records, synced: synced) }
                    return batch.map { _ in nil }
                },
                sync: { [self] in try await sync() },
                close: { [self] in
                    await saving?.value
                    await storage.close()
                    handle.close()
                },
                retriesSync: false, note: { _ in }))
    }

    override func wrote(through sequence: UInt64) {
        handle.advance(to: sequence)
        super.wrote(through: sequence)
    }

    override func failed(_ error: DurabilityError) {
        handle.degrade(error)
        progress.fail(.notDurable(error, isTaken: true))
    }

    private func sync() async throws {
        if let failure { throw failure }
        do { try await storage.sync() } catch { throw failing(error) }
    }

    private func failing(_ error: any Error) -> DurabilityError {
        let error = DurabilityError(wrapping: error)
        failed(error)
        return error
    }

    /// Saves a snapshot.
    private func saveBeside(_ checkpoint: Checkpoint) async {
        await saving?.value
        if let failure { return checkpoint.resume(throwing: failure) }
        do { try await storage.roll() } catch { return checkpoint.resume(throwing: failing(error)) }
        saving = Task(executorPreference: LogExecutor(named: "snapshots")) { [self] in
            do {
                try await storage.save(settings.coding.snapshot(checkpoint.state, checkpoint.book, at: checkpoint.sequence))
                handle.noteSnapshot(checkpoint.sequence)
                settings.writer.call { [weak self] in await self?.prune() }
                checkpoint.resume()
            } catch {
                let error = DurabilityError(wrapping: error)
                handle.noteFailure(ofSnapshot: error)
                checkpoint.resume(throwing: error)
            }
        }
    }

    private func prune() async {
        do { try await storage.prune(keepsHistory: keepsHistory) } catch {
            handle.noteFailure(ofSnapshot: DurabilityError(wrapping: error))
        }
    }

    /// Resumes after a failure, with a snapshot.
    private func restart(_ checkpoint: Checkpoint) async {
        await saving?.value
        guard hasFailed else { return checkpoint.resume() }
        do {
            let snapshot: LogSnapshot
            do throws(DurabilityError) {
                snapshot = try settings.coding.snapshot(checkpoint.state, checkpoint.book, at: checkpoint.sequence)
            } catch {
                // This is not a failure of the disk, which remains the reported reason.
                return checkpoint.resume(throwing: error)
            }
            try await storage.restart(from: snapshot)
            handle.advance(to: checkpoint.sequence)
            handle.recover()
            progress.fail(nil)
            release(through: checkpoint.sequence)
            checkpoint.resume()
        } catch { checkpoint.resume(throwing: failing(error)) }
    }
}

extension StoreTurns: DurabilityActions {
    func flush() async throws { try await settings.writer.flush() }
    func snapshot() async throws { try await request(\.snapshot) }
    func resume() async throws { try await request(\.restart) }

    /// Requests a snapshot, or a resumption after a failure, and waits for it.
    private func request(_ list: WritableKeyPath<Requests, [Waiter]>) async throws {
        try await withCheckedThrowingContinuation { waiter in
            let isEnded = requests.withLock { requests in
                if !requests.isEnded { requests[keyPath: list].append(waiter) }
                return requests.isEnded
            }
            if isEnded { return waiter.resume(throwing: DurabilityError.closed) }
            isAsked.store(true, ordering: .releasing)
            progress.wakeLoop()
        }
    }
}
