import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("`LogWriter`")
struct LogWriterTests {
    private let timetable = Timetable()
    private let log = SilentLog()

    private func append(_ sequences: UInt64..., to writer: LogWriter) {
        for sequence in sequences {
            writer.append(LogRecord(sequence: sequence, schema: 1, payload: [0]), of: log, due: nil)
        }
    }

    private func makeWriter() -> LogWriter { LogWriter(.later(every: .seconds(3))) { [timetable] in timetable.add($0, $1) } }

    /// Waits for the next records to write; nil if the writer has ended.
    private func records(_ writer: LogWriter) async -> [UInt64]? {
        await writer.queue.next()?.compactMap { order in
            if case .record(let record, _, _) = order { record.sequence } else { nil }
        }
    }

    @Test("Records that may wait are written at their time, with one timer for all of them")
    func later() async throws {
        let writer = makeWriter()
        append(1, 2, to: writer)
        expectEqual(timetable.times, [.seconds(3)])
        timetable.fire(0)
        await expectEqual(records(writer), [1, 2])
        append(3, to: writer)
        expectEqual(timetable.times.count, 2)
    }

    @Test("A writer that is woken without work continues, and a closed one ends when all is written")
    func wokenForNothing() async {
        let writer = makeWriter()
        append(1, to: writer)
        timetable.fire(0)
        await expectEqual(records(writer), [1])
        timetable.fire(0)
        await expectEqual(records(writer), [])
        append(2, to: writer)
        writer.close()
        await expectEqual(records(writer), [2])
        await expect(writer.queue.next() == nil)
    }

    @Test("A queue of 65,536 waiting records is urgent")
    func overrun() {
        let writer = makeWriter()
        func isUrgent() -> Bool { writer.queue.line.withLock { $0.isUrgent } }
        for sequence in 1..<65_536 { append(UInt64(sequence), to: writer) }
        expect(!isUrgent())
        expect(!writer.queue.isFull)
        append(65_536, to: writer)
        expect(isUrgent())
        expect(writer.queue.isFull)
    }

    @Test("A turn after 65,536 waiting records publishes nothing before it is written")
    func overrunTurn() throws {
        let writer = makeWriter()
        let coding = SnapshotCoding<Till, Till.Event, Till.Effect>(
            states: Schema(Till.self), entries: EntryCoding(effects: Schema(Till.Effect.self), events: nil), reducerVersion: 1,
            believedReducers: [])
        let settings = TurnSettings(
            coding, writer, identity: 7, largest: 1000, snapshotEvery: .max, keys: .latest(1), now: { 0 })
        let turns = StoreTurns(
            settings, Recovered(state: Till(), book: LogBook(.latest(1))), [], NotedStorage(), keepsHistory: false,
            Durability(LogRecovery()))
        var state = Till()
        for _ in 0..<65_536 {
            try turns.prepare(.added(1))
            turns.noteApplied(followUps: 0)
            withUnsafePointer(to: &state) { turns.endTurn($0) }
        }
        expect(turns.isReleased(turns.position))
        try turns.prepare(.added(1))
        turns.noteApplied(followUps: 0)
        withUnsafePointer(to: &state) { turns.endTurn($0) }
        expect(!turns.isReleased(turns.position))
        turns.wrote(through: turns.position)
        expect(turns.isReleased(turns.position + 1))
    }

    @Test("A record after a failed write of the same round is not written")
    func failedPart() async {
        let writer = LogWriter(.afterSync) { _, _ in }
        let appends = Recorder<[UInt64]>()
        for sequence in [1, 2] as [UInt64] {
            let payload = [UInt8](repeating: 0, count: 3 << 20)
            writer.append(LogRecord(sequence: sequence, schema: 1, payload: payload), of: log, due: nil)
        }
        writer.close()
        await writer.run(
            LogWriter.Target(
                largest: 1 << 28,
                append: { batch, _ in
                    appends.append(batch.flatMap(\.records).map(\.sequence))
                    throw DurabilityError.closed
                }, sync: {}, close: {}, retriesSync: false, note: { _ in }))
        expectEqual(appends.all, [[1]])
        expect(log.hasFailed)
    }

    @Test("A flush or a snapshot comes after the turns before it")
    func flush() async throws {
        let storage = NotedStorage()
        let store = try await open(storage, acknowledge: .later(every: .seconds(3)), timetable: timetable)
        store.post(.add(1))
        store.post(.add(2))
        try await store.durability?.flush()
        expectEqual(storage.calls.all, ["append 1 2, synced", "sync"])
        store.post(.add(3))
        try await store.durability?.snapshot()
        expectEqual(storage.calls.all.dropFirst(2), ["append 3, synced", "save 3"])
        await store.close()
        expectEqual(storage.calls.last, "close")
    }

    @Test("Turns that were only written are synced within a second, once for all of them")
    func syncedSoon() async throws {
        let storage = NotedStorage()
        let store = try await open(storage, acknowledge: .afterWrite, timetable: timetable)
        expectEqual(word(await store.send(.add(1))), "done")
        expectEqual(word(await store.send(.add(2))), "done")
        expectEqual(storage.calls.all, ["append 1", "append 2"])
        await timetable.count(1)
        expectEqual(timetable.times, [.seconds(1)])
        timetable.fire(0)
        try await store.durability?.flush()
        expectEqual(storage.calls.all.dropFirst(2), ["sync", "sync"])
        expectEqual(word(await store.send(.add(3))), "done")
        await timetable.count(2)
        expectEqual(timetable.times.count, 2)
        await store.close()
    }

    @Test("A new state after a failure of the log is held until the log resumes, even with `.later`")
    func failedLater() async throws {
        let (storage, bank) = (NotedStorage(), Bank())
        let store = try await open(storage, bank, acknowledge: .later(every: .seconds(3)), timetable: timetable)
        store.post(.pay("a"))
        expectEqual(bank.attempts.count, 1)
        storage.fill(true)
        store.post(.add(1))
        await #expect(throws: DurabilityError.self) { try await store.durability?.flush() }
        bank.answer("a")
        expectEqual(store.state, Till(total: 1))
        storage.fill(false)
        try await store.durability?.resume()
        expectEqual(word(await store.send(.add(1))), "done")
        expectEqual(store.state, Till(total: 2, receipts: ["a"]))
        await store.close()
    }
}

/// A log that only records its failure.
private final class SilentLog: WrittenLog {
    private let failure = Lock<DurabilityError?>(nil)

    var id: String { "" }
    var hasFailed: Bool { failure.withLock { $0 != nil } }
    func wrote(through sequence: UInt64) {}
    func failed(_ error: DurabilityError) { failure.withLock { $0 = error } }
    func closed() {}
}
