import Moonlight
@_spi(Storage) import MoonlightDurability
@_spi(Storage) import MoonlightNATS
@_spi(Storage) import MoonlightPostgreSQL
import MoonlightRouting
import TestLoops
import Testing

@Suite(
    "Routers on real servers",
    .enabled(if: Server.isInstalled && Cluster.isInstalled, "servers of PostgreSQL and NATS are not installed"))
struct RouterTests {
    typealias Router = FleetRouter<String, Ledger, Ledger.Entry>

    private let name = "routed-\(UInt64.random(in: 0...UInt64.max))"

    private static func fleet(_ storage: any FleetBackend) -> Fleet<String, Ledger, Ledger.Entry> {
        Fleet(
            reducer: Ledger.reducer, environment: { _ in },
            durable: DurableFleet(storage: storage, schema: Schema(Ledger.Entry.self), state: Schema(Ledger.self)),
            initialState: { _ in Ledger() })
    }

    /// Returns the routers of three machines, with leases and logs in NATS or PostgreSQL.
    private func routers(_ kind: LeaseTests.Kind) throws -> [Router] {
        let (cluster, database) = (try Cluster.shared.get().nats, try Server.shared.get().database)
        return (0..<3).map { _ in
            let leases: any LeaseTable =
                switch kind {
                case .nats: NATSLeases(in: cluster)
                case .postgreSQL: PostgreSQLLeases(in: database, lease: .seconds(6))
                }
            return Router(
                name, partitions: 2, leases: leases, courier: NATSCourier(name, in: cluster), events: .json
            ) { [name] partition in
                let storage: any FleetBackend =
                    switch kind {
                    case .nats: JetStreamFleetStorage("\(name)-\(partition)", in: cluster, isRouted: true)
                    case .postgreSQL: PostgreSQLFleetStorage("\(name)-\(partition)", in: database, readers: 1, isRouted: true)
                    }
                return Self.fleet(storage)
            }
        }
    }

    @Test("A request that is larger than a message of the servers is invalid")
    func tooLarge() async throws {
        let courier = NATSCourier(name, in: try Cluster.shared.get().nats)
        let answer = await courier.ask("node", [UInt8](repeating: 0, count: 2 << 20), within: .seconds(60))
        guard case .invalid = answer else {
            Issue.record("\(answer)")
            return
        }
    }

    @Test("An answer that is larger than a message of the servers is reported to the asker")
    func tooLargeAnswer() async throws {
        let (asker, owner) = (
            NATSCourier(name, in: try Cluster.shared.get().nats), NATSCourier(name, in: try Cluster.shared.get().nats)
        )
        let listening = try await owner.listen(as: "node") { [UInt8](repeating: 0, count: $0 == [1] ? 2 << 20 : 1) }
        // The servers may not know the listener yet.
        var answer = await asker.ask("node", [0], within: .seconds(60))
        while answer == .unreached { answer = await asker.ask("node", [0], within: .seconds(60)) }
        #expect(answer == .answered([0]))
        guard case .unanswerable(let reason) = await asker.ask("node", [1], within: .seconds(60)) else {
            Issue.record("the answer was not refused")
            return
        }
        #expect(reason.hasPrefix("the answer has 2097152 bytes, a message at most "))
        listening.end()
    }

    @Test("A request is given up when its task is cancelled")
    func cancelled() async throws {
        let (asker, owner) = (
            NATSCourier(name, in: try Cluster.shared.get().nats), NATSCourier(name, in: try Cluster.shared.get().nats)
        )
        let (requests, arrived) = AsyncStream<[UInt8]>.makeStream()
        let (answers, end) = AsyncStream<Void>.makeStream()
        let listening = try await owner.listen(as: "node") { request in
            arrived.yield(request)
            for await _ in answers {}
            return request
        }
        let asking = Task {
            var answer = CourierAnswer.unreached
            // The servers may not know the listener yet.
            while answer == .unreached { answer = await asker.ask("node", [1], within: .seconds(3600)) }
            return answer
        }
        for await _ in requests { break }
        asking.cancel()
        #expect(await asking.value == .unanswered)
        end.finish()
        listening.end()
    }

    @Test(
        "Events sent on three machines are in the logs once, in the order of each sender, also while two are drained",
        .timeLimit(.minutes(2)), arguments: LeaseTests.Kind.allCases)
    func three(_ kind: LeaseTests.Kind) async throws {
        let routers = try routers(kind)
        let ids = (0..<4).map { "room \($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (sender, router) in routers.enumerated() {
                group.addTask {
                    for number in 1...20 {
                        for id in ids { try await router.send(.init(sender: sender, number: number), to: id) }
                    }
                    // The last one continues after the others have ended.
                    if sender < 2 { await router.drain(within: .seconds(10)) }
                }
            }
            try await group.waitForAll()
        }
        // Each event is applied once, by its key. On a busy machine a lease may expire, and the next sender takes it again.
        for _ in 0..<20 {
            for id in ids { try await routers[2].send(.init(sender: 2, number: 21), to: id, key: "last of \(id)") }
            if routers[2].owned == [0, 1] { break }
        }
        #expect(routers[2].owned == [0, 1])
        await routers[2].drain(within: .seconds(10))
        let again = try self.routers(kind)[0]
        for id in ids { try await again.send(.init(sender: 2, number: 22), to: id) }
        await again.drain(within: .seconds(10))
        for partition in 0..<2 {
            let storage: any FleetBackend =
                kind == .nats
                ? JetStreamFleetStorage("\(name)-\(partition)", in: try Cluster.shared.get().nats)
                : PostgreSQLFleetStorage("\(name)-\(partition)", in: try Server.shared.get().database)
            let fleet = Self.fleet(storage)
            for id in ids where again.partition(of: id) == partition {
                let state = try await fleet.state(of: id)
                #expect(state.counts == [0: 20, 1: 20, 2: 22])
                #expect(state.repeated == 0)
            }
            await fleet.drain(within: .seconds(10))
        }
    }
}
