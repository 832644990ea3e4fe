import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// The purchases of the page *Fleets*, killed several times in a row while the bank is being asked.
@Suite("Fleets that are killed with work in flight")
struct FleetKillTests {
    private static let purchases = 12

    @Test("Each purchase ends after kills with payments in flight, with one key for all its attempts")
    func kills() async throws {
        var (killed, resumed, round) = (0, 0, Budget.seed)
        while killed < Budget.rounds(400, least: 10) {
            var dice = Dice(seed: round)
            let keys = Noted<[Int: Set<String>]>()
            var files: [String: [UInt8]] = [:]
            var (next, placed) = (0, Set<Int>())
            for _ in 0..<1 + dice.roll(3) {
                let disk = SimulatedDisk(files)
                disk.crash = 6 + dice.roll(80)
                let life = Life(answers: 1 + dice.roll(4))
                let fleet = life.fleet(on: disk)
                if (try? await fleet.opened()) != nil {
                    placed.formUnion(await Self.place(next..<next + Self.purchases, fleet))
                    // Half of the rounds repeat purchases that are being paid, which must not be paid twice.
                    if round.isMultiple(of: 2) { next += Self.purchases }
                }
                files = disk.contents.image(&dice)
                await fleet.drain(within: .zero)
                killed += 1
                keys.append(life.keys)
            }
            let last = Life(answers: 1)
            let fleet = last.fleet(on: SimulatedDisk(files))
            try await fleet.opened()
            // No event is sent to members with unfinished work: the work wakes them.
            let due = try FleetLog("fleet", files: SimulatedDisk(files)).open().compactMap { Int($0.id) }
            try await until { due.allSatisfy { fleet.report(on: $0).state?.receipt != nil } }
            resumed += due.count
            keys.append(last.keys)
            let ids = Set(try await fleet.ids().ids)
            expect(placed.isSubset(of: ids), "MOONLIGHT_SEED=\(round)")
            for id in ids {
                let state = try await fleet.state(of: id)
                expect(state.receipt != nil, "MOONLIGHT_SEED=\(round): \(id) is \(state)")
                let its = keys.all.reduce(into: Set<String>()) { $0.formUnion($1[id, default: []]) }
                expect(!its.contains(""), "MOONLIGHT_SEED=\(round): work without a key")
                expectEqual(its.count, 1, "MOONLIGHT_SEED=\(round): \(id) has \(its)")
            }
            await fleet.drain(within: nil)
            round += 1
        }
        expect(resumed > 0)
    }

    /// Sends the events of purchases concurrently.
    ///
    /// - Returns: The purchases that were answered.
    private static func place(_ purchases: Range<Int>, _ fleet: Fleet<Int, Purchase, PurchaseEvent>) async -> Set<Int> {
        await withTaskGroup(of: Int?.self) { group in
            for id in purchases {
                group.addTask { (try? await fleet.send(.pay, to: id, until: .decided)) == nil ? nil : id }
            }
            return await group.reduce(into: []) { if let id = $1 { $0.insert(id) } }
        }
    }

    /// A process until it is killed, with a bank that answers one payment of several.
    private final class Life: Sendable {
        private let answers: Int
        private let asked = Lock<[Int: Set<String>]>([:])

        init(answers: Int) { self.answers = answers }

        var keys: [Int: Set<String>] { asked.withLock { $0 } }

        func fleet(on disk: SimulatedDisk) -> Fleet<Int, Purchase, PurchaseEvent> {
            let durable = DurableFleet<Purchase, PurchaseEvent, PurchaseEffect>(
                storage: FleetFolder("fleet", files: disk, segmentSize: 4000), schema: Schema(PurchaseEffect.self),
                state: Schema(Purchase.self))
            let payments = Payments { try await self.pay($0) }
            return Fleet(reducer: purchase, environment: { _ in payments }, durable: durable, initialState: { _ in Purchase() })
        }

        private func pay(_ key: String?) async throws -> String {
            // The key of work names the member: IDENTITY-ID-NUMBER.
            let id = key.flatMap { Int($0.split(separator: "-")[1]) } ?? -1
            asked.withLock { _ = $0[id, default: []].insert(key ?? "") }
            guard id % answers == 0 else {
                try await Task.sleep(for: .seconds(3600))
                return ""
            }
            return "receipt"
        }
    }
}
