import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// A fleet's storage in memory that a test can suspend and make fail.
final class HeldStorage: FleetBackend {
    private struct State: Sendable {
        var logs: [String: MemberLog] = [:]
        var failure: DurabilityError?
        var syncFailure: DurabilityError?
        var syncs = 0
        var conflicts: Set<String> = []
        var unreadable: Set<String> = []
        var isUnlisted = false
        var reading = 0
        var mostReading = 0
    }

    private let state = Lock(State())
    let largestPayload: Int
    /// Called before each read, and may wait.
    private let beforeRead: @Sendable (String) async -> Void
    private let beforeAppend: @Sendable () async -> Void
    /// Called before each removal, and may wait or throw.
    private let beforeRemove: @Sendable () async throws -> Void
    let batches = Noted<[MemberAppend]>()

    init(
        largestPayload: Int = 1 << 20, beforeRead: @escaping @Sendable (String) async -> Void = { _ in },
        beforeAppend: @escaping @Sendable () async -> Void = {}, beforeRemove: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.largestPayload = largestPayload
        self.beforeRead = beforeRead
        self.beforeAppend = beforeAppend
        self.beforeRemove = beforeRemove
    }

    func fail(_ failure: DurabilityError?) { state.withLock { $0.failure = failure } }
    func conflict(_ ids: Set<String>) { state.withLock { $0.conflicts = ids } }
    func makeUnreadable(_ ids: Set<String>) { state.withLock { $0.unreadable = ids } }
    func failListing() { state.withLock { $0.isUnlisted = true } }
    func failSync(_ failure: DurabilityError?) { state.withLock { $0.syncFailure = failure } }
    var syncs: Int { state.withLock { $0.syncs } }
    var mostReading: Int { state.withLock { $0.mostReading } }

    var identity: UInt64 { 7 }
    func open() async throws -> [(id: String, due: Int64)] { [] }

    func read(_ id: String) async throws -> MemberLog {
        state.withLock { state in
            state.reading += 1
            state.mostReading = max(state.mostReading, state.reading)
        }
        await beforeRead(id)
        return try state.withLock { state in
            state.reading -= 1
            if state.unreadable.contains(id) { throw DurabilityError.storage("\(id) is not to be read") }
            return state.logs[id] ?? MemberLog()
        }
    }

    func append(_ batch: [MemberAppend], synced: Bool) async throws -> [DurabilityError?] {
        await beforeAppend()
        batches.append(batch)
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return batch.map { append in
                let log = state.logs[append.id] ?? MemberLog()
                if state.conflicts.contains(append.id) || log.last != append.expected {
                    return .conflict(id: append.id, expected: append.expected)
                }
                state.logs[append.id] = MemberLog(snapshot: log.snapshot, records: log.records + append.records)
                return nil
            }
        }
    }

    func remove(_ id: String) async throws {
        try await beforeRemove()
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.logs[id] = nil
            state.unreadable.remove(id)
        }
    }

    func sync() async throws {
        try state.withLock { state in
            if let failure = state.syncFailure { throw failure }
            state.syncs += 1
        }
    }

    func ids(after cursor: String?, limit: Int) async throws -> (ids: [String], next: String?) {
        if state.withLock({ $0.isUnlisted }) { throw Unlisted() }
        return ([], nil)
    }

    func count() async throws -> Int {
        try state.withLock { state in
            if state.isUnlisted { throw Unlisted() }
            return state.logs.count
        }
    }

    func close() async {}

    private struct Unlisted: Error {}
}

