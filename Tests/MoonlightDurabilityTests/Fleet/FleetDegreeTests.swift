import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Acknowledgments of a fleet, and interrupted work")
struct FleetDegreeTests {
    @Test("A fleet with `.afterWrite` syncs its acknowledged writes within a second")
    func afterWrite() async throws {
        let (disk, clock) = (SimulatedDisk(), FleetClock())
        let fleet = tills(on: disk, clock: clock, acknowledge: .afterWrite)
        _ = try await fleet.state(of: 7)
        let syncs = disk.syncs
        try await fleet.send(.add(1), to: 7)
        try await fleet.send(.add(1), to: 7)
        expectEqual(disk.syncs, syncs)
        clock.advance(by: .seconds(1))
        try await until { disk.syncs != syncs }
        expectEqual(disk.syncs, syncs + 1)
    }

    @Test("Members whose writes cannot be synced are ended and counted, their senders get the error, and the sync is tried again")
    func syncFails() async throws {
        let (storage, clock) = (HeldStorage(), FleetClock())
        let fleet = tills(in: storage, clock: clock, acknowledge: .afterWrite)
        try await fleet.send(.add(1), to: 7)
        _ = try await fleet.state(of: 8)
        storage.failSync(.storage("no sync"))
        clock.advance(by: .seconds(1))
        try await until { fleet.counters.failures == 1 }
        expectEqual(fleet.counters.syncFailures, 1)
        // The member is read again, as after a failed write; the one that has written nothing was not ended.
        try await expectEqual(fleet.state(of: 7).total, 1)
        expectEqual(fleet.counters.wakes, 3)
        storage.failSync(nil)
        try await until {
            clock.advance(by: .seconds(1))
            return storage.syncs > 0
        }
        expectEqual(fleet.counters.syncFailures, 1)
        try await fleet.send(.add(1), to: 7)
    }

