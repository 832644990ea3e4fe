import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("`LogWriter`")
struct LogWriterTests {
    typealias Writer = LogWriter<Till, Till.Event, Till.Effect>

    private let timetable = Timetable()

    private func append(_ turn: [UInt8], to writer: Writer, overrun: () -> Void = {}) { writer.append(turn, overrun: overrun) }

    private func makeWriter() -> Writer { Writer(.later(every: .seconds(3))) { [timetable] in timetable.add($0, $1) } }

    /// Waits for the turns that are to be written; nil if the writer has ended.
    private func turns(_ writer: Writer) async -> [[UInt8]]? {
        await writer.queue.next()?.compactMap { order in if case .turn(let payload) = order { payload } else { nil } }
    }

    @Test("Turns that may wait are taken at their time, with one timer for all of them")
    func later() async throws {
        let writer = makeWriter()
        append([1, 2], to: writer)
        append([3], to: writer)
        expectEqual(timetable.times, [.seconds(3)])
        timetable.fire(0)
        await expectEqual(turns(writer), [[1, 2], [3]])
        append([4], to: writer)
        expectEqual(timetable.times.count, 2)
    }

    @Test("A writer that is woken for nothing goes on, and a closed one ends when nothing is left")
    func wokenForNothing() async {
        let writer = makeWriter()
        append([1], to: writer)
        timetable.fire(0)
        await expectEqual(turns(writer), [[1]])
        timetable.fire(0)
        await expectEqual(turns(writer), [])
        append([2], to: writer)
        writer.close()
        await expectEqual(turns(writer), [[2]])
        await expect(writer.queue.next() == nil)
    }

    @Test("A line of 65,536 waiting turns is urgent, and the next turn reports that it has to be written first")
    func overrun() {
        let writer = makeWriter()
        let overruns = Recorder<Int>()
        func isUrgent() -> Bool { writer.queue.line.withLock { $0.isUrgent } }
        for turn in 1..<65_536 { append([0], to: writer) { overruns.append(turn) } }
        expect(!isUrgent())
        append([0], to: writer) { overruns.append(65_536) }
        expect(isUrgent())
        expectEqual(overruns.all, [])
        append([0], to: writer) { overruns.append(65_537) }
        expectEqual(overruns.all, [65_537])
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

    @Test("A new state after a failure of the log is not shown until the log goes on, even with `.later`")
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
