import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// Senders to several members, few of which may be awake, a crash at any call of the disk, a crash of the recovery, and another
/// recovery.
@Suite("Fleets on a disk that crashes")
struct FleetCrashTests {
    private static let crashes = Budget.rounds(600)
    /// The number of second crashes after each first one: few in the quick tier, to have more first crashes.
    private static let lives = Budget.size(10, quick: 2)

    @Test(
        "An acknowledged event is in its member exactly once, unless the member was removed, after random crashes of fleets and of their recoveries"
    )
    func crashes() async throws {
        var (tried, round) = (0, Budget.seed)
        while tried < Self.crashes {
            var dice = Dice(seed: round)
            let disk = SimulatedDisk()
            disk.crash = 5 + dice.roll(60)
            let played = try await FleetLife().play(on: disk, &dice)
            for _ in 0..<Self.lives {
                // The recovery crashes.
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
        "An acknowledged event is in its member exactly once after random failures of the disk, and the fleet continues",
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

/// The expected content of a fleet over several crashes.
private struct FleetLife {
    private static let members = 4
    /// The amounts that were sent to each member, and those that were acknowledged. Each is a power of two, so that the total
    /// shows which are present.
    private var sent = [Int](repeating: 0, count: members)
    private var acknowledged = [Int](repeating: 0, count: members)
    /// The amounts that were sent to members before an unacknowledged removal, which may have removed them all.
    private var forgettable = [Int](repeating: 0, count: members)
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
                let isForgotten = forgettable[member] != 0 && total & forgettable[member] == 0
                let kept = isForgotten ? acknowledged[member] & ~forgettable[member] : acknowledged[member]
                expectEqual(total & kept, kept, "acknowledged \(kept), found \(total)")
                expectEqual(total & ~sent[member], 0, "sent \(sent[member]), found \(total)")
                // The recovered state is durable from now on: no later record could be read otherwise.
                (acknowledged[member], sent[member], forgettable[member]) = (total, total, 0)
            }
        } catch {
            wasOpened = false
            expect(disk.isCrashed || !disk.faults.isEmpty, "\(error)")
            await fleet.drain(within: nil)
            return
        }
        if dice.roll(2) == 0 { await remove(dice.roll(Self.members), from: fleet) }
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
        if dice.roll(2) == 0 { await remove(dice.roll(Self.members), from: fleet) }
        await fleet.drain(within: nil)
        disk.unlockAll()
    }

    private mutating func remove(_ member: Int, from fleet: TillFleet) async {
        do throws(FleetError) {
            try await fleet.remove(member)
            (sent[member], acknowledged[member], forgettable[member]) = (0, 0, 0)
        } catch { forgettable[member] = sent[member] }
    }
}
