import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("A durable store whose disk fails")
struct DegradedTests {
    @Test(
        "A waiting sender gets the failure, further events are refused, and `resume()` writes the accepted events",
        arguments: [SimulatedDisk.Fault.fails(.full), .fails(.device), .isShort(0), .isShort(5)], [1, 2])
    func degraded(_ fault: SimulatedDisk.Fault, _ after: Int) async throws {
        // A short write does not count as a failed sync.
        if case .isShort = fault, after == 2 { return }
        let disk = SimulatedDisk()
        let store = try await open(disk)
        expectEqual(word(await store.send(.add(1))), "done")
        var faults = [disk.calls + after: fault]
        // A write that a full disk has refused fails again at once.
        if case .isShort(5) = fault { faults[disk.calls + after + 1] = .fails(.full) }
        disk.faults = faults
        expectEqual(word(await store.send(.add(2))), "not durable")
        guard case .degraded(.file(_, let path, let code)) = store.durability?.status else {
            Issue.record("\(String(describing: store.durability?.status))")
            return
        }
        expect(path?.hasSuffix(".log") != false || code == 0)
        expectEqual(word(await store.send(.add(4))), "not durable, not taken")
        expectEqual(store.state.total, 1)
        try await store.durability?.resume()
        expectEqual(store.durability?.status, .healthy)
        expectEqual(word(await store.send(.add(8))), "done")
        expectEqual(store.state.total, 11)
        await store.close()
        let again = try await open(disk)
        expectEqual(again.state.total, 11)
        await again.close()
    }

