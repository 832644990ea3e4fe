import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Interrupted work")
struct InterruptedWorkTests {
    private struct Seen: Equatable, Sendable {
        let event: Till.Event
        let job: String?
        let key: String
        let attempts: Int

        init(_ work: InterruptedWork<Till.Event>) {
            (event, job, key, attempts) = (work.event, work.job, work.key, work.attempts)
        }
    }

    @Test("Interrupted work is handed back once with its key, and ended work is not")
    func handedBack() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        async let ended = store.send(.pay("a"))
        await bank.attempts.count(1)
        bank.answer("a")
        expectEqual(word(await ended), "done")
        store.post(.pay("b"))
        await bank.attempts.count(2)
        await store.close()
        let seen = Recorder<Seen>()
        let again = try await open(disk) {
            seen.append(Seen($0))
            return .drop
        }
        let key = try #require(bank.attempts.last?.key)
        expectEqual(seen.all.map(\.event), [.pay("b")])
        expectEqual(seen.all.map(\.job), ["pay"])
        expectEqual(seen.all.map(\.key), [key])
        expectEqual(seen.all.map(\.attempts), [1])
        expect(bank.attempts.all[0].key != key)
        expectEqual(again.durability?.recovery.interrupted, 1)
        await again.close()
        // Dropped.
        try await open(disk) {
            Issue.record("\($0.event)")
            return .drop
        }.close()
    }

    @Test("Each attempt of interrupted work has the same key and the next number, and is handed back in its turn")
    func attempts() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let first = try await open(disk, bank)
        first.post(.pay("a"))
        await bank.attempts.count(1)
        await first.close()
        for attempt in 2...4 {
            let seen = Recorder<Seen>()
            let store = try await open(disk, bank) {
                seen.append(Seen($0))
                return .send(.payAgain("a"))
            }
            await bank.attempts.count(attempt)
            expectEqual(seen.all.map(\.attempts), [attempt - 1])
            expectEqual(seen.all.map(\.event), [attempt == 2 ? .pay("a") : .payAgain("a")])
            expectEqual(bank.attempts.last?.number, attempt)
            await store.close()
        }
        expectEqual(Set(bank.attempts.all.map(\.key)).count, 1)
        let last = try await open(disk, bank) { .send($0.event) }
        await bank.attempts.count(5)
        bank.answer("a")
        await last.quiet()
        expectEqual(last.state.receipts, ["a"])
        await last.close()
        try await open(disk) {
            Issue.record("\($0.event)")
            return .drop
        }.close()
    }

    @Test(
        "An event with two interrupted streams is sent again once, and each stream keeps its key",
        arguments: [true, false], [true, false])
    func twoStreams(areJobs: Bool, hasSnapshot: Bool) async throws {
        let reducer = Reducer.payingBoth("card", "points", areJobs: areJobs)
        let (disk, bank) = (SimulatedDisk(), Bank())
        for attempt in 1...4 {
            let store = try await open(disk, bank, reducer: reducer) { .send($0.event) }
            if attempt == 1 { store.post(.pay("")) }
            await bank.attempts.count(2 * attempt)
            expectEqual(store.durability?.recovery.interrupted, attempt == 1 ? 0 : 2)
            if hasSnapshot { try await store.durability?.snapshot() }
            // The reply to a later event follows any further stream.
            expectEqual(word(await store.send(.add(1))), "done")
            await store.close()
            expectEqual(bank.attempts.all.suffix(2).map(\.name), ["card", "points"])
            expectEqual(bank.attempts.all.suffix(2).map(\.number), [attempt, attempt])
        }
        expectEqual(bank.attempts.count, 8)
        for name in ["card", "points"] { expectEqual(Set(bank.attempts.all.filter { $0.name == name }.map(\.key)).count, 1) }
        expectEqual(Set(bank.attempts.all.map(\.key)).count, 2)
    }

    @Test(
        "A stream that had ended begins again with its old key if another one of its event was interrupted",
        arguments: [true, false], [true, false])
    func endedStream(areJobs: Bool, hasSnapshot: Bool) async throws {
        let reducer = Reducer.payingBoth("card", "points", areJobs: areJobs)
        let (disk, bank) = (SimulatedDisk(), Bank())
        for attempt in 1...3 {
            let store = try await open(disk, bank, reducer: reducer) { .send($0.event) }
            if attempt == 1 { store.post(.pay("")) }
            await bank.attempts.count(2 * attempt)
            bank.answer("card")
            try await until { store.state.receipts.count == attempt }
            try await until { store.inFlight.count == 1 }
            if hasSnapshot { try await store.durability?.snapshot() }
            await store.close()
        }
        expectEqual(Array(bank.attempts.all.map(\.name).suffix(4)), ["card", "points", "card", "points"])
        for name in ["card", "points"] { expectEqual(Set(bank.attempts.all.filter { $0.name == name }.map(\.key)).count, 1) }
        let last = try await open(disk, bank, reducer: reducer) { .send($0.event) }
        await bank.attempts.count(8)
        bank.answer("card")
        bank.answer("points")
        await last.quiet()
        await last.close()
        try await expectEqual(open(disk, reducer: reducer).durability?.recovery.interrupted, 0)
    }

    @Test("A job keeps its key if its event, sent again, no longer leads to the job before it")
    func fewerStreams() async throws {
        let reducer = Reducer.payingBoth("card", "points", areJobs: true, skipsPaid: true)
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank, reducer: reducer)
        store.post(.pay(""))
        await bank.attempts.count(2)
        bank.answer("card")
        try await until { store.inFlight.count == 1 }
        await store.close()
        let again = try await open(disk, bank, reducer: reducer) { .send($0.event) }
        await bank.attempts.count(3)
        bank.answer("points")
        await again.quiet()
        expectEqual(bank.attempts.all.map(\.name), ["card", "points", "points"])
        expectEqual(bank.attempts.all[2].key, bank.attempts.all[1].key)
        expectEqual(again.state.receipts, ["card", "points"])
        await again.close()
    }

    @Test("Other events than that of the interrupted work are sent once for each, and the first stream of each has the key")
    func otherEvents() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank, reducer: .payingBoth("card", "points", areJobs: false))
        store.post(.pay(""))
        await bank.attempts.count(2)
        await store.close()
        let again = try await open(disk, bank) { .send(.payAgain($0.key)) }
        await bank.attempts.count(4)
        expectEqual(bank.attempts.all.suffix(2).map(\.name), bank.attempts.all.prefix(2).map(\.key))
        expectEqual(bank.attempts.all.suffix(2).map(\.key), bank.attempts.all.prefix(2).map(\.key))
        expectEqual(bank.attempts.all.suffix(2).map(\.number), [2, 2])
        await again.close()
    }

    @Test("An entry of an earlier version of the library is work of an event with one stream")
    func olderEntry() throws {
        let coding = EntryCoding(effects: Schema(Till.Effect.self), events: Schema(Till.Event.self))
        let work = OpenWork(number: 3, first: 2, replaces: 1, key: "k", attempt: 4, job: "pay", event: Till.Event.pay("a"))
        let bytes = try coding.bytes(of: work)
        try expectEqual(coding.work(bytes, in: 1).first, 2)
        let older = try coding.work(bytes.dropLast(9), in: 1)
        expectEqual(older.first, 3)
        expectEqual(older.isEnded, false)
        expectEqual(older.event, .pay("a"))
    }

    @Test("A retried event that leads to no work ends the interrupted work")
    func endsWithoutWork() async throws {
        for (event, total) in [(Till.Event.refuse, 1), (.add(5), 6)] {
            let (disk, bank) = (SimulatedDisk(), Bank())
            let store = try await open(disk, bank)
            store.post(.pay("a"))
            await bank.attempts.count(1)
            await store.close()
            let again = try await open(disk) { _ in .send(event) }
            expectEqual(word(await again.send(.add(1))), "done")
            await again.close()
            let last = try await open(disk) {
                Issue.record("\($0.event)")
                return .drop
            }
            expectEqual(last.state.total, total)
            await last.close()
        }
    }

    @Test("A failure of interrupted work is applied once, together with its end")
    func fails() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        store.post(.pay("a"))
        await bank.attempts.count(1)
        await store.close()
        for _ in 0..<2 {
            let again = try await open(disk) { work in .fail(.lost(work.job ?? "")) }
            expectEqual(again.state.receipts, ["lost pay"])
            await again.close()
        }
    }

    @Test("A store whose `apply` rejects the failure of interrupted work is not opened, and the error names the work")
    func refusedFailure() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        store.post(.pay("a"))
        await bank.attempts.count(1)
        await store.close()
        let key = try #require(bank.attempts.last?.key)
        await #expect(throws: DurabilityError.refusedFailure(key: key, reason: "nothing is lost")) {
            try await open(disk, reducer: .losingNothing) { _ in .fail(.lost("a")) }
        }
        try await expectEqual(open(disk).durability?.recovery.interrupted, 1)
    }

    @Test("Open work is handed back from a snapshot")
    func inSnapshot() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        store.post(.pay("a"))
        await bank.attempts.count(1)
        try await store.durability?.snapshot()
        await store.close()
        let seen = Recorder<Seen>()
        let again = try await open(disk) {
            seen.append(Seen($0))
            return .send($0.event)
        }
        expectEqual(again.durability?.recovery.snapshot, 1)
        expectEqual(again.durability?.recovery.effects, 0)
        expectEqual(seen.all.map(\.key), bank.attempts.all.map(\.key))
        await again.close()
    }

    @Test("Work is in the log before its stream is subscribed to, whichever call of the disk crashes")
    func begunBeforeSubscribed() async throws {
        for crash in 1...40 {
            let (disk, bank) = (SimulatedDisk(), Bank())
            disk.crash = crash
            guard let store = try? await open(disk, bank) else { continue }
            store.post(.pay("a"))
            let answer = await store.send(.add(1))
            let wasBegun = bank.attempts.count == 1
            await store.close()
            guard disk.isCrashed else {
                expectEqual(word(answer), "done")
                break
            }
            // Unsynced records are lost.
            var dice = Dice(seed: crash)
            var images: [[String: [UInt8]]] = []
            disk.contents.forEachImage(&dice, while: { images.count < 300 }, { image, _ in images.append(image) })
            for image in Budget.sample(images, least: 8) {
                let names = Recorder<Till.Event>()
                let again = try await open(SimulatedDisk(image)) {
                    names.append($0.event)
                    return .drop
                }
                if wasBegun { expectEqual(names.all, [.pay("a")]) }
                expect(names.count <= 1)
                if word(answer) == "done" { expectEqual(again.state.total, 1) }
                await again.close()
            }
        }
    }

    @Test("Work that ended before a snapshot is not handed back from it")
    func endedBeforeSnapshot() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        store.post(.pay("a"))
        await bank.attempts.count(1)
        bank.answer("a")
        await store.quiet()
        try await store.durability?.snapshot()
        await store.close()
        let again = try await open(disk)
        expect(again.durability?.recovery.snapshot != nil)
        expectEqual(again.durability?.recovery.interrupted, 0)
        expectEqual(again.state.receipts, ["a"])
        await again.close()
    }

    @Test("Work that began first is handed back first, after any number of attempts, also from a snapshot")
    func order() throws {
        func work(_ number: UInt64, replaces: UInt64 = 0) -> OpenWork<Till.Event> {
            OpenWork(number: number, first: number, replaces: replaces, key: "\(number)", attempt: 1, job: "", event: .add(0))
        }
        var book = LogBook<Till.Event>(.latest(1))
        for number in 1...3 as ClosedRange<UInt64> { book.begin(work(number)) }
        book.begin(work(4, replaces: 1))
        expectEqual(book.open.map(\.number), [4, 2, 3])
        book.begin(work(5, replaces: 4))
        book.end(2)
        expectEqual(book.open.map(\.number), [5, 3])
        let coding = SnapshotCoding<Till, Till.Event, Till.Effect>(
            states: Schema(Till.self), entries: EntryCoding(effects: Schema(Till.Effect.self), events: Schema(Till.Event.self)),
            reducerVersion: 1, believedReducers: [])
        var read = LogBook<Till.Event>(.latest(1))
        _ = try coding.read(coding.snapshot(Till(), book, at: 9), into: &read)
        read.begin(work(6, replaces: 5))
        expectEqual(read.open.map(\.number), [6, 3])
    }
}
