import CNATS
import Moonlight
@_spi(Storage) import MoonlightDurability
import TestLoops
import Testing

@_spi(Storage) @testable import MoonlightNATS

@Suite("The messages of a fleet in NATS JetStream")
struct MemberMessageTests {
    @Test("A message is decoded as it was encoded, with and without snapshot and due time")
    func message() throws {
        for due in [nil, 0, 77, -1] as [Int64?] {
            for snapshot in [nil, snapshot(5)] {
                let message = MemberMessage(before: 4, due: due, snapshot: snapshot, records: records(5...7))
                #expect(try MemberMessage(message.bytes, at: 1) == message)
                #expect(message.last == 7)
            }
        }
        #expect(throws: DurabilityError.self) { try MemberMessage([], at: 1) }
        #expect(throws: DurabilityError.self) { try MemberMessage([9] + MemberMessage(before: 0).bytes.dropFirst(), at: 1) }
    }

    @Test("A message that is cut off anywhere is damaged, except for its complete records")
    func cut() throws {
        let bytes = MemberMessage(before: 0, snapshot: snapshot(1), records: records(1...2)).bytes
        let whole = Set([2, 1, 0].map { bytes.count - $0 * (8 + "record 1".utf8.count) })
        for count in bytes.indices.dropFirst() where !whole.contains(count) {
            #expect(throws: DurabilityError.self, "\(count)") { try MemberMessage(Array(bytes.prefix(count)), at: 1) }
        }
    }

    @Test("An append that exceeds a message is split, and the snapshot is in the last part")
    func split() throws {
        let append = MemberAppend(id: "a", expected: 3, records: records(4...23), snapshot: snapshot(23), due: 5)
        let one = try MemberMessage.messages(of: append, largest: 100_000)
        #expect(one == [MemberMessage(before: 3, due: 5, snapshot: snapshot(23), records: records(4...23))])
        let largest = 64 + 3 * 17
        let many = try MemberMessage.messages(of: append, largest: largest)
        #expect(many.flatMap(\.records) == records(4...23))
        #expect(many.compactMap(\.snapshot) == [snapshot(23)])
        #expect(many.last?.snapshot != nil)
        #expect(many.allSatisfy { $0.bytes.count <= largest })
        #expect(try MemberLog([MemberMessage(before: 0, records: records(1...3))] + many) == MemberLog(snapshot: snapshot(23)))
        var before: UInt64 = 3
        for message in many {
            #expect(message.before == before)
            before = message.last
        }
    }

    @Test("A record that exceeds a message by itself is refused")
    func tooLarge() {
        let record = MemberAppend(id: "a", expected: 0, records: records(1...1))
        #expect(throws: DurabilityError.self) { try MemberMessage.messages(of: record, largest: 64) }
        let saved = MemberAppend(id: "a", expected: 1, records: [], snapshot: snapshot(1))
        #expect(throws: DurabilityError.self) { try MemberMessage.messages(of: saved, largest: 64) }
    }

    @Test("A gap between messages is detected, unless a snapshot follows it")
    func gap() throws {
        let (first, third) = (
            MemberMessage(before: 0, records: records(1...1)), MemberMessage(before: 2, records: records(3...3))
        )
        #expect(throws: DurabilityError.self) { try MemberLog([first, third]) }
        let saved = MemberMessage(before: 2, snapshot: snapshot(2), records: records(3...3))
        #expect(try MemberLog([saved]) == MemberLog(snapshot: snapshot(2), records: records(3...3)))
        #expect(saved.replaces)
        #expect(!MemberMessage(before: 2, snapshot: snapshot(1)).replaces)
        #expect(!first.replaces)
    }

    @Test("An id with any characters is encoded in a subject", arguments: ["a", "", "a.b *>", "ä/✈︎", "=", "A-1_z", "\0"])
    func token(_ id: String) {
        let token = MemberSubjects.token(of: id)
        #expect(token.utf8.allSatisfy { $0 > 32 && $0 < 127 && ![".", "*", ">"].contains(Character(UnicodeScalar($0))) })
        #expect(!token.isEmpty)
        #expect(MemberSubjects.id(of: MemberSubjects(fleet: "f").log(of: id)) == id)
    }

