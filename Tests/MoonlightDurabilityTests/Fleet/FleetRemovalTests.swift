import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Removal of a fleet's members")
struct FleetRemovalTests {
    @Test("A removed member begins anew, whether it was awake, asleep or new, even when the fleet is opened again")
    func beginsAnew() async throws {
        let (disk, clock) = (SimulatedDisk(), FleetClock())
        var fleet = tills(on: disk, clock: clock)
        for id in [1, 2, 3] { try await fleet.send(.add(1), to: id) }
        try await fleet.sleep(clock)
        try await fleet.send(.add(2), to: 2)
        for id in [1, 2, 9] { try await fleet.remove(id) }
        expectEqual(fleet.counters.removals, 3)
        expectEqual(fleet.awake, [])
        try expectEqual(await fleet.ids().ids, [3])
        try await fleet.send(.add(8), to: 1)
        await fleet.drain(within: nil)
        fleet = tills(on: disk)
        for (id, total) in [1: 8, 2: 0, 3: 1, 9: 0] { try expectEqual(await fleet.state(of: id).total, total) }
        await fleet.drain(within: nil)
    }

    @Test("Work in flight of a removed member is cancelled, and work that begins later has another key")
    func work() async throws {
        let (disk, bank, clock) = (SimulatedDisk(), Bank(), FleetClock())
        var fleet = tills(on: disk, bank, clock: clock)
        for number in 1...2 {
            clock.advance(by: .milliseconds(1))
            try await fleet.send(.pay("rent"), to: 7, until: .decided)
            await bank.attempts.count(number)
            try await fleet.remove(7)
        }
        bank.answer("rent")
        try expectEqual(await fleet.state(of: 7).receipts, [])
        await fleet.drain(within: nil)
        fleet = tills(on: disk, bank)
        try await fleet.opened()
        await fleet.core.still()
        expectEqual(fleet.awake, [])
        expectEqual(Set(bank.attempts.all.map(\.key)).count, 2)
        await fleet.drain(within: nil)
    }

    @Test("Events that are sent while a member is removed wait, and reach the one that begins anew")
    func senders() async throws {
        let gate = Noted<CheckedContinuation<Void, Never>>()
        let isHeld = Lock(false)
        let storage = HeldStorage(beforeAppend: {
            if isHeld.withLock({ $0 }) { await withCheckedContinuation { gate.append($0) } }
        })
        let fleet = tills(in: storage)
        try await fleet.send(.add(1), to: 7)
        isHeld.withLock { $0 = true }
        async let written = word { () async throws(FleetError) in try await fleet.send(.add(2), to: 7) }
        await gate.count(1)
        async let removed: Void = fleet.remove(7)
        try await until { fleet.report(on: 7).phase == .ending }
        async let later = word { () async throws(FleetError) in try await fleet.send(.add(4), to: 7) }
        try await until { fleet.report(on: 7).waiting == 1 }
        isHeld.withLock { $0 = false }
        for waiter in gate.all { waiter.resume() }
        try await removed
        await expect(written.hasPrefix("the event was handled"))
        await expectEqual(later, "done")
        try await expectEqual(fleet.state(of: 7).total, 4)
        await fleet.drain(within: nil)
    }

    @Test("A key that a removed member has answered is handled again")
    func keys() async throws {
        let fleet = tills(on: SimulatedDisk())
        for _ in 0..<2 { try await fleet.send(.add(1), to: 7, key: "k") }
        try await fleet.remove(7)
        for _ in 0..<2 { try await fleet.send(.add(1), to: 7, key: "k") }
        try await expectEqual(fleet.state(of: 7).total, 1)
        await fleet.drain(within: nil)
    }

    @Test("The alarm of a removed member is not sent, and its observers see the one that begins anew")
    func alarm() async throws {
        let clock = FleetClock()
        let fleet = tills(
            on: SimulatedDisk(), clock: clock, idle: .seconds(10),
            alarm: FleetAlarm(at: { $0.total == 100 ? WallTime(sinceEpoch: .seconds(1100)) : nil }, event: { _ in .add(1000) }))
        try await fleet.send(.add(100), to: 7)
        let observed = Noted<Int>()
        let watching = Task { for await till in fleet.states(of: 7) { observed.append(till.total) } }
        await observed.count(1)
        try await fleet.remove(7)
        expectEqual(fleet.counters.timers, 0)
        try await fleet.sleep(clock, .seconds(200))
        expectEqual(fleet.counters.alarms, 0)
        try await fleet.send(.add(1), to: 7)
        while observed.last != 1 { await observed.count(observed.count + 1) }
        watching.cancel()
        await fleet.drain(within: nil)
    }

