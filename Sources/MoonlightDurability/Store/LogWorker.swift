import Dispatch
import Moonlight
import Streams

/// The task that writes the log: it takes what the loop has put into the queue, encodes it, and has the storage keep it.
final class LogWorker<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: @unchecked Sendable {
    // Sound: after `init`, only the task of `run` touches the variables.
    private let storage: any LogStorage
    private let coding: SnapshotCoding<State, Event, Effect>
    private let degree: Acknowledgment
    private let keepsHistory: Bool
    private let turns: DurableTurns<State, Event, Effect>
    private let writer: LogWriter<State, Event, Effect>
    private let handle: Durability
    private var sequence: UInt64
    private var failure: DurabilityError?
    /// The turn that is being encoded, and those that were.
    private var turn = ByteWriter()
    private var turnFailure: DurabilityError?
    private var records: [LogRecord] = []
    private var size = 0
    /// Whether what was written will be synced within a second.
    private var isSyncDue = false
    /// The snapshot that is being saved.
    private var saving: Task<Void, Never>?

    init(
        _ storage: any LogStorage, _ coding: SnapshotCoding<State, Event, Effect>, _ degree: Acknowledgment, keepsHistory: Bool,
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
        while let batch = await writer.next() {
            var (turns, start) = (0, 0)
            func takeTurns(through last: Int) async {
                while turns < last {
                    let end = batch.ends[turns]
                    for entry in batch.entries[start..<end] { encode(entry) }
                    await endTurn()
                    (turns, start) = (turns + 1, end)
                }
            }
            for (place, request) in batch.requests {
                await takeTurns(through: place)
                await answer(request)
            }
            await takeTurns(through: batch.ends.count)
            await write()
        }
        await saving?.value
        await storage.close()
        handle.close()
    }

    private func answer(_ request: LogWriter<State, Event, Effect>.Request) async {
        switch request {
        case .snapshot(let moment): await save(moment)
        case .restart(let moment): await restart(moment)
        case .flush(let waiter): await flush(waiter)
        case .letGo: try? await storage.letGo(keepsHistory: keepsHistory)
        }
    }

    private func encode(_ entry: LogEntry<Event, Effect>) {
        guard failure == nil, turnFailure == nil else { return }
        do throws(DurabilityError) { try coding.entries.append(entry, to: &turn) } catch { turnFailure = error }
    }

    private func endTurn() async {
        sequence += 1
        defer { (turn, turnFailure) = (ByteWriter(), nil) }
        guard failure == nil else { return }
        if let turnFailure {
            await write()
            if failure == nil { fail(turnFailure) }
            return
        }
        records.append(LogRecord(sequence: sequence, schema: coding.entries.effects.version, payload: turn.bytes))
        size += turn.bytes.count
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
                writer.syncSoon()
            }
        } catch { fail(DurabilityError(wrapping: error)) }
    }

    private func fail(_ error: DurabilityError) {
        (failure, records, size) = (error, [], 0)
        writer.failure = error
        handle.degrade(error)
        turns.progress.fail(.notDurable(error, isTaken: true))
    }

    private func flush(_ waiter: LogWriter<State, Event, Effect>.Waiter?) async {
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

    private func save(_ moment: LogWriter<State, Event, Effect>.Moment) async {
        await write()
        await saving?.value
        do {
            if let failure { throw failure }
            try await storage.roll()
        } catch {
            let error = DurabilityError(wrapping: error)
            if failure == nil { fail(error) }
            for waiter in moment.waiters { waiter.resume(throwing: error) }
            return
        }
        saving = Task(executorPreference: LogExecutor(named: "snapshots")) { [self] in
            do {
                try await storage.save(coding.snapshot(moment.state, moment.book, at: moment.sequence))
                handle.noteSnapshot(moment.sequence, nil)
                writer.request(.letGo)
                for waiter in moment.waiters { waiter.resume() }
            } catch {
                let error = DurabilityError(wrapping: error)
                handle.noteSnapshot(moment.sequence, error)
                for waiter in moment.waiters { waiter.resume(throwing: error) }
            }
        }
    }

    private func restart(_ moment: LogWriter<State, Event, Effect>.Moment) async {
        await write()
        await saving?.value
        do {
            if failure != nil {
                try await storage.restart(from: coding.snapshot(moment.state, moment.book, at: moment.sequence))
                (failure, writer.failure) = (nil, nil)
                handle.advance(to: moment.sequence)
                handle.recover()
                turns.progress.fail(nil)
                turns.progress.release(through: writer.isDelayed ? .max : moment.sequence)
            }
            for waiter in moment.waiters { waiter.resume() }
        } catch {
            let error = DurabilityError(wrapping: error)
            fail(error)
            for waiter in moment.waiters { waiter.resume(throwing: error) }
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
