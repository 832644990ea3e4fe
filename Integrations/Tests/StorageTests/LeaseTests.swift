import MoonlightDurability
@_spi(Storage) import MoonlightNATS
@_spi(Storage) import MoonlightPostgreSQL
import MoonlightRouting
import Testing

/// The requirements of a router on NATS and PostgreSQL. Leases end by the clocks of the servers, so these tests wait.
@Suite(
    "A table of leases",
    .enabled(if: Server.isInstalled && Cluster.isInstalled, "servers of PostgreSQL and NATS are not installed"))
struct LeaseTests {
    enum Kind: CaseIterable, Sendable {
        case nats, postgreSQL

        /// Returns two tables, as in two processes, whose keys live for two seconds.
        func tables() throws -> (any LeaseTable, any LeaseTable) {
            switch self {
            case .nats:
                let cluster = try Cluster.shared.get().nats
                return (NATSLeases(in: cluster), NATSLeases(in: cluster))
            case .postgreSQL:
                let database = try Server.shared.get().database
                return (
                    PostgreSQLLeases(in: database, lease: .seconds(6)), PostgreSQLLeases(in: database, lease: .seconds(6))
                )
            }
        }
    }

    private let key = "a lease, of any text: \(UInt64.random(in: 0...UInt64.max))"

    /// Two connected tables. Each call on them is repeated while its result is unknown.
    struct Calls: Sendable {
        let table: any LeaseTable
        let key: String

        func take(for holder: String) async throws -> LeaseAnswer {
            while true { if let answer = try? await table.take(key, for: holder) { return answer } }
        }

        func renew(for holder: String, _ revision: UInt64) async throws -> UInt64? {
            try await table.renew(key, for: holder, revision: revision)
        }

        func release(for holder: String, _ revision: UInt64) async { await table.release(key, for: holder, revision: revision) }
    }

    /// Repeats a closure with new keys until it takes less time than a lease, which it may exceed on a busy machine.
    private func within<Result>(
        _ kind: Kind, _ body: (_ mine: Calls, _ others: Calls) async throws -> Result
    ) async throws -> Result {
        let (mine, others) = try kind.tables()
        var attempt = 0
        while true {
            attempt += 1
            let key = "\(key)-\(attempt)"
            let start = ContinuousClock.now
            let result = try await body(Calls(table: mine, key: key), Calls(table: others, key: key))
            if ContinuousClock.now - start < .milliseconds(1500) || attempt == 20 { return result }
        }
    }

    private func revision(_ answer: LeaseAnswer) -> UInt64? { if case .granted(let revision) = answer { revision } else { nil } }

    @Test("A key has one holder, which can take it again and renew it", arguments: Kind.allCases)
    func one(_ kind: Kind) async throws {
        let (taken, theirs, renewals, again) = try await within(kind) { mine, others in
            let taken = revision(try await mine.take(for: "me")) ?? 0
            let theirs = (try await others.take(for: "other"), try? await others.renew(for: "other", taken - 1))
            // The second renewal has an old revision, because an answer was lost.
            let renewals = [try? await mine.renew(for: "me", taken), try? await mine.renew(for: "me", taken)]
            return (taken, theirs, renewals, revision(try await mine.take(for: "me")))
        }
        #expect(taken > 0)
        #expect(theirs.0 == .held(by: "me"))
        #expect(theirs.1 == .some(nil))
        let first = try #require(renewals[0] ?? nil)
        #expect(first > taken)
        let second = try #require(renewals[1] ?? nil)
        #expect(second > first)
        #expect(try #require(again) > second)
    }

    @Test("A returned key can be taken at once, and only its holder can return it", arguments: Kind.allCases)
    func release(_ kind: Kind) async throws {
        let answers = try await within(kind) { mine, others in
            let revision = revision(try await mine.take(for: "me")) ?? 0
            await others.release(for: "other", revision - 1)
            var answers = [try await others.take(for: "other")]
            await mine.release(for: "me", revision)
            answers.append(try await others.take(for: "other"))
            await mine.release(for: "me", revision)
            answers.append(try await mine.take(for: "me"))
            return answers
        }
        #expect(answers[0] == .held(by: "me"))
        #expect(revision(answers[1]) != nil)
        #expect(answers[2] == .held(by: "other"))
    }

    @Test("A key can be returned with an old revision, as the answer to a renewal may be lost", arguments: Kind.allCases)
    func releaseByOldRevision(_ kind: Kind) async throws {
        let answer = try await within(kind) { mine, others in
            let revision = revision(try await mine.take(for: "me")) ?? 0
            _ = try? await mine.renew(for: "me", revision)
            await mine.release(for: "me", revision)
            return try await others.take(for: "other")
        }
        #expect(revision(answer) != nil)
    }

    /// A write or a removal is acknowledged by two of three servers; the third one may not know it yet.
    @Test("A request after a key was returned never returns its former holder", arguments: Kind.allCases)
    func noFormerHolder(_ kind: Kind) async throws {
        let (mine, others) = try kind.tables()
        var former: [Int] = []
        for number in 0..<100 {
            let (mine, others) = (Calls(table: mine, key: "\(key)-\(number)"), Calls(table: others, key: "\(key)-\(number)"))
            let revision = revision(try await mine.take(for: "me")) ?? 0
            await mine.release(for: "me", revision)
            if case .held = try await others.take(for: "other") { former.append(number) }
        }
        #expect(former.isEmpty)
    }

    @Test("A key that is not renewed expires after its time, and not before", .timeLimit(.minutes(1)), arguments: Kind.allCases)
    func expiry(_ kind: Kind) async throws {
        let (mine, others) = try kind.tables()
        #expect(mine.duration == .seconds(2))
        let start = ContinuousClock.now
        guard case .granted(let revision) = try await Calls(table: mine, key: key).take(for: "me") else {
            Issue.record("it was not granted")
            return
        }
        while case .held = (try? await others.take(key, for: "other")) ?? .held(by: "") {
            try await Task.sleep(for: .milliseconds(20))
        }
        let time = ContinuousClock.now - start
        #expect(time >= .seconds(2), "\(time)")
        // Another holder has the key.
        var renewal: UInt64??
        while renewal == nil { renewal = try? await mine.renew(key, for: "me", revision: revision) }
        #expect(renewal == .some(nil))
    }

    @Test("Of many processes that take a key at once, one holds it", arguments: Kind.allCases)
    func atOnce(_ kind: Kind) async throws {
        let winners = try await within(kind) { mine, others in
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let calls = number % 2 == 0 ? mine : others
                        let answer = try? await calls.table.take(calls.key, for: "\(number)")
                        if case .granted = answer { return 1 } else { return 0 }
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(winners == 1)
    }

    @Test("A lease may be one that the servers cannot divide by three")
    func indivisible() async throws {
        let cluster = try Cluster()
        defer { cluster.remove() }
        let leases = NATSLeases(in: cluster.nats(lease: .seconds(10)))
        // A single attempt may be in vain while the servers elect a leader.
        var answer = try? await leases.take(key, for: "me")
        for _ in 0..<100 where answer == nil { answer = try? await leases.take(key, for: "me") }
        #expect(revision(try #require(answer)) != nil)
    }

    @Test("Processes that disagree on the time of a lease report it")
    func disagreement() async throws {
        let cluster = try Cluster.shared.get()
        _ = try await Calls(table: NATSLeases(in: cluster.nats), key: key).take(for: "me")
        await #expect(throws: DurabilityError.self) {
            try await NATSLeases(in: cluster.nats(lease: .seconds(9))).take(key, for: "other")
        }
    }
}
