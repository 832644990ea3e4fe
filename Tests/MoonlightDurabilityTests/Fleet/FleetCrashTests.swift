import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightDurability

/// Senders to several members, of which few may be awake, a crash at any call of the disk, a recovery that crashes too, and another.
@Suite("Fleets on a disk that crashes")
struct FleetCrashTests {
    private static let crashes = Budget.rounds(600)
    /// The number of second crashes after each first one: few in the quick tier, so that it has several first ones.
    private static let lives = Budget.size(10, quick: 2)

    @Test("An acknowledged event is in its member exactly once after random crashes of fleets and of their recoveries")
    func crashes() async throws {
        var (tried, round) = (0, Budget.seed)
        while tried < Self.crashes {
            var dice = Dice(seed: round)
            let disk = SimulatedDisk()
            disk.crash = 5 + dice.roll(60)
            let played = try await FleetLife().play(on: disk, &dice)
            for _ in 0..<Self.lives {
                // The recovery crashes, too.
                let second = SimulatedDisk(disk.contents.image(&dice))
                second.crash = 1 + dice.roll(30)
                var life = try await played.play(on: second, &dice)
                tried += 1
                life = try await life.play(on: SimulatedDisk(second.contents.image(&dice)), &dice)
                expect(life.wasOpened, "MOONLIGHT_SEED=\(round)")
            }
            round += 1
        }
    }

    @Test(
        "An acknowledged event is in its member exactly once after random failures of the disk, and the fleet goes on",
        arguments: Budget.seeds(60, least: 8))
    func faults(seed: Int) async throws {
        var dice = Dice(seed: seed)
        let disk = SimulatedDisk()
        for _ in 0..<(1 + dice.roll(6)) {
            disk.faults[4 + dice.roll(40)] =
                dice.roll(3) == 0 ? .isShort(dice.roll(30)) : .fails(dice.roll(2) == 0 ? .full : .device)
        }
        var life = try await FleetLife().play(on: disk, &dice)
        disk.faults = [:]
        life = try await life.play(on: disk, &dice)
        expect(life.wasOpened)
    }
}

/// What is known of a fleet over several crashes.
private struct FleetLife {
    private static let members = 4
    /// The amounts that were sent to each member, each a power of two so that the total tells which are there; and those acknowledged.
    private var sent = [Int](repeating: 0, count: members)
    private var acknowledged = [Int](repeating: 0, count: members)
    private var next = 0
    var wasOpened = false

    func play(on disk: SimulatedDisk, _ dice: inout Dice) async throws -> FleetLife {
        var life = self
        try await life.played(on: disk, &dice)
        return life
    }

    private mutating func played(on disk: SimulatedDisk, _ dice: inout Dice) async throws {
        let fleet = tills(
            on: disk, resident: 1 + dice.roll(3), waking: 1 + dice.roll(2), snapshotEvery: 1 + dice.roll(4),
            segmentSize: 300 + dice.roll(2000))
        wasOpened = true
        do {
            try await fleet.opened()
            for member in 0..<Self.members {
                let total = try await fleet.state(of: member).total
                expectEqual(
                    total & acknowledged[member], acknowledged[member], "acknowledged \(acknowledged[member]), found \(total)")
                expectEqual(total & ~sent[member], 0, "sent \(sent[member]), found \(total)")
                // What was found is durable from now on: nothing behind it could be read otherwise.
                (acknowledged[member], sent[member]) = (total, total)
            }
        } catch {
            wasOpened = false
            expect(disk.isCrashed || !disk.faults.isEmpty, "\(error)")
            await fleet.drain(within: nil)
            return
        }
        let base = next
        next += 9
        let order = (0..<3).map { _ in (0..<3).map { _ in dice.roll(Self.members) } }
        let results = await withTaskGroup(of: [(Int, Int)].self) { group in
            for sender in 0..<3 {
                group.addTask {
                    var taken: [(Int, Int)] = []
                    for (number, member) in order[sender].enumerated() {
                        let amount = 1 << (base + sender * 3 + number)
                        do {
                            try await fleet.send(.add(amount), to: member, until: number == 1 ? .decided : .settled)
                            taken.append((member, amount))
                        } catch {}
                    }
                    return taken
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for sender in 0..<3 {
            for (number, member) in order[sender].enumerated() { sent[member] |= 1 << (base + sender * 3 + number) }
        }
        for (member, amount) in results { acknowledged[member] |= amount }
        await fleet.drain(within: nil)
        disk.unlockAll()
    }
}
