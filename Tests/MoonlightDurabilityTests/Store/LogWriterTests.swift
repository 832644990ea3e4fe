import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightDurability

@Suite("What passes turns to the storage")
struct LogWriterTests {
    typealias Writer = LogWriter<Till, Till.Event, Till.Effect>

    private let timetable = Timetable()

    private func append(_ amounts: [Int], to writer: Writer, overrun: () -> Void = {}) {
        var entries = amounts.map { LogEntry<Till.Event, Till.Effect>.effect(.added($0)) }
        writer.append(&entries, overrun: overrun)
        #expect(entries.isEmpty)
    }

    private func makeWriter() -> Writer { Writer(.later(every: .seconds(3))) { [timetable] in timetable.add($0, $1) } }

    @Test("What may wait is taken when its time has come, and a time is set once for all that waits")
    func later() async throws {
        let writer = makeWriter()
        append([1, 2], to: writer)
        append([3], to: writer)
        #expect(timetable.times == [.seconds(3)])
        timetable.fire(0)
        let batch = try #require(await writer.next())
        #expect(batch.ends == [2, 3])
        #expect(batch.entries.count == 3)
        append([4], to: writer)
        #expect(timetable.times.count == 2)
    }

    @Test("A writer that is woken for nothing goes on; one that is closed ends when nothing is left")
    func wokenForNothing() async {
        let writer = makeWriter()
        append([1], to: writer)
        timetable.fire(0)
        #expect(await writer.next()?.ends == [1])
        timetable.fire(0)
        #expect(await writer.next()?.ends == [])
        append([2], to: writer)
        writer.close()
        #expect(await writer.next()?.ends == [1])
        #expect(await writer.next() == nil)
    }

    @Test("When 65,536 turns wait, they wait no longer, and the next is not told before it is written")
    func overrun() {
        let writer = makeWriter()
        let overruns = Recorder<Int>()
        func isUrgent() -> Bool { writer.line.withLock { $0.isUrgent } }
        for turn in 1..<65_536 { append([turn], to: writer) { overruns.append(turn) } }
        #expect(!isUrgent())
        append([0], to: writer) { overruns.append(65_536) }
        #expect(isUrgent())
        #expect(overruns.all == [])
        append([0], to: writer) { overruns.append(65_537) }
        #expect(overruns.all == [65_537])
    }

    @Test("A flush comes after the turns before it")
    func flush() async throws {
        let storage = NotedStorage()
        let store = try await open(storage, acknowledge: .later(every: .seconds(3)), timetable: timetable)
        store.post(.add(1))
        store.post(.add(2))
        try await store.durability?.flush()
        #expect(storage.calls.all == ["append 1 2, synced", "sync"])
        store.post(.add(3))
        try await store.durability?.snapshot()
        #expect(storage.calls.all.dropFirst(2) == ["append 3, synced", "save 3"])
        await store.close()
        #expect(storage.calls.last == "close")
    }

    @Test("What was only written is synced within a second, once for all of it")
    func syncedSoon() async throws {
        let storage = NotedStorage()
        let store = try await open(storage, acknowledge: .afterWrite, timetable: timetable)
        #expect(word(await store.send(.add(1))) == "done")
        #expect(word(await store.send(.add(2))) == "done")
        #expect(storage.calls.all == ["append 1", "append 2"])
        await timetable.count(1)
        #expect(timetable.times == [.seconds(1)])
        timetable.fire(0)
        try await store.durability?.flush()
        #expect(storage.calls.all.dropFirst(2) == ["sync", "sync"])
        #expect(word(await store.send(.add(3))) == "done")
        await timetable.count(2)
        #expect(timetable.times.count == 2)
        await store.close()
    }

    @Test("What comes in when the log has failed is not told, even if it need not be written first, until the log goes on")
    func failedLater() async throws {
        let (storage, bank) = (NotedStorage(), Bank())
        let store = try await open(storage, bank, acknowledge: .later(every: .seconds(3)), timetable: timetable)
        store.post(.pay("a"))
        #expect(bank.attempts.count == 1)
        storage.fill(true)
        store.post(.add(1))
        await #expect(throws: DurabilityError.self) { try await store.durability?.flush() }
        bank.answer("a")
        #expect(store.state == Till(total: 1))
        storage.fill(false)
        try await store.durability?.resume()
        #expect(word(await store.send(.add(1))) == "done")
        #expect(store.state == Till(total: 2, receipts: ["a"]))
        await store.close()
    }
}