    @Test("A part of a subject that encodes no id is rejected", arguments: ["=4", "=g0", "=ff", "a b"])
    func noToken(_ token: String) { #expect(MemberSubjects.id(ofToken: token) == nil) }

    @Test("A process may have a name with dots, unless a part of its subject would be empty or a wildcard")
    func processNames() {
        for name in ["a", "node-1", "10.0.0.7", "a.b_c"] { #expect(MemberSubjects.isEnd(name)) }
        for name in ["", ".", "a.", ".a", "a..b", "*", "a.*", "a.>", "a b", "é"] { #expect(!MemberSubjects.isEnd(name)) }
    }

    @Test("The answer to an append is its number, and an error has none")
    func answers() {
        #expect(MessageStream.answer(Array(#"{"stream":"S","seq":12,"duplicate":true}"#.utf8)) == .appended(12))
        let error = #"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 3"},"stream":"S","seq":0}"#
        #expect(MessageStream.answer(Array(error.utf8)) == .none)
        #expect(MessageStream.answer([]) == .none)
    }
}

@Suite(
    "The logs of a fleet in NATS JetStream", .enabled(if: Cluster.isInstalled, Comment(rawValue: Cluster.comment)))
struct JetStreamFleetTests {
    private let name = "jfleet-\(UInt64.random(in: 0...UInt64.max))"

    private func routed() throws -> JetStreamFleetStorage {
        JetStreamFleetStorage(name, in: try Cluster.shared.get().nats, isRouted: true)
    }

    @Test("Of two owners of a member, the one that has not read the other's records cannot append")
    func fenced() async throws {
        let (old, new) = (try routed(), try routed())
        _ = try old.open()
        _ = try new.open()
        #expect(old.identity == new.identity)
        #expect(try old.append([MemberAppend(id: "a", expected: 0, records: records(1...2))], synced: true) == [nil])
        #expect(try new.read("a").records == records(1...2))
        #expect(try new.append([MemberAppend(id: "a", expected: 2, records: records(3...3))], synced: true) == [nil])
        let late = [
            MemberAppend(id: "a", expected: 2, records: [LogRecord(sequence: 3, schema: 1, payload: [1])]),
            MemberAppend(id: "b", expected: 0, records: records(1...1)),
        ]
        #expect(try old.append(late, synced: true) == [.conflict(id: "a", expected: 2), nil])
        #expect(try old.append([late[0]], synced: true) == [.conflict(id: "a", expected: 2)])
        #expect(try old.read("a").records == records(1...3))
        #expect(try old.append([MemberAppend(id: "a", expected: 3, records: records(4...4))], synced: true) == [nil])
        await old.close()
        await new.close()
    }

    @Test("A snapshot reduces the log to one message")
    func messages() async throws {
        let storage = try routed()
        _ = try storage.open()
        for number in 1...5 as ClosedRange<UInt64> {
            _ = try storage.append([MemberAppend(id: "a", expected: number - 1, records: records(number...number))], synced: true)
        }
        _ = try storage.append(
            [MemberAppend(id: "a", expected: 5, records: records(6...6), snapshot: snapshot(6))], synced: true)
        let subjects = MemberSubjects(fleet: name)
        let stream = try MessageStream(JetStream.shared(Cluster.shared.get().nats), name: subjects.stream, subjects: subjects.all)
        let last = try #require(try stream.last(of: subjects.log(of: "a")))
        #expect(try stream.next(of: subjects.log(of: "a"), from: 1)?.sequence == last.sequence)
        await storage.close()
    }

    @Test("A member that is no longer due has no mark, and a mark of a failed append is removed when the logs are opened")
    func marks() async throws {
        let storage = try routed()
        _ = try storage.open()
        let subjects = MemberSubjects(fleet: name)
        let stream = try MessageStream(JetStream.shared(Cluster.shared.get().nats), name: subjects.stream, subjects: subjects.all)
        _ = try storage.append([MemberAppend(id: "a", expected: 0, records: records(1...1), due: 7)], synced: true)
        #expect(try stream.subjects(subjects.dues) == [subjects.due(of: "a")])
        _ = try storage.append([MemberAppend(id: "a", expected: 1, records: records(2...2))], synced: true)
        #expect(try stream.subjects(subjects.dues).isEmpty)
        _ = try storage.append([MemberAppend(id: "a", expected: 2, records: records(3...3), due: 8)], synced: true)
        #expect(
            try storage.append([MemberAppend(id: "b", expected: 0, records: records(1...1))], synced: true) == [nil])
        let other = try routed()
        _ = try other.open()
        _ = try other.read("b")
        _ = try other.append([MemberAppend(id: "b", expected: 1, records: records(2...2))], synced: true)
        let late = MemberAppend(id: "b", expected: 1, records: records(2...2), due: 9)
        #expect(try storage.append([late], synced: true) == [.conflict(id: "b", expected: 1)])
        #expect(try stream.subjects(subjects.dues).count == 2)
        await storage.close()
        #expect(try storage.open().map { "\($0.id) \($0.due)" } == ["a 8"])
        #expect(try stream.subjects(subjects.dues) == [subjects.due(of: "a")])
        await storage.close()
        await other.close()
    }

    @Test("A log whose end is not cached can be appended to")
    func forgotten() async throws {
        let storage = try routed()
        _ = try storage.open()
        _ = try storage.append([MemberAppend(id: "a", expected: 0, records: records(1...2))], synced: true)
        let other = try routed()
        _ = try other.open()
        #expect(try other.append([MemberAppend(id: "a", expected: 2, records: records(3...3))], synced: true) == [nil])
        #expect(
            try other.append([MemberAppend(id: "b", expected: 2, records: records(3...3))], synced: true) == [
                .conflict(id: "b", expected: 2)
            ])
        #expect(try other.count() == 1)
        await storage.close()
        await other.close()
    }

    @Test("A fleet on the servers restores its members, also after they were unloaded")
    func fleet() async throws {
        let place = try FleetPlace(.jetStream)
        for round in 0..<2 {
            let fleet = Fleet<String, Ledger, Ledger.Entry>(
                reducer: Ledger.reducer, environment: { _ in },
                durable: DurableFleet(
                    storage: place.storage(), schema: Schema(Ledger.Entry.self), state: Schema(Ledger.self), snapshotEvery: 4),
                resident: 4, initialState: { _ in Ledger() })
            for number in 1...6 {
                for id in 0..<8 { try await fleet.send(.init(sender: 1, number: round * 6 + number), to: "\(id)") }
            }
            for id in 0..<8 {
                let state = try await fleet.state(of: "\(id)")
                #expect(state.counts == [1: round * 6 + 6])
                #expect(state.repeated == 0)
            }
            #expect(try await fleet.count() == 8)
            await fleet.drain(within: .seconds(30))
        }
    }
}