@Suite("Failures in a fleet")
struct FleetFailureTests {
    @Test("A failed write is reported to the sender, and the member is read again at its next use")
    func failure() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage)
        try await fleet.send(.add(1), to: 7)
        try await fleet.send(.add(1), to: 8)
        storage.fail(.storage("full"))
        await expectEqual(word { () async throws(FleetError) in try await fleet.send(.add(2), to: 7) }, "not durable")
        await expectEqual(
            word { () async throws(FleetError) in try await fleet.send(.add(2), to: 7, until: .decided) }, "not durable")
        storage.fail(nil)
        try await expectEqual(fleet.state(of: 7).total, 1)
        try await fleet.send(.add(4), to: 7)
        try await expectEqual(fleet.state(of: 7).total, 5)
        expectEqual(fleet.counters.failures, 2)
        expectEqual(fleet.awake, [7, 8])
    }

    @Test("An error of the storage is a `DurabilityError` when members are listed or counted")
    func unlisted() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage)
        storage.failListing()
        await #expect(throws: DurabilityError.storage("Unlisted()")) { try await fleet.count() }
        await #expect(throws: DurabilityError.storage("Unlisted()")) { try await fleet.ids() }
    }

    @Test("A member that is being woken at the deadline of a drain is ended once it is awake, with its interrupted work")
    func deadlineWhileWaking() async throws {
        let bank = Bank()
        let gate = AsyncStream<Void>.makeStream()
        let reads = Noted<Void>()
        let storage = HeldStorage(beforeRead: { _ in
            reads.append(())
            if reads.count == 2 { for await _ in gate.stream { break } }
        })
        for isFirst in [true, false] {
            let fleet = tills(in: storage, bank)
            let sending = Task { try? await fleet.send(.pay("rent"), to: 7, until: .decided) }
            if isFirst { await bank.attempts.count(1) } else { await reads.count(2) }
            let draining = Task { await fleet.drain(within: nil) }
            try await until { fleet.core.isDraining }
            draining.cancel()
            gate.continuation.yield()
            let isOver = Noted<Void>()
            Task {
                _ = await (draining.value, sending.value)
                isOver.append(())
            }
            try await until { isOver.count == 1 }
        }
    }

    @Test("An append of another owner ends the member in conflict, and no other member of the batch")
    func conflict() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage)
        try await fleet.send(.add(1), to: 7)
        storage.conflict(["7"])
        async let one = word { () async throws(FleetError) in try await fleet.send(.add(2), to: 7) }
        async let other = word { () async throws(FleetError) in try await fleet.send(.add(2), to: 8) }
        await expectEqual(one, "not durable")
        await expectEqual(other, "done")
        storage.conflict([])
        try await expectEqual(fleet.state(of: 7).total, 1)
        try await expectEqual(fleet.state(of: 8).total, 2)
    }

    @Test("A member that cannot be read refuses its senders with the reason, and is tried again later")
    func unreadable() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage)
        storage.makeUnreadable(["7"])
        for _ in 0..<2 {
            await expectEqual(
                word { () async throws(FleetError) in try await fleet.send(.add(2), to: 7) },
                "7 cannot be woken: 7 is not to be read")
        }
        expectEqual(fleet.counters.unreadable, 2)
        expectEqual(fleet.report(on: 7).phase, .asleep)
        storage.makeUnreadable([])
        try await fleet.send(.add(2), to: 7)
    }

    @Test("An effect that cannot be encoded is refused, and its member continues")
    func unwritable() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage, schema: .withoutThirteen)
        try await fleet.send(.add(1), to: 7)
        let answer = await word { () async throws(FleetError) in try await fleet.send(.add(13), to: 7) }
        expectEqual(answer, "rejected: a value cannot be written: no thirteen")
        try await fleet.send(.add(2), to: 7)
        try await expectEqual(fleet.state(of: 7).total, 3)
        expectEqual(fleet.counters.wakes, 1)
        expectEqual(fleet.counters.failures, 0)
        await fleet.drain(within: nil)
        try await expectEqual(tills(in: storage).state(of: 7).total, 3)
    }

    @Test("An effect that is too large for the storage is refused, and its member continues")
    func tooLarge() async throws {
        let fleet = tills(in: HeldStorage(largestPayload: 300))
        let name = String(repeating: "x", count: 300)
        let answer = await word { () async throws(FleetError) in try await fleet.send(.pay(name), to: 7, until: .decided) }
        expect(answer.hasPrefix("rejected: a value cannot be written: it has "), "\(answer)")
        try await fleet.send(.add(2), to: 7)
        expectEqual(fleet.counters.failures, 0)
    }

    @Test("A state that cannot be encoded has no snapshot, which is counted, and its member continues", arguments: [false, true])
    func noSnapshot(isTooLarge: Bool) async throws {
        let storage = HeldStorage(largestPayload: isTooLarge ? 130 : 1000)
        let codec = Codec<Till>(
            encode: { state in
                if isTooLarge { return [UInt8](repeating: 0, count: 200) }
                throw Rejection("no state")
            }, decode: { _ in Till() })
        let fleet = tills(in: storage, snapshotEvery: 2, state: Schema(Till.self, version: 1, codec: codec))
        for _ in 0..<5 { try await fleet.send(.add(1), to: 7) }
        try await expectEqual(fleet.state(of: 7).total, 5)
        try await until { fleet.counters.snapshotFailures == 2 }
        expectEqual(fleet.counters.failures, 0)
        await fleet.drain(within: nil)
        try await expectEqual(tills(in: storage).state(of: 7).total, 5)
    }

    @Test("A fleet wakes no more members at once than allowed, and a slow one does not hold up the others")
    func waking() async throws {
        let gate = Flag()
        let storage = HeldStorage(beforeRead: { id in if id == "1" { await gate.wait() } })
        let fleet = tills(in: storage, waking: 2)
        async let slow: Void = fleet.send(.add(1), to: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 2..<12 { group.addTask { try await fleet.send(.add(1), to: id) } }
            try await group.waitForAll()
        }
        expect(storage.mostReading <= 2)
        expectEqual(fleet.report(on: 1).phase, .waking)
        expectEqual(fleet.report(on: 1).waiting, 1)
        gate.raise()
        try await slow
    }

    @Test("A sender that is cancelled while it waits for a member gets that error, and its event is not taken")
    func cancelled() async throws {
        let gate = Flag()
        let fleet = tills(in: HeldStorage(beforeRead: { _ in await gate.wait() }))
        let sender = Task { await word { () async throws(FleetError) in try await fleet.send(.add(1), to: 7) } }
        try await until { fleet.report(on: 7).waiting > 0 }
        sender.cancel()
        await expectEqual(sender.value, "the task that waited for the event was cancelled; the event was not taken")
        gate.raise()
        try await expectEqual(fleet.state(of: 7).total, 0)
    }

    @Test("A member is not read again before everything of it is written")
    func order() async throws {
        let (gate, clock) = (Flag(), FleetClock())
        let held = HoldUp(gate)
        let storage = HeldStorage(beforeAppend: { await held.wait() })
        let fleet = tills(in: storage, clock: clock, snapshotEvery: 100)
        for _ in 0..<8 { try await fleet.send(.add(1), to: 7) }
        try await fleet.idle()
        held.begin()
        // The member falls asleep after eight effects, and its snapshot is being written.
        clock.advance(by: .seconds(61))
        await held.reached.wait()
        async let answer = word { () async throws(FleetError) in try await fleet.send(.add(2), to: 7) }
        try await until { fleet.report(on: 7).waiting > 0 }
        expectEqual(fleet.report(on: 7).phase, .ending)
        held.end()
        gate.raise()
        await expectEqual(answer, "done")
        try await expectEqual(fleet.state(of: 7).total, 10)
        expectEqual(storage.batches.all.compactMap(\.first?.snapshot?.sequence), [8])
    }

    @Test("Events that have gathered while the storage was busy are one batch, with one append for each member")
    func batches() async throws {
        let gate = Flag()
        let held = HoldUp(gate)
        let storage = HeldStorage(beforeAppend: { await held.wait() })
        let fleet = tills(in: storage, snapshotEvery: 100)
        for id in 1...3 { _ = try await fleet.state(of: id) }
        held.begin()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await fleet.send(.add(1), to: 1) }
            await held.reached.wait()
            for id in [2, 3, 2, 3, 2] { group.addTask { try await fleet.send(.add(1), to: id) } }
            try await until { fleet.report(on: 2).users >= 3 && fleet.report(on: 3).users >= 2 }
            held.end()
            gate.raise()
            try await group.waitForAll()
        }
        let sizes = storage.batches.all.dropFirst().map { $0.map(\.records.count) }
        expectEqual(sizes.joined().reduce(0, +), 5)
        for batch in storage.batches.all { expectEqual(Set(batch.map(\.id)).count, batch.count) }
    }
}

/// Suspends a call, from ``begin()`` until ``end()`` and until its flag is raised.
final class HoldUp: Sendable {
    private let gate: Flag
    private let isOn = Lock(false)
    let reached = Flag()

    init(_ gate: Flag) { self.gate = gate }

    func begin() { isOn.withLock { $0 = true } }
    func end() { isOn.withLock { $0 = false } }

    func wait() async {
        guard isOn.withLock({ $0 }) else { return }
        reached.raise()
        await gate.wait()
    }
}