    @Test("A fleet that ends counts a failed last sync")
    func lastSyncFails() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage, acknowledge: .afterWrite)
        try await fleet.send(.add(1), to: 7)
        storage.failSync(.storage("no sync"))
        await fleet.drain(within: nil)
        expectEqual(fleet.counters.syncFailures, 1)
    }

    @Test("A fleet that ends counts the members whose last write failed, which `drain` does not return")
    func lastWriteFails() async throws {
        for (degree, sends) in [(Acknowledgment.later(every: .seconds(100)), 2), (.afterSync, 1)] {
            let disk = SimulatedDisk()
            let fleet = tills(on: disk, acknowledge: degree)
            for id in [7, 8] { _ = try await fleet.state(of: id) }
            if sends == 2 { for id in [7, 8] { try await fleet.send(.add(1), to: id) } }
            // The write and the resumption after it.
            for call in 1...9 { disk.faults[disk.calls + call] = .fails(.device) }
            await expectEqual(fleet.drain(within: nil).count, 0)
            expectEqual(fleet.counters.failures, sends == 2 ? 2 : 0)
        }
    }

    @Test("A fleet with `.later` writes at its interval, and when a member falls asleep")
    func later() async throws {
        let (storage, clock) = (HeldStorage(), FleetClock())
        let fleet = tills(
            in: storage, clock: clock, idle: .seconds(60), snapshotEvery: 100, acknowledge: .later(every: .seconds(100)))
        try await fleet.send(.add(1), to: 7)
        expectEqual(storage.batches.count, 0)
        try await fleet.sleep(clock, .seconds(60))
        expectEqual(storage.batches.all.map { $0.map(\.records.count) }, [[1]])
        // Reading one effect is faster than making a snapshot.
        expect(storage.batches.all[0][0].snapshot == nil)
        try await fleet.send(.add(1), to: 7)
        try await fleet.send(.add(1), to: 8)
        clock.advance(by: .seconds(100))
        await storage.batches.count(2)
        expectEqual(storage.batches.all[1].map(\.id).sorted(), ["7", "8"])
        try await expectEqual(fleet.state(of: 7).total, 2)
    }

    /// Interrupts a payment, and opens the fleet again.
    private func reopened(
        _ disk: SimulatedDisk, _ bank: Bank,
        _ answer: @escaping @Sendable (InterruptedWork<Till.Event>) -> InterruptedWorkAnswer<Till.Event, Till.Effect>
    ) async throws -> TillFleet {
        let fleet = tills(on: disk, bank, interrupted: { _, work in answer(work) })
        try await fleet.send(.pay("rent"), to: 7, until: .decided)
        await bank.attempts.count(1)
        await interrupt(fleet)
        return tills(on: disk, bank, interrupted: { id, work in id == 7 ? answer(work) : .drop })
    }

    /// Ends a fleet with its work in flight.
    private func interrupt(_ fleet: TillFleet) async {
        let (clock, drained) = (ManualClock(), Flag())
        async let left: Void = {
            await fleet.drain(within: .seconds(1), on: clock)
            drained.raise()
        }()
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await left
    }

    @Test("An event of a member with two interrupted streams is sent again once, and each stream keeps its key")
    func twoStreams() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        for attempt in 1...3 {
            let fleet = tills(
                in: FleetFolder("fleet", files: disk), bank, reducer: .payingBoth("card", "points", areJobs: false))
            if attempt == 1 { try await fleet.send(.pay(""), to: 7, until: .decided) }
            await bank.attempts.count(2 * attempt)
            try await fleet.send(.add(1), to: 7, until: .decided)
            await interrupt(fleet)
        }
        expectEqual(bank.attempts.all.map(\.name), ["card", "points", "card", "points", "card", "points"])
        expectEqual(bank.attempts.all.map(\.number), [1, 1, 2, 2, 3, 3])
        expectEqual(bank.attempts.all.suffix(4).map(\.key), bank.attempts.all.prefix(4).map(\.key))
        expectEqual(Set(bank.attempts.all.map(\.key)).count, 2)
    }

    @Test("Failing interrupted work applies the effect once, and the work is not handed back again")
    func givenUp() async throws {
        let (disk, bank, handed) = (SimulatedDisk(), Bank(), Noted<Int>())
        let fleet = try await reopened(disk, bank) { work in
            handed.append(work.attempts)
            return .fail(.lost("rent"))
        }
        await handed.count(1)
        try await expectEqual(fleet.state(of: 7).receipts, ["lost rent"])
        await fleet.drain(within: nil)
        let next = tills(on: disk, bank)
        try await expectEqual(next.state(of: 7).receipts, ["lost rent"])
        expectEqual(bank.attempts.count, 1)
        expectEqual(handed.all, [1])
    }

    @Test("A member whose `apply` rejects the failure of interrupted work is not opened, with an error that says so")
    func refusedFailure() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let fleet = tills(on: disk, bank)
        try await fleet.send(.pay("rent"), to: 7, until: .decided)
        await bank.attempts.count(1)
        await interrupt(fleet)
        let next = tills(
            in: FleetFolder("fleet", files: disk), reducer: .losingNothing, interrupted: { _, _ in .fail(.lost("rent")) })
        let key = try #require(bank.attempts.last?.key)
        let answer = await word { () throws(FleetError) in try await next.send(.add(1), to: 7) }
        expect(answer.hasSuffix("apply rejects the effect that fails the interrupted work \(key): nothing is lost"), "\(answer)")
    }

    @Test("A member is due at once while a follow-up event of an effect has not been handled")
    func followUp() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage)
        let writer = LogWriter(.afterSync) { _, _ in }
        let durable = DurableTills(storage: storage, schema: Schema(Till.Effect.self), state: Schema(Till.self))
        let settings = TurnSettings(
            durable.coding, writer, identity: 7, largest: 1000, snapshotEvery: 100, keys: .latest(1), now: { 0 })
        let turns = MemberTurns(
            "7", FleetPlace(number: 0, turn: 0), fleet.core, settings,
            Recovered(state: Till(), book: LogBook(.latest(1))), leftOver: [], written: 0)
        let target = LogWriter.Target(
            largest: 1000, append: { try await storage.append($0, synced: $1) }, sync: {}, close: {}, retriesSync: true,
            note: { _ in })
        let writing = Task { await writer.run(target) }
        var state = Till()
        try turns.prepare(.added(1))
        turns.noteApplied(followUps: 1)
        withUnsafePointer(to: &state) { turns.endTurn($0) }
        await storage.batches.count(1)
        _ = turns.admit(.add(1), isFollowUp: true, request: nil)
        withUnsafePointer(to: &state) { turns.endTurn($0) }
        await storage.batches.count(2)
        expectEqual(storage.batches.all.map { $0[0].due }, [0, nil])
        writer.close()
        await writing.value
    }

    @Test("A running reaction keeps its member awake, and a stream of events that ends does not end the member")
    func feedback() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock) { id, states in
            if id == 8 { return [Just(Till.Event.add(5)).eraseToAnyPublisher()] }
            return [
                states.react(to: { $0.total == 1 ? true : nil }) { _ in Empty<Till.Event, Never>(completeImmediately: false) }
            ]
        }
        try await fleet.send(.add(1), to: 7)
        try await fleet.send(.add(1), to: 8)
        try await expectEqual(fleet.state(of: 8).total, 6)
        // The sender is answered after the follow-up of the feedback is on the disk; until then the member would not fall asleep.
        try await fleet.send(.add(0), to: 8)
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [7])
        try await fleet.send(.add(1), to: 7)
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [])
        // The sender is answered after the event that the feedback has sent on waking.
        try await fleet.send(.add(0), to: 8)
        try await expectEqual(fleet.state(of: 8).total, 11)
    }

    @Test("A snapshot of an unknown version keeps its member from being woken, and the sender gets the reason")
    func versions() async throws {
        let disk = SimulatedDisk()
        let fleet = tills(on: disk, snapshotEvery: 1)
        try await fleet.send(.add(1), to: 7)
        await fleet.drain(within: nil)
        let next = tills(on: disk, state: Schema(Till.self, version: 2))
        let message = await word { () async throws(FleetError) in try await next.send(.add(1), to: 7) }
        expect(message.contains("that of record 1 is of a state of version 1"), "\(message)")
        await next.drain(within: nil)
        try await expectEqual(tills(on: disk).state(of: 7).total, 1)
    }

    @Test("An id whose text is too long is refused")
    func longID() async throws {
        let fleet = Fleet<String, Till, Till.Event>(
            reducer: Till.reducer, environment: { _ in Bank() }, initialState: { _ in Till() })
        try await fleet.send(.add(1), to: String(repeating: "x", count: 1024))
        await #expect(throws: FleetError.self) { try await fleet.send(.add(1), to: String(repeating: "x", count: 1025)) }
    }
}
