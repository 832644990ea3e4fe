import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightDurability

@Suite("A fleet beside a sequential oracle")
struct FleetOracleTests {
    private struct Sum: Codable, Equatable, Sendable {
        /// What the amounts so far lead to, in their order.
        var hash = 0
        var count = 0

        mutating func add(_ amount: Int) { (hash, count) = (hash &* 31 &+ amount, count + 1) }
    }

    private static let reducer = Reducer<Sum, Int, Int, Void>(
        transform: { _, amount, _ in .just(amount) }, apply: { (sum: inout Sum, amount: Int) in sum.add(amount) })

    @Test(
        "20,000 events in random order over 200 ids, of which 20 may be awake, lead to what each id's events lead to in their order"
    )
    func order() async throws {
        let disk = SimulatedDisk()
        func fleet() -> Fleet<Int, Sum, Int> {
            Fleet(
                reducer: Self.reducer, environment: (),
                durable: DurableFleet(
                    storage: FleetFolder("fleet", files: disk, segmentSize: 1 << 16), schema: Schema(Int.self),
                    state: Schema(Sum.self), snapshotEvery: 5), resident: 20, waking: 3
            ) { _ in Sum() }
        }
        var fleetNow = fleet()
        // Each sender has ids of its own, so that their order is known.
        let (senders, events) = (8, environmentNumber("MOONLIGHT_FLEET_EVENTS") ?? 20_000)
        var expected = [Int: Sum]()
        var plans: [[(id: Int, amount: Int)]] = []
        var dice = Dice(seed: environmentNumber("MOONLIGHT_SEED") ?? 1)
        for sender in 0..<senders {
            let plan = (0..<events / senders).map { _ in
                (id: dice.roll(200 / senders) * senders + sender, amount: dice.roll(1000))
            }
            for (id, amount) in plan { expected[id, default: Sum()].add(amount) }
            plans.append(plan)
        }
        for half in 0..<2 {
            let present = fleetNow
            await withTaskGroup(of: Void.self) { group in
                for plan in plans {
                    group.addTask {
                        let part = half == 0 ? plan[..<(plan.count / 2)] : plan[(plan.count / 2)...]
                        for (id, amount) in part {
                            do { try await present.send(amount, to: id, until: .decided) } catch { Issue.record("\(error)") }
                        }
                    }
                }
            }
            let counters = present.counters
            #expect(counters.sends == events / senders / 2 * senders)
            #expect(counters.awake + counters.ending <= 20 + senders)
            #expect(counters.sleeps > events / 10)
            await present.drain(within: nil)
            fleetNow = fleet()
        }
        for (id, sum) in expected { #expect(try await fleetNow.state(of: id) == sum, "\(id)") }
        #expect(try await fleetNow.count() == expected.count)
    }

}
