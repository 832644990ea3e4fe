import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("A fleet beside a sequential oracle")
struct FleetOracleTests {
    private struct Sum: Codable, Equatable, Sendable {
        /// The fold of the amounts so far, in order.
        var hash = 0
        var count = 0

        mutating func add(_ amount: Int) { (hash, count) = (hash &* 31 &+ amount, count + 1) }
    }

    private static let reducer = Reducer<Sum, Int, Int, Void>(
        transform: { _, amount, _ in .just(amount) }, apply: { (sum: inout Sum, amount: Int) in sum.add(amount) })

    @Test(
        "Events in random order over 200 ids, of which 20 may be awake, lead each member to the state of its events in their order"
    )
    func order() async throws {
        let disk = SimulatedDisk()
        func fleet() -> Fleet<Int, Sum, Int> {
            Fleet(
                reducer: Self.reducer, environment: { _ in },
                durable: DurableFleet(
                    storage: FleetFolder("fleet", files: disk, segmentSize: Budget.size(1 << 16, quick: 1 << 14)),
                    schema: Schema(Int.self), state: Schema(Sum.self), snapshotEvery: 5), resident: 20, waking: 3,
                initialState: { _ in Sum() })
        }
        var fleetNow = fleet()
        // Each sender has ids of its own, so that their order is known.
        let (senders, events) = (8, Budget.rounds(20_000))
        var expected = [Int: Sum]()
        var plans: [[(id: Int, amount: Int)]] = []
        var dice = Dice(seed: Budget.seed)
        for sender in 0..<senders {
            let plan = (0..<events / senders).map { _ in
                (id: dice.roll(200 / senders) * senders + sender, amount: dice.roll(1000))
            }
            for (id, amount) in plan { expected[id, default: Sum()].add(amount) }
            plans.append(plan)
        }
        for half in 0..<2 {
            let present = fleetNow
            let parts = plans.map { half == 0 ? $0[..<($0.count / 2)] : $0[($0.count / 2)...] }
            await withTaskGroup(of: Void.self) { group in
                for part in parts {
                    group.addTask {
                        for (id, amount) in part {
                            do { try await present.send(amount, to: id, until: .decided) } catch { Issue.record("\(error)") }
                        }
                    }
                }
            }
            let counters = present.counters
            expectEqual(counters.sends, parts.reduce(0) { $0 + $1.count })
            expect(counters.awake + counters.ending <= 20 + senders)
            expect(counters.sleeps > events / 10)
            await present.drain(within: nil)
            fleetNow = fleet()
        }
        for (id, sum) in expected { try await expectEqual(fleetNow.state(of: id), sum, "MOONLIGHT_SEED=\(Budget.seed), \(id)") }
        try await expectEqual(fleetNow.count(), expected.count)
    }
}