    @Test("`resume()` throws when the disk fails again, and the store stays degraded")
    func failsAgain() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        disk.faults = Dictionary(uniqueKeysWithValues: (disk.calls + 1...disk.calls + 40).map { ($0, .fails(.full)) })
        expectEqual(word(await store.send(.add(2))), "not durable")
        await #expect(throws: DurabilityError.self) { try await store.durability?.resume() }
        expectEqual(word(await store.send(.add(4))), "not durable, not taken")
        disk.faults = [:]
        try await store.durability?.resume()
        expectEqual(word(await store.send(.add(8))), "done")
        expectEqual(store.state.total, 10)
        await store.close()
    }

    @Test("`moonlight log verify` finds no fault in a log whose resumption was interrupted by a crash, and its store continues")
    func crashes() async throws {
        var dice = Dice(seed: Budget.seed)
        var isEnded = false
        var crash = 0
        while !isEnded {
            crash += 1
            let disk = SimulatedDisk()
            let store = try await open(disk, keepsHistory: true)
            expectEqual(word(await store.send(.add(1))), "done")
            disk.faults = [disk.calls + 1: .isShort(7), disk.calls + 2: .fails(.full)]
            expectEqual(word(await store.send(.add(2))), "not durable")
            disk.crash = disk.calls + crash
            isEnded = (try? await store.durability?.resume()) != nil
            await store.close()
            for _ in 0..<4 {
                let image = SimulatedDisk(disk.contents.image(&dice))
                let again = try await open(image, keepsHistory: true)
                let total = again.state.total
                expect(total == 3 || total == 1 && !isEnded, "crash \(crash), \(total)")
                expectEqual(word(await again.send(.add(4))), "done")
                await again.close()
                let complaints = Recorder<String>()
                let tool = LogTool(files: image, print: { _ in }, complain: { complaints.append($0) })
                expectEqual(tool.run(["log", "verify", "till"]), 0, "crash \(crash)")
                expectEqual(complaints.all, [])
            }
        }
    }

    @Test("Work that has not begun waits until the log resumes, but its sender does not")
    func heldWork() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        disk.faults = [disk.calls + 1: .fails(.full)]
        expectEqual(word(await store.send(.pay("a"))), "not durable")
        expectEqual(bank.attempts.count, 0)
        try await store.durability?.resume()
        expectEqual(word(await store.send(.add(1))), "done")
        expectEqual(bank.attempts.count, 1)
        await store.close()
        let names = Recorder<String>()
        let again = try await open(disk) { work in
            names.append("\(work.event)")
            return .drop
        }
        expectEqual(names.all, ["pay(\"a\")"])
        await again.close()
    }

    @Test("A store whose log has failed can be drained, and ends when its begun work has ended", arguments: [false, true])
    func drained(_ failsFirst: Bool) async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        store.post(.pay("a"))
        await bank.attempts.count(1)
        let latch = Latch()
        disk.faults = [disk.calls + 2: .fails(.device)]
        disk.beforeSync = { latch.wait() }
        if failsFirst { latch.open() }
        let waiting = Task { await store.send(.pay("b")) }
        await bank.seen.count(2)
        if failsFirst { expectEqual(word(await waiting.value), "not durable") }
        async let left = store.drain(within: nil)
        latch.open()
        expectEqual(word(await waiting.value), "not durable")
        bank.answer("a")
        await expect(left.isEmpty)
        await store.durability?.closed()
        expectEqual(bank.attempts.all.map(\.name), ["a"])
        let names = Noted<Till.Event>()
        let again = try await open(SimulatedDisk(disk.files)) {
            names.append($0.event)
            return .drop
        }
        expectEqual(names.all, [.pay("a"), .pay("b")])
        await again.close()
    }

    @Test("A failed snapshot does not degrade the store")
    func snapshotFails() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        expectEqual(word(await store.send(.add(2))), "done")
        // The roll is seven calls; then the snapshot is made.
        disk.faults = [disk.calls + 8: .fails(.full)]
        await #expect(throws: DurabilityError.self) { try await store.durability?.snapshot() }
        let failure = DurabilityError.file(call: "open", path: "till/00000000000000000001.snapshot.new", code: .full)
        expectEqual(store.durability?.snapshotFailure, failure)
        expectEqual(store.durability?.status, .healthy)
        expectEqual(word(await store.send(.add(4))), "done")
        try await store.durability?.snapshot()
        expect(store.durability?.snapshotFailure == nil)
        expectEqual(store.durability?.snapshotPosition, 2)
        await store.close()
    }

    @Test("A snapshot that fails on a full disk leaves no unfinished file", arguments: 9...11)
    func unfinishedSnapshot(call: Int) async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        expectEqual(word(await store.send(.add(2))), "done")
        // The roll is seven calls; then a file is opened, written, synced and renamed.
        disk.faults = [disk.calls + call: .fails(.full)]
        await #expect(throws: DurabilityError.self) { try await store.durability?.snapshot() }
        expectEqual(disk.files.keys.filter { !$0.hasSuffix(".log") }, [])
        await store.close()
    }

    @Test("Interrupted work that was not sent again when the log failed is sent again")
    func interruptedWork() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        for name in ["a", "b"] { store.post(.pay(name)) }
        await bank.attempts.count(2)
        await store.close()
        // The second sync is that of the first event that is sent again.
        let syncs = Noted<Int>()
        let trial = SimulatedDisk(disk.files)
        trial.beforeSync = { syncs.append(trial.calls + 1) }
        let trialBank = Bank()
        let trialStore = try await open(trial, trialBank) { .send($0.event) }
        await trialBank.attempts.count(2)
        await trialStore.close()
        let failing = SimulatedDisk(disk.files)
        failing.faults = [syncs.all[1]: .fails(.device)]
        let lastBank = Bank()
        let again = try await open(failing, lastBank) { .send($0.event) }
        try await until { if case .degraded = again.durability?.status { true } else { false } }
        try await again.durability?.resume()
        expectEqual(word(await again.send(.add(1))), "done")
        expectEqual(lastBank.attempts.all.map(\.name), ["a", "b"])
        expectEqual(lastBank.attempts.all.map(\.key), bank.attempts.all.map(\.key))
        await again.close()
    }

    @Test("A failed removal after a snapshot is reported, and does not degrade the store")
    func pruneFails() async throws {
        let store = try await open(NotedStorage(pruneFailure: .storage("locked")), acknowledge: .afterSync)
        expectEqual(word(await store.send(.add(1))), "done")
        try await store.durability?.snapshot()
        try await store.durability?.flush()
        expectEqual(store.durability?.snapshotFailure, .storage("locked"))
        expectEqual(store.durability?.snapshotPosition, 1)
        expectEqual(store.durability?.status, .healthy)
        await store.close()
    }

    @Test("A failed last sync degrades a store that ends")
    func lastSyncFails() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, acknowledge: .afterWrite)
        expectEqual(word(await store.send(.add(1))), "done")
        let seen = Recorder<Durability.Status>()
        let sink = store.durability?.statuses.sink { seen.append($0) }
        disk.faults = [disk.calls + 1: .fails(.device)]
        await store.close()
        expectEqual(seen.all.count, 3)
        expectEqual(seen.last, .closed)
        if case .degraded(.file) = seen.all[1] {} else { Issue.record("\(seen.all)") }
        sink?.cancel()
    }

    @Test("A task that is cancelled before or while it waits for `closed()` continues")
    func cancelledWaiting() async throws {
        let store = try await open(SimulatedDisk())
        for isBefore in [true, false] {
            let hasBegun = Noted<Void>()
            let waiting = Task {
                while isBefore, !Task.isCancelled { await Task.yield() }
                hasBegun.append(())
                await store.durability?.closed()
            }
            if !isBefore { await hasBegun.count(1) }
            waiting.cancel()
            await waiting.value
        }
        expectEqual(store.durability?.status, .healthy)
        await store.close()
    }
}
