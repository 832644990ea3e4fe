import Foundation
import Moonlight
@_spi(Storage) import MoonlightDurability
import TestLoops
import Testing

@_spi(Storage) @testable import MoonlightNATS

@Suite(
    "A log in NATS JetStream, on three servers", .enabled(if: Cluster.isInstalled, Comment(rawValue: Cluster.comment)),
    .serialized)
struct JetStreamTests {
    private func opened(_ name: String, _ cluster: NATS) async throws -> JetStreamStorage {
        let storage = JetStreamStorage(name, in: cluster)
        try await begin(storage)
        return storage
    }

    private func open(_ name: String, _ cluster: NATS) async throws -> Store<Ledger, Ledger.Entry> {
        try await Store(
            reducer: Ledger.reducer, initialState: Ledger(), environment: (),
            durable: Durable(
                storage: JetStreamStorage(name, in: cluster), schema: Schema(Ledger.Entry.self), state: Schema(Ledger.self),
                snapshotEvery: 50))
    }

    @Test("An owner whose lease has ended cannot append after another has begun")
    func fenced() async throws {
        let cluster = try Cluster.shared.get().nats
        let old = try await opened("fenced", cluster)
        try old.append(records(1...2), synced: true)
        // The lease has expired, as if its owner had been suspended for too long.
        let new = try await takenOver("fenced", cluster)
        #expect(throws: DurabilityError.conflict(id: "fenced", expected: 2)) { try old.append(records(3...3), synced: true) }
        try new.append(records(3...4), synced: true)
        #expect(throws: DurabilityError.self) { try old.restart(from: snapshot(9)) }
        old.close()
        // The old owner does not release the lease of the new one.
        #expect(throws: DurabilityError.self) { try JetStreamStorage("fenced", in: cluster).open() }
        new.close()
        let last = try await opened("fenced", cluster)
        last.close()
    }

    /// Opens a log whose owner may renew its lease meanwhile.
    private func takenOver(_ name: String, _ cluster: NATS) async throws -> JetStreamStorage {
        let owners = try OwnerBucket(JetStream(cluster))
        while true {
            _ = owners.remove("log-\(name)")
            do { return try await opened(name, cluster) } catch DurabilityError.inUse {}
        }
    }

    @Test("An owner takes its expired lease again if nobody else has taken it", .timeLimit(.minutes(1)))
    func lapsed() async throws {
        let cluster = try Cluster.shared.get().nats
        let owner = try await opened("lapsed", cluster)
        let owners = try OwnerBucket(JetStream(cluster))
        #expect(owners.remove("log-lapsed"))
        while try owners.entry(of: "log-lapsed").holder == nil { try await Task.sleep(for: .milliseconds(20)) }
        #expect(throws: DurabilityError.self) { try JetStreamStorage("lapsed", in: cluster).open() }
        try owner.append(records(1...1), synced: true)
        owner.close()
        try await opened("lapsed", cluster).close()
    }

    @Test("An owner whose lease another one has taken does not take it again", .timeLimit(.minutes(1)))
    func lost() async throws {
        let cluster = try Cluster.shared.get().nats
        let old = try await opened("lost", cluster)
        let new = try await takenOver("lost", cluster)
        // The old owner notices it at one of these renewals.
        try await Task.sleep(for: .seconds(2))
        new.close()
        try await Task.sleep(for: .seconds(2))
        #expect(try OwnerBucket(JetStream(cluster)).entry(of: "log-lost").holder == nil)
        old.close()
    }

    @Test("A store and a fleet have leases of their own, whatever their names are")
    func separate() async throws {
        let cluster = try Cluster.shared.get().nats
        let fleet = JetStreamFleetStorage("separate", in: cluster)
        _ = try fleet.open()
        let log = try await opened("fleet-separate", cluster)
        log.close()
        await fleet.close()
    }

    @Test("An append whose answer is lost is stored once when it is sent again")
    func repeated() throws {
        let stream = try MessageStream(
            JetStream(Cluster.shared.get().nats), name: "MOONLIGHT", subjects: "moonlight.>")
        let subject = "moonlight.log.repeated"
        let one = MessageStream.Publication(subject: subject, bytes: [1], expected: 0)
        let first = try #require(try stream.publish(one))
        #expect(try stream.publish(one) == first)
        #expect(try stream.publish([one, .init(subject: "moonlight.log.other", bytes: [], expected: nil)])[0] == first)
        #expect(try stream.publish(.init(subject: subject, bytes: [2], expected: 0)) == nil)
        let second = try #require(try stream.publish(.init(subject: subject, bytes: [2], expected: first)))
        #expect(second > first)
        #expect(try stream.next(of: subject, from: first + 1)?.bytes == [2])
        #expect(try stream.next(of: subject, from: second + 1)?.bytes == nil)
    }

    @Test(
        "Another process takes over the log of a killed one after the lease, with everything it had acknowledged",
        .timeLimit(.minutes(3)))
    func killed() async throws {
        let cluster = try Cluster.shared.get().nats
        let probe = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/probe"
        let log = FileManager.default.temporaryDirectory.path + "/mprobe-\(UInt32.random(in: 0...UInt32.max))"
        defer { try? FileManager.default.removeItem(atPath: log) }
        var acknowledged = 0
        for _ in 0..<3 {
            let process = try Programs.start(probe, ["killed"] + cluster.servers, log: log)
            func printed() -> Int {
                let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                // The last line may be incomplete.
                return text.split(separator: "\n", omittingEmptySubsequences: true).dropLast().last.flatMap { Int($0) } ?? 0
            }
            while printed() < acknowledged + 100 { try await Task.sleep(for: .milliseconds(20)) }
            Programs.end(process)
            let (killed, start) = (printed(), ContinuousClock.now)
            var store: Store<Ledger, Ledger.Entry>?
            while store == nil {
                do { store = try await open("killed", cluster) } catch DurabilityError.inUse {
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            let state = try #require(store?.state)
            // The lease, and two elections: on a busy machine, the servers may lose a leader.
            #expect(ContinuousClock.now - start < cluster.lease + .seconds(19))
            #expect(state.repeated == 0)
            acknowledged = state.counts[1] ?? 0
            #expect(acknowledged >= killed)
            store?.cancel()
            await store?.durability?.closed()
        }
    }

    @Test(
        "Nothing acknowledged is lost or duplicated while servers are killed in turn under load",
        .timeLimit(.minutes(5)))
    func servers() async throws {
        let cluster = try Cluster()
        defer { cluster.remove() }
        let (store, senders) = (try await open("servers", cluster.nats(lease: .seconds(15))), Senders())
        let sending = Task {
            await withTaskGroup { group in
                for sender in 0..<8 { group.addTask { await senders.send(sender, to: store) } }
            }
        }
        for number in 0..<3 {
            let before = senders.total
            while senders.total < before + 100 { try await Task.sleep(for: .milliseconds(10)) }
            cluster.kill(number)
            // Two of three are enough.
            let after = senders.total
            while senders.total < after + 50 { try await Task.sleep(for: .milliseconds(10)) }
            try cluster.start(number)
            // The next server is killed only after this one has caught up, so that two of three always run.
            try await Task.sleep(for: .seconds(3))
        }
        senders.stop()
        await sending.value
        #expect(store.durability?.status == .healthy)
        store.cancel()
        await store.durability?.closed()
        let again = try await open("servers", cluster.nats(lease: .seconds(15)))
        #expect(again.state.repeated == 0)
        #expect(again.state.counts == senders.counts)
        again.cancel()
        await again.durability?.closed()
    }
}
