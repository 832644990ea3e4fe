import Dispatch
import Moonlight
import Streams

/// The task that writes the log: it takes what the loop has put into the queue, and has the storage keep it.
final class LogWorker<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: @unchecked Sendable {
    // Sound: after `init`, only the task of `run` touches the variables.
    typealias Writer = LogWriter<State, Event, Effect>

    private let storage: any LogBackend
    private let coding: SnapshotCoding<State, Event, Effect>
    private let degree: Acknowledgment
    private let keepsHistory: Bool
    private let turns: DurableTurns<State, Event, Effect>
    private let writer: Writer
    private let handle: Durability
    private var sequence: UInt64
    private var failure: DurabilityError?
    /// What is to be written, and how many bytes that is.
    private var records: [LogRecord] = []
    private var size = 0
    /// Whether what was written will be synced within a second.
    private var isSyncDue = false
    /// The snapshot that is being saved.
    private var saving: Task<Void, Never>?

    init(
        _ storage: any LogBackend, _ coding: SnapshotCoding<State, Event, Effect>, _ degree: Acknowledgment, keepsHistory: Bool,
        _ turns: DurableTurns<State, Event, Effect>
    ) {
        self.storage = storage
        self.coding = coding
        self.degree = degree
        self.keepsHistory = keepsHistory
        self.turns = turns
        writer = turns.writer
        handle = turns.handle
        sequence = turns.last
    }

    /// Writes until the writer is closed.
    func run() async {
        while let orders = await writer.queue.next() {
            for order in orders {
                switch order {
                case .turn(let payload): await take(payload)
                case .request(let request): await answer(request)
                }
            }
            await write()
        }
        if isSyncDue { await flush(nil) }
        await saving?.value
        await storage.close()
        handle.close()
    }

    private func answer(_ request: Writer.Request) async {
        switch request {
        case .snapshot(let checkpoint): await save(checkpoint)
        case .restart(let checkpoint): await restart(checkpoint)
        case .flush(let waiter): await flush(waiter)
        case .letGo:
            do { try await storage.letGo(keepsHistory: keepsHistory) } catch {
                handle.noteFailure(ofSnapshot: DurabilityError(wrapping: error))
            }
        }
    }

    private func take(_ payload: [UInt8]) async {
        sequence += 1
        guard failure == nil else { return }
        records.append(LogRecord(sequence: sequence, schema: coding.entries.effects.version, payload: payload))
        size += payload.count
        // Of very much, the first part need not wait for the last.
        if size > 1 << 22 { await write() }
    }

    private func write() async {
        guard let last = records.last?.sequence, failure == nil else { return }
        defer { (records, size) = ([], 0) }
        do {
            let isSynced = degree != .afterWrite
            try await storage.append(records, synced: isSynced)
            handle.advance(to: last)
            turns.progress.release(through: writer.isDelayed ? .max : last)
            if !isSynced, !isSyncDue {
                isSyncDue = true
                writer.queue.appendSoon(.request(.flush(nil)))
            }
        } catch { fail(DurabilityError(wrapping: error)) }
    }

    private func fail(_ error: DurabilityError) {
        (failure, records, size) = (error, [], 0)
        writer.failure = error
        handle.degrade(error)
        turns.progress.fail(.notDurable(error, isTaken: true))
    }

    private func flush(_ waiter: Writer.Waiter?) async {
        await write()
        isSyncDue = false
        do {
            if let failure { throw failure }
            try await storage.sync()
            waiter?.resume()
        } catch {
            let error = DurabilityError(wrapping: error)
            if failure == nil { fail(error) }
            waiter?.resume(throwing: error)
        }
    }

    // MARK: Snapshots

    private func save(_ checkpoint: Writer.Checkpoint) async {
        await write()
        await saving?.value
        do {
            if let failure { throw failure }
            try await storage.roll()
        } catch {
            let error = DurabilityError(wrapping: error)
            if failure == nil { fail(error) }
            for waiter in checkpoint.waiters { waiter.resume(throwing: error) }
            return
        }
        saving = Task(executorPreference: LogExecutor(named: "snapshots")) { [self] in
            do {
                try await storage.save(coding.snapshot(checkpoint.state, checkpoint.book, at: checkpoint.sequence))
                handle.noteSnapshot(checkpoint.sequence)
                writer.request(.letGo)
                for waiter in checkpoint.waiters { waiter.resume() }
            } catch {
                let error = DurabilityError(wrapping: error)
                handle.noteFailure(ofSnapshot: error)
                for waiter in checkpoint.waiters { waiter.resume(throwing: error) }
            }
        }
    }

    private func restart(_ checkpoint: Writer.Checkpoint) async {
        await write()
        await saving?.value
        do {
            if failure != nil {
                let snapshot: LogSnapshot
                do throws(DurabilityError) {
                    snapshot = try coding.snapshot(checkpoint.state, checkpoint.book, at: checkpoint.sequence)
                } catch {
                    // That is no failure of the disk, which stays the reason for which nothing is written.
                    for waiter in checkpoint.waiters { waiter.resume(throwing: error) }
                    return
                }
                try await storage.restart(from: snapshot)
                (failure, writer.failure) = (nil, nil)
                handle.advance(to: checkpoint.sequence)
                handle.recover()
                turns.progress.fail(nil)
                turns.progress.release(through: writer.isDelayed ? .max : checkpoint.sequence)
            }
            for waiter in checkpoint.waiters { waiter.resume() }
        } catch {
            let error = DurabilityError(wrapping: error)
            fail(error)
            for waiter in checkpoint.waiters { waiter.resume(throwing: error) }
        }
    }
}

/// Runs the tasks of a log on a thread that may block.
final class LogExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(named name: String) { queue = DispatchQueue(label: "moonlight.\(name)") }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
