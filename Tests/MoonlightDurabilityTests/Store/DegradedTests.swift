import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightDurability

@Suite("A durable store whose disk fails")
struct DegradedTests {
    @Test(
        "Who waits is told, further events are refused, and after resume() all is there",
        arguments: [SimulatedDisk.Fault.fails(.full), .fails(.device), .isShort(0), .isShort(5)], [1, 2])
    func degraded(_ fault: SimulatedDisk.Fault, _ after: Int) async throws {
        // A short write is none for a sync.
        if case .isShort = fault, after == 2 { return }
        let disk = SimulatedDisk()
        let store = try await open(disk)
        #expect(word(await store.send(.add(1))) == "done")
        var faults = [disk.calls + after: fault]
        // What a full disk has not taken, it does not take at once either.
        if case .isShort(5) = fault { faults[disk.calls + after + 1] = .fails(.full) }
        disk.faults = faults
        #expect(word(await store.send(.add(2))) == "not durable")
        guard case .degraded(.file(let failure)) = store.durability?.status else {
            Issue.record("\(String(describing: store.durability?.status))")
            return
        }
        #expect(failure.path?.hasSuffix(".log") != false || failure.reason == .noProgress)
        #expect(word(await store.send(.add(4))) == "not durable, not taken")
        #expect(store.state.total == 1)
        try await store.durability?.resume()
        #expect(store.durability?.status == .healthy)
        #expect(word(await store.send(.add(8))) == "done")
        #expect(store.state.total == 11)
        await store.close()
        let again = try await open(disk)
        #expect(again.state.total == 11)
        await again.close()
    }

    @Test("If the disk fails again, resume() says so, and the store stays degraded")
    func failsAgain() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        disk.faults = Dictionary(uniqueKeysWithValues: (disk.calls + 1...disk.calls + 40).map { ($0, .fails(.full)) })
        #expect(word(await store.send(.add(2))) == "not durable")
        await #expect(throws: DurabilityError.self) { try await store.durability?.resume() }
        #expect(word(await store.send(.add(4))) == "not durable, not taken")
        disk.faults = [:]
        try await store.durability?.resume()
        #expect(word(await store.send(.add(8))) == "done")
        #expect(store.state.total == 10)
        await store.close()
    }

    @Test("Work that has not been begun waits until the log goes on, and its sender does not")
    func heldWork() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        disk.faults = [disk.calls + 1: .fails(.full)]
        #expect(word(await store.send(.pay("a"))) == "not durable")
        #expect(bank.attempts.count == 0)
        try await store.durability?.resume()
        #expect(word(await store.send(.add(1))) == "done")
        #expect(bank.attempts.count == 1)
        await store.close()
        let names = Recorder<String>()
        let again = try await open(disk) { work in
            names.append("\(work.event)")
            return .drop
        }
        #expect(names.all == ["pay(\"a\")"])
        await again.close()
    }

    @Test("A store whose log has failed can be drained: it ends when the work that was begun has", arguments: [false, true])
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
        if failsFirst { #expect(word(await waiting.value) == "not durable") }
        async let left = store.drain(within: nil)
        latch.open()
        #expect(word(await waiting.value) == "not durable")
        bank.answer("a")
        #expect(await left.isEmpty)
        await store.durability?.closed()
        #expect(bank.attempts.all.map(\.name) == ["a"])
        let names = Noted<Till.Event>()
        let again = try await open(SimulatedDisk(disk.files)) {
            names.append($0.event)
            return .drop
        }
        #expect(names.all == [.pay("a"), .pay("b")])
        await again.close()
    }

    @Test("A snapshot that fails is no failure of the store")
    func snapshotFails() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        #expect(word(await store.send(.add(2))) == "done")
        // The roll is five calls; then the snapshot is made.
        disk.faults = [disk.calls + 6: .fails(.full)]
        await #expect(throws: DurabilityError.self) { try await store.durability?.snapshot() }
        #expect(store.durability?.snapshotFailure == .file(FileFailure(.open, "till/00000000000000000001.snapshot.new", .full)))
        #expect(store.durability?.status == .healthy)
        #expect(word(await store.send(.add(4))) == "done")
        try await store.durability?.snapshot()
        #expect(store.durability?.snapshotFailure == nil)
        #expect(store.durability?.snapshotPosition == 2)
        await store.close()
    }

    @Test("After an effect that could not be encoded, the log goes on with those that can")
    func unencodable() async throws {
        let codec = Codec<Till.Effect>(
            encode: { effect in
                if effect == .added(13) { throw Rejection("no thirteen") }
                return try Codec.json.encode(effect)
            }, decode: { try Codec.json.decode($0) })
        let disk = SimulatedDisk()
        let store = try await open(disk, schema: Schema(Till.Effect.self, version: 1, codec: codec))
        #expect(word(await store.send(.add(13))) == "not durable")
        try await store.durability?.resume()
        #expect(word(await store.send(.add(1))) == "done")
        #expect(store.durability?.status == .healthy)
        await store.close()
        let again = try await open(disk)
        #expect(again.state.total == 14)
        await again.close()
    }
}
