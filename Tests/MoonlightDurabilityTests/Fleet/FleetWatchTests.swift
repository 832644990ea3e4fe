import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Observers of a fleet's members")
struct FleetWatchTests {
    /// Records the totals of a till.
    private static func watch(_ fleet: TillFleet, _ id: Int, keepsAwake: Bool = false) -> (
        observed: Noted<Int>, task: Task<Void, Never>
    ) {
        let observed = Noted<Int>()
        return (observed, Task { for await till in fleet.states(of: id, keepsAwake: keepsAwake) { observed.append(till.total) } })
    }

    @Test("An observer gets the current state first, then each change, even after sleep, and no state twice")
    func states() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock)
        let (observed, task) = Self.watch(fleet, 7)
        await observed.count(1)
        try await fleet.send(.add(1), to: 7)
        await observed.count(2)
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [])
        try await fleet.send(.add(2), to: 7)
        await observed.count(3)
        expectEqual(observed.all, [0, 1, 3])
        task.cancel()
    }

    @Test("An observer that keeps its member awake does so until it ends")
    func keeping() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock)
        let (observed, task) = Self.watch(fleet, 7, keepsAwake: true)
        await observed.count(1)
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [7])
        task.cancel()
        await task.value
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [])
    }

    @Test("The states of an observer end with the fleet, and do not hold up its end")
    func end() async throws {
        let fleet = tills(on: SimulatedDisk())
        let (observed, task) = Self.watch(fleet, 7, keepsAwake: true)
        let (other, second) = Self.watch(fleet, 8)
        await observed.count(1)
        await other.count(1)
        await expect(fleet.drain(within: nil).isEmpty)
        await task.value
        await second.value
        let (late, third) = Self.watch(fleet, 7)
        await third.value
        expectEqual(late.all, [])
    }

    @Test("A fleet that is released ends its members, and frees them and its lock")
    func release() async throws {
        weak var core: FleetCore<Till, Till.Event>?
        let disk = SimulatedDisk()
        do {
            let fleet = tills(on: disk)
            core = fleet.core
            for id in 0..<5 { try await fleet.send(.add(1), to: id) }
        }
        if let core { await core.over() }
        // Its lock is released.
        let next = tills(on: disk)
        try await expectEqual(next.state(of: 3).total, 1)
        try await until { core == nil }
    }
}
