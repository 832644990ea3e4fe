import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightDurability

@Suite("Those who watch a fleet's members")
struct FleetWatchTests {
    /// Notes the totals of a till.
    private static func watch(_ fleet: TillFleet, _ id: Int, keepsAwake: Bool = false) -> (
        told: Noted<Int>, task: Task<Void, Never>
    ) {
        let told = Noted<Int>()
        return (told, Task { for await till in fleet.states(of: id, keepsAwake: keepsAwake) { told.append(till.total) } })
    }

    @Test("They see the present state first, then each change, also after sleep, and no state twice")
    func states() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock)
        let (told, task) = Self.watch(fleet, 7)
        await told.count(1)
        try await fleet.send(.add(1), to: 7)
        await told.count(2)
        try await fleet.sleep(clock)
        #expect(fleet.awake == [])
        try await fleet.send(.add(2), to: 7)
        await told.count(3)
        #expect(told.all == [0, 1, 3])
        task.cancel()
    }

    @Test("Those who keep it awake do so until they end")
    func keeping() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock)
        let (told, task) = Self.watch(fleet, 7, keepsAwake: true)
        await told.count(1)
        try await fleet.sleep(clock)
        #expect(fleet.awake == [7])
        task.cancel()
        await task.value
        try await fleet.sleep(clock)
        #expect(fleet.awake == [])
    }

    @Test("Their states end with the fleet, and do not keep it from its end")
    func end() async throws {
        let fleet = tills(on: SimulatedDisk())
        let (told, task) = Self.watch(fleet, 7, keepsAwake: true)
        let (other, second) = Self.watch(fleet, 8)
        await told.count(1)
        await other.count(1)
        #expect(await fleet.drain(within: nil).isEmpty)
        await task.value
        await second.value
        let (late, third) = Self.watch(fleet, 7)
        await third.value
        #expect(late.all == [])
    }

    @Test("A fleet that is let go of ends its members, and frees them")
    func release() async throws {
        weak var core: FleetCore<Till, Till.Event>?
        let disk = SimulatedDisk()
        do {
            let fleet = tills(on: disk)
            core = fleet.core
            for id in 0..<5 { try await fleet.send(.add(1), to: id) }
        }
        if let core { await core.over() }
        // Its lock has been let go of.
        let next = tills(on: disk)
        #expect(try await next.state(of: 3).total == 1)
        try await until { core == nil }
    }
}
