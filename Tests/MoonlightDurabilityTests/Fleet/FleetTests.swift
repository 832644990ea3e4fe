import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("A fleet")
struct FleetTests {
    @Test("Members are made by their first event, and have separate states")
    func members() async throws {
        let fleet = tills(on: SimulatedDisk())
        try await fleet.send(.add(1), to: 7)
        try await fleet.send(.add(2), to: 8)
        try await fleet.send(.addBoth(3, 4), to: 7)
        try await expectEqual(fleet.state(of: 7).total, 8)
        try await expectEqual(fleet.state(of: 8).total, 2)
        expectEqual(fleet.counters.sends, 3)
        expectEqual(fleet.counters.wakes, 2)
        expectEqual(fleet.awake, [7, 8])
        await expect(fleet.drain(within: nil).isEmpty)
    }

    @Test("A member falls asleep after the idle time, and the next event wakes it with its state")
    func sleep() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock)
        try await fleet.send(.add(1), to: 7)
        clock.advance(by: .seconds(59))
        expectEqual(fleet.awake, [7])
        try await fleet.sleep(clock, .seconds(1))
        expectEqual(fleet.awake, [])
        expectEqual(fleet.counters.sleeps, 1)
        try await fleet.send(.add(2), to: 7)
        try await expectEqual(fleet.state(of: 7).total, 3)
        expectEqual(fleet.counters.wakes, 2)
    }

    @Test("The idle time of a member begins anew with each use")
    func use() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock)
        try await fleet.send(.add(1), to: 7)
        clock.advance(by: .seconds(40))
        try await fleet.send(.add(1), to: 7)
        try await fleet.sleep(clock, .seconds(40))
        expectEqual(fleet.awake, [7])
        try await fleet.sleep(clock, .seconds(20))
        expectEqual(fleet.awake, [])
    }

    @Test("The least recently used member falls asleep when more are awake than allowed")
    func resident() async throws {
        let fleet = tills(on: SimulatedDisk(), resident: 2)
        for id in [1, 2, 1, 3] {
            try await fleet.send(.add(id), to: id)
            // A member that is still handling the event when another one needs its place stays awake.
            try await fleet.idle()
        }
        await fleet.core.still()
        expectEqual(fleet.awake, [1, 3])
        for id in 1...3 { try await expect(fleet.state(of: id).total == (id == 1 ? 2 : id)) }
    }

    @Test("A member with work in flight stays awake, and falls asleep when the work has ended")
    func inFlight() async throws {
        let (clock, bank) = (FleetClock(), Bank())
        let fleet = tills(on: SimulatedDisk(), bank, clock: clock)
        try await fleet.send(.pay("rent"), to: 7, until: .decided)
        await bank.attempts.count(1)
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [7])
        expectEqual(fleet.counters.keptAwake, 1)
        expectEqual(fleet.report(on: 7).inFlight.count, 1)
        bank.answer("rent")
        await fleet.core.look("7")?.1?.store.quiet()
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [])
        try await expectEqual(fleet.state(of: 7).receipts, ["rent"])
    }

    @Test("A member with work in flight is asked once a millisecond to fall asleep if the idle time is zero")
    func noIdleTime() async throws {
        let (clock, bank) = (FleetClock(), Bank())
        let fleet = tills(on: SimulatedDisk(), bank, clock: clock, idle: .zero)
        try await fleet.send(.pay("rent"), to: 7, until: .decided)
        await bank.attempts.count(1)
        try await fleet.idle()
        clock.advance(by: .milliseconds(5))
        expectEqual(fleet.counters.keptAwake, 5)
        bank.answer("rent")
        await fleet.core.look("7")?.1?.store.quiet()
        try await fleet.sleep(clock, .milliseconds(1))
        expectEqual(fleet.awake, [])
    }

    @Test("A drained fleet refuses events, waits for work in flight, and can be opened again")
    func drain() async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let fleet = tills(on: disk, bank)
        try await fleet.send(.add(1), to: 1)
        async let paid = word { () async throws(FleetError) in try await fleet.send(.pay("rent"), to: 2) }
        await bank.attempts.count(1)
        async let left = fleet.drain(within: nil)
        try await until { fleet.core.isDraining }
        await expectEqual(
            word { () async throws(FleetError) in try await fleet.send(.add(5), to: 1) }, "the loop is being drained")
        bank.answer("rent")
        await expectEqual(paid, "done")
        await expect(left.isEmpty)
        let next = tills(on: disk)
        try await expectEqual(next.state(of: 1).total, 1)
        try await expectEqual(next.state(of: 2).receipts, ["rent"])
    }

    @Test("Work in flight at the deadline of a drain is cut off and returned, and handed back when the fleet is opened again")
    func deadline() async throws {
        let (disk, bank, clock) = (SimulatedDisk(), Bank(), ManualClock())
        let fleet = tills(on: disk, bank)
        try await fleet.send(.pay("rent"), to: 2, until: .decided)
        await bank.attempts.count(1)
        async let left = fleet.drain(within: .seconds(5), on: clock)
        await clock.sleepers(1)
        clock.advance(by: .seconds(5))
        await expectEqual(left.map(\.id), ["2"])
        // No event is sent to it: its unfinished work wakes it.
        let next = tills(on: disk, bank)
        await bank.attempts.count(2)
        expectEqual(bank.attempts.all.map(\.number), [1, 2])
        expectEqual(Set(bank.attempts.all.map(\.key)).count, 1)
        await next.core.still()
        expectEqual(next.awake, [2])
    }

    @Test("A rejected event throws its reason, and leaves no member")
    func rejection() async throws {
        let fleet = tills(on: SimulatedDisk())
        await expectEqual(word { () async throws(FleetError) in try await fleet.send(.refuse, to: 7) }, "rejected: no more at 0")
        try await expectEqual(fleet.count(), 0)
        expectEqual(fleet.counters.refusals, 1)
    }

    @Test("A reading is of the state to which its event has led")
    func reading() async throws {
        let fleet = tills(on: SimulatedDisk())
        try await expectEqual(fleet.send(.add(3), to: 7) { $0.total }, 3)
        try await expectEqual(fleet.send(.add(4), to: 7) { $0.total }, 7)
    }

    @Test("An event with a key is taken once, also after its member was asleep")
    func keys() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock)
        try await fleet.send(.add(3), to: 7, key: "one")
        try await fleet.send(.add(3), to: 7, key: "one")
        try await fleet.sleep(clock)
        try await fleet.send(.add(3), to: 7, key: "one")
        try await fleet.send(.add(3), to: 8, key: "one")
        try await expectEqual(fleet.state(of: 7).total, 3)
        try await expectEqual(fleet.state(of: 8).total, 3)
    }

    @Test("A fleet in memory refuses a further member when as many are awake as allowed")
    func memory() async throws {
        let fleet = TillFleet(reducer: Till.reducer, environment: { _ in Bank() }, resident: 2, initialState: { _ in Till() })
        try await fleet.send(.add(1), to: 1)
        try await fleet.send(.add(2), to: 2)
        await expectEqual(
            word { () async throws(FleetError) in try await fleet.send(.add(3), to: 3) },
            "3 cannot be created: 2 members are awake, and a fleet that is not durable cannot put any to sleep")
        try await fleet.send(.add(1), to: 1)
        try await expectEqual(fleet.state(of: 1).total, 2)
        await expect(fleet.drain(within: nil).isEmpty)
    }

    /// The events of all members, as recorded by their journals.
    private final class Events: Sendable {
        private let observed = Lock<[String]>([])
        var all: [String] { observed.withLock { $0 } }

        @Sendable func options(of id: Int) -> LoopOptions<Till, Till.Event, Till.Effect> {
            LoopOptions(journal: { record in
                if case .event(let event) = record.step { self.observed.withLock { $0.append("\(id) \(event)") } }
            })
        }
    }

    @Test("A member's loop has the options that the fleet returns for its id, also when it is woken again")
    func options() async throws {
        let (clock, events) = (FleetClock(), Events())
        let fleet = tills(on: SimulatedDisk(), clock: clock, options: events.options)
        try await fleet.send(.add(1), to: 7)
        try await fleet.sleep(clock)
        try await fleet.send(.add(2), to: 7)
        try await fleet.send(.add(3), to: 8)
        expectEqual(events.all, ["7 add(1)", "7 add(2)", "8 add(3)"])
        try await expectEqual(fleet.state(of: 7).total, 3)
    }

    @Test("A member's loop in a fleet in memory has the options that the fleet returns for its id")
    func memoryOptions() async throws {
        let events = Events()
        let fleet = TillFleet(
            reducer: Till.reducer, environment: { _ in Bank() }, options: events.options, initialState: { _ in Till() })
        try await fleet.send(.add(1), to: 1)
        try await fleet.send(.add(2), to: 2)
        expectEqual(events.all, ["1 add(1)", "2 add(2)"])
    }

    @Test("Each loop of a fleet has the environment that the fleet returns for its id, also when it is woken again")
    func environments() async throws {
        let clock = FleetClock()
        let asked = Lock<[Int]>([])
        let environment: @Sendable (Int) -> Bank = { id in
            asked.withLock { $0.append(id) }
            return Bank()
        }
        let fleet = TillFleet(
            reducer: Till.reducer, environment: environment,
            durable: DurableTills(
                storage: FleetFolder("fleet", files: SimulatedDisk(), segmentSize: 1 << 20), schema: Schema(Till.Effect.self),
                state: Schema(Till.self)),
            scheduler: clock.scheduler, now: { clock.now() }, initialState: { _ in Till() })
        try await fleet.send(.add(1), to: 7)
        try await fleet.sleep(clock, .seconds(121))
        try await fleet.send(.add(2), to: 7)
        try await fleet.send(.add(3), to: 8)
        expectEqual(asked.withLock { $0 }, [7, 7, 8])
        let memory = TillFleet(reducer: Till.reducer, environment: environment) { _ in Till() }
        for id in [1, 1, 2] { try await memory.send(.add(1), to: id) }
        expectEqual(asked.withLock { $0 }.suffix(2), [1, 2])
    }

    @Test("Members are listed page by page, awake or asleep, and counted")
    func pages() async throws {
        let fleet = tills(on: SimulatedDisk(), resident: 2, segmentSize: 200)
        for id in 1...7 { try await fleet.send(.add(id), to: id) }
        await fleet.core.still()
        var ids: [Int] = []
        var page = try await fleet.ids(limit: 3)
        expectEqual(page.ids.count, 3)
        ids += page.ids
        while let next = page.next {
            page = try await fleet.ids(after: next, limit: 3)
            ids += page.ids
        }
        expectEqual(ids.sorted(), Array(1...7))
        try await expectEqual(fleet.count(), 7)
    }

    @Test("A fleet whose folder is in use is not opened, and each sender gets that error")
    func inUse() async throws {
        let disk = SimulatedDisk()
        let fleet = tills(on: disk)
        try await fleet.opened()
        let other = tills(on: disk)
        let message = await word { () async throws(FleetError) in try await other.send(.add(1), to: 1) }
        expect(message.hasPrefix("the fleet cannot be opened: the log fleet is in use by process"))
        await #expect(throws: FleetError.self) { try await other.opened() }
        await expect(other.drain(within: nil).isEmpty)
    }
}
