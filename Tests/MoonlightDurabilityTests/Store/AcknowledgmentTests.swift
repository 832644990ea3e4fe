import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Acknowledgments of a durable store")
struct AcknowledgmentTests {
    /// A disk whose syncs wait from now on.
    private func hold(_ disk: SimulatedDisk) -> Latch {
        let latch = Latch()
        disk.beforeSync = { latch.wait() }
        return latch
    }

    @Test("A durable store has its state when it is opened again")
    func reopened() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        expectEqual(word(await store.send(.add(3))), "done")
        expectEqual(word(await store.send(.addBoth(4, 5))), "done")
        await store.close()
        let again = try await open(disk)
        expectEqual(again.state, Till(total: 12))
        expectEqual(again.durability?.recovery.effects, 3)
        expectEqual(again.durability?.position, 2)
        await again.close()
    }

    @Test("A new state is seen only by `transform` before the sync, and by observers after it, in order")
    func heldBack() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        let totals = Recorder<Int>()
        let observer = store.states.sink { totals.append($0.total) }
        let latch = hold(disk)
        store.post(.add(1))
        store.post(.addBoth(2, 3))
        store.post(.pay("a"))
        expectEqual(bank.seen.all, [0, 1, 6])
        expectEqual(totals.all, [0])
        expectEqual(store.state.total, 0)
        expectEqual(bank.attempts.count, 0)
        expect(!store.isQuiet)
        latch.open()
        await bank.attempts.count(1)
        expectEqual(totals.all, [0, 1, 3, 6])
        expectEqual(bank.attempts.all.map(\.name), ["a"])
        observer.cancel()
        await store.close()
    }

    @Test("An answer, a rejection or a reading waits for the sync of the state on which it is based")
    func answersWait() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        let latch = hold(disk)
        store.post(.add(7))
        let (answers, reading) = (Noted<String>(), Noted<Int>())
        let tasks = [
            Task { answers.append(word(await store.send(.refuse))) },
            Task { answers.append(word(await store.send(.refuse, until: .decided))) },
            Task { reading.append((try? await store.send(.add(0)) { $0.total }) ?? -1) },
        ]
        await bank.seen.count(4)
        expectEqual(bank.seen.all, [0, 7, 7, 7])
        expectEqual(answers.count + reading.count, 0)
        latch.open()
        for task in tasks { await task.value }
        expectEqual(answers.all, ["rejected: no more at 7", "rejected: no more at 7"])
        expectEqual(reading.all, [7])
        await store.close()
    }

    @Test("A store with `.later` acknowledges at once, and writes at the next interval")
    func later() async throws {
        let disk = SimulatedDisk()
        let due = Recorder<@Sendable () -> Void>()
        var durable = DurableTill(
            storage: FolderStorage("till", files: disk), schema: Schema(Till.Effect.self), state: Schema(Till.self),
            acknowledge: .later(every: .seconds(5)))
        durable.schedule = { time, call in
            expectEqual(time, .seconds(5))
            due.append(call)
        }
        let store = try await TillStore(reducer: Till.reducer, initialState: Till(), environment: Bank(), durable: durable)
        let calls = disk.calls
        for amount in 1...10 { expectEqual(word(await store.send(.add(amount))), "done") }
        expectEqual(store.state.total, 55)
        expectEqual(disk.calls, calls)
        expectEqual(due.count, 1)
        due.all[0]()
        try await store.durability?.flush()
        expectEqual(disk.calls, calls + 2)
        expectEqual(store.durability?.position, 10)
        await store.close()
    }

    @Test("A store with `.afterWrite` answers after the write, and does not wait for the sync")
    func afterWrite() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, acknowledge: .afterWrite)
        let latch = hold(disk)
        let syncs = disk.syncs
        expectEqual(word(await store.send(.add(1))), "done")
        expectEqual(disk.syncs, syncs)
        latch.open()
        await store.close()
        expectEqual(disk.syncs, syncs + 1)
    }

    @Test("Events that are sent during a write share one sync")
    func groupCommit() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        let latch = hold(disk)
        // The writer is held with the first event, so that the others wait for it together.
        for _ in 0..<51 { store.post(.add(1)) }
        let syncs = disk.syncs
        latch.open()
        expectEqual(word(await store.send(.add(1))), "done")
        expectEqual(store.state.total, 52)
        // One for the first event, one for those that waited, and one for the last.
        expect(disk.syncs - syncs <= 3, "\(disk.syncs - syncs)")
        await store.close()
    }

    @Test("A drained store ends when its states are durable and its observers have received them")
    func drained() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        let latch = hold(disk)
        let totals = Recorder<Int>()
        let observer = store.states.sink { totals.append($0.total) }
        store.post(.add(1))
        async let left = store.drain(within: nil)
        latch.open()
        await expect(left.isEmpty)
        expectEqual(totals.all, [0, 1])
        observer.cancel()
        await store.durability?.closed()
        let again = try await open(disk)
        expectEqual(again.state.total, 1)
        await again.close()
    }

    @Test("A reaction to a durable state begins when the store is opened again")
    func reactions() async throws {
        let disk = SimulatedDisk()
        @Sendable func feedback(_ states: AnyPublisher<Till, Never>) -> [AnyPublisher<Till.Event, Never>] {
            [states.react(to: { $0.total == 1 ? 1 : nil }, { _ in Just(Till.Event.add(10)) })]
        }
        let store = try await open(disk)
        expectEqual(word(await store.send(.add(1))), "done")
        await store.close()
        let again = try await open(disk, feedback: feedback)
        await again.quiet()
        expectEqual(again.state.total, 11)
        await again.close()
    }

    @Test("A second store with the same storage is refused, and the first continues")
    func sameStorage() async throws {
        let disk = SimulatedDisk()
        let durable = DurableTill(
            storage: FolderStorage("till", files: disk), schema: Schema(Till.Effect.self), state: Schema(Till.self))
        func open() async throws -> TillStore {
            try await TillStore(reducer: Till.reducer, initialState: Till(), environment: Bank(), durable: durable)
        }
        let store = try await open()
        await #expect(throws: DurabilityError.self) { try await open() }
        expectEqual(word(await store.send(.add(2))), "done")
        await store.close()
        let again = try await open()
        expectEqual(again.state.total, 2)
        await again.close()
    }

    @Test("A second store in the same folder gets an error that names the process of the first")
    func secondOpener() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        let error = await #expect(throws: DurabilityError.self) { try await open(disk) }
        guard case .inUse(let place, let holder) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expectEqual(place, "till")
        expect(holder.hasPrefix("process "))
        await store.close()
        try await open(disk).close()
    }
}