    @Test("A removal that fails is reported, and does not change the member")
    func failure() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage)
        try await fleet.send(.add(1), to: 7)
        storage.fail(.storage("full"))
        await expectEqual(word { () async throws(FleetError) in try await fleet.remove(7) }, "7 cannot be removed: full")
        storage.fail(nil)
        try await expectEqual(fleet.state(of: 7).total, 1)
        expectEqual(fleet.counters.removals, 0)
        try await fleet.remove(7)
        try await expectEqual(fleet.state(of: 7).total, 0)
        await fleet.drain(within: nil)
        await expectEqual(word { () async throws(FleetError) in try await fleet.remove(7) }, "the loop is being drained")
    }

    @Test("Work that was cancelled for a removal that failed is attempted again after ten seconds")
    func workAfterFailure() async throws {
        let (clock, storage, bank) = (FleetClock(), HeldStorage(), Bank())
        let fleet = tills(in: storage, bank, clock: clock)
        try await fleet.send(.pay("rent"), to: 7, until: .decided)
        await bank.attempts.count(1)
        storage.fail(.storage("full"))
        await expectEqual(word { () async throws(FleetError) in try await fleet.remove(7) }, "7 cannot be removed: full")
        storage.fail(nil)
        expectEqual(fleet.awake, [])
        try #require(fleet.counters.timers == 1)
        clock.advance(by: .seconds(10))
        await bank.attempts.count(2)
        expectEqual(bank.attempts.all.map(\.number), [1, 2])
        bank.answer("rent")
        try await until { try await fleet.state(of: 7).receipts == ["rent"] }
        await fleet.drain(within: nil)
    }

    @Test("A member that cannot be read is removed, and begins anew")
    func unreadable() async throws {
        let storage = HeldStorage()
        let fleet = tills(in: storage)
        storage.makeUnreadable(["7"])
        await expect(word { () async throws(FleetError) in try await fleet.send(.add(1), to: 7) } != "done")
        try await fleet.remove(7)
        try await fleet.send(.add(2), to: 7)
        try await expectEqual(fleet.state(of: 7).total, 2)
        await fleet.drain(within: nil)
    }

    @Test("Removing members of a fleet in memory makes room for others")
    func inMemory() async throws {
        let bank = Bank()
        let fleet = TillFleet(reducer: Till.reducer, environment: { _ in bank }, resident: 1, initialState: { _ in Till() })
        try await fleet.send(.add(1), to: 7)
        await expect(word { () async throws(FleetError) in try await fleet.send(.add(1), to: 8) } != "done")
        try await fleet.remove(7)
        try await fleet.send(.add(1), to: 8)
        try await fleet.remove(8)
        try await expectEqual(fleet.state(of: 7).total, 0)
        await fleet.drain(within: nil)
    }

    @Test("Members that are sent to and removed at once agree with their last acknowledged removal and event")
    func atOnce() async throws {
        let fleet = tills(on: SimulatedDisk(), resident: 3, segmentSize: 2000)
        let rounds = Budget.size(400, quick: 60)
        await withTaskGroup(of: Void.self) { group in
            for id in 0..<6 {
                group.addTask {
                    for round in 1...rounds {
                        async let added = word { () async throws(FleetError) in try await fleet.send(.add(1), to: id) }
                        async let removed = word { () async throws(FleetError) in try await fleet.remove(id) }
                        let answers = await (added, removed)
                        expectEqual(answers.1, "done")
                        let total = try? await fleet.state(of: id).total
                        expect(total == 0 || total == 1 && answers.0 == "done", "round \(round): \(total ?? -1), \(answers)")
                        try? await fleet.remove(id)
                    }
                }
            }
        }
        try await expectEqual(fleet.count(), 0)
        await fleet.drain(within: nil)
    }
}
