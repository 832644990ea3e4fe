import Testing

@testable import MoonlightRouting

/// Keys live for 40: they are trusted for 30, renewed after 10, and looked up after 20.
@Suite("The rules of one process")
struct RoutingRulesTests {
    private func rules(unasked: Int = 0, partitions: Int = 2) -> RoutingRules {
        RoutingRules(RoutingTimes(keyLife: 40), partitions: partitions, unasked: unasked)
    }

    /// Takes partition 0 at a time.
    private func serving(at time: Int64 = 0) -> RoutingRules {
        var (rules, actions) = (rules(), [RoutingRules.Action]())
        _ = rules.find(0, ticket: 1, at: time, &actions)
        rules.took(0, .granted(revision: 5), at: time, &actions)
        return rules
    }

    @Test("A request for a partition without a known owner waits for the table, which is asked once")
    func take() {
        var (rules, actions) = (rules(), [RoutingRules.Action]())
        #expect(rules.find(0, ticket: 1, at: 0, &actions) == nil)
        #expect(rules.find(0, ticket: 2, at: 1, &actions) == nil)
        #expect(actions == [.take(0)])
        actions = []
        rules.took(0, .granted(revision: 5), at: 2, &actions)
        #expect(actions == [.begin(0, term: 1), .answer(ticket: 1, .here(term: 1)), .answer(ticket: 2, .here(term: 1))])
        #expect(rules.find(0, ticket: 3, at: 3, &actions) == .here(term: 1))
        #expect(rules.serves(1, at: 3) == nil)
    }

    @Test("A request for a partition with another owner goes to that owner until it fails to answer")
    func held() {
        var (rules, actions) = (rules(), [RoutingRules.Action]())
        _ = rules.find(0, ticket: 1, at: 0, &actions)
        rules.took(0, .held(by: "b"), at: 1, &actions)
        #expect(actions == [.take(0), .answer(ticket: 1, .there("b"))])
        #expect(rules.find(0, ticket: 2, at: 2, &actions) == .there("b"))
        rules.missed(0, holder: "c")
        #expect(rules.find(0, ticket: 2, at: 2, &actions) == .there("b"))
        rules.missed(0, holder: "b")
        actions = []
        #expect(rules.find(0, ticket: 2, at: 3, &actions) == nil)
        #expect(actions == [.take(0)])
    }

    @Test("Senders learn that no owner is known if the table does not answer, and the next request asks it again")
    func unknown() {
        var (rules, actions) = (rules(), [RoutingRules.Action]())
        _ = rules.find(0, ticket: 1, at: 0, &actions)
        rules.took(0, nil, at: 1, &actions)
        #expect(actions == [.take(0), .answer(ticket: 1, .nowhere)])
        #expect(rules.find(0, ticket: 2, at: 2, &actions) == nil)
    }

    @Test("A lease counts from the time of the request, and one that is granted too late is void", arguments: [29, 30])
    func late(_ time: Int64) {
        var (rules, actions) = (rules(), [RoutingRules.Action]())
        _ = rules.find(0, ticket: 1, at: 0, &actions)
        rules.took(0, .granted(revision: 5), at: time, &actions)
        #expect(rules.serves(0, at: time) == (time < 30 ? 1 : nil))
        #expect(actions.last == .answer(ticket: 1, time < 30 ? .here(term: 1) : .nowhere))
    }

    @Test("A lease is renewed after a quarter of its time, one request at a time, and counts from that request")
    func renewal() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        rules.tick(at: 9, &actions)
        #expect(actions.isEmpty)
        rules.tick(at: 10, &actions)
        rules.tick(at: 20, &actions)
        #expect(actions == [.renew(0, term: 1, revision: 5)])
        actions = []
        rules.renewed(0, term: 1, .success(6), at: 25, &actions)
        #expect(rules.serves(0, at: 39) == 1)
        #expect(rules.serves(0, at: 40) == nil)
        rules.tick(at: 25, &actions)
        #expect(actions == [.renew(0, term: 1, revision: 6)])
    }

    @Test("A renewal without an answer is followed by another, and the lease keeps its end")
    func renewalFailed() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        rules.tick(at: 10, &actions)
        rules.renewed(0, term: 1, .failure(.init()), at: 15, &actions)
        #expect(rules.serves(0, at: 29) == 1)
        #expect(rules.serves(0, at: 30) == nil)
        rules.tick(at: 16, &actions)
        #expect(actions == [.renew(0, term: 1, revision: 5), .renew(0, term: 1, revision: 5)])
    }

    @Test("A router that could not renew in time stops at once, and does not begin again before the fleet has ended")
    func expiry() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        rules.tick(at: 29, &actions)
        actions = []
        rules.tick(at: 30, &actions)
        #expect(actions == [.end(0, term: 1, atOnce: true)])
        // A renewal that is answered now is too late.
        rules.renewed(0, term: 1, .success(6), at: 31, &actions)
        #expect(rules.find(0, ticket: 2, at: 31, &actions) == .nowhere)
        rules.tick(at: 32, &actions)
        actions = []
        rules.ended(0, term: 2, &actions)
        #expect(rules.find(0, ticket: 2, at: 33, &actions) == .nowhere)
        rules.ended(0, term: 1, &actions)
        #expect(actions.isEmpty)
        #expect(rules.find(0, ticket: 2, at: 34, &actions) == nil)
        rules.took(0, .granted(revision: 9), at: 35, &actions)
        #expect(actions == [.take(0), .begin(0, term: 2), .answer(ticket: 2, .here(term: 2))])
    }

    @Test("A sender notices the end of the lease by itself, before any tick")
    func expiryFound() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        #expect(rules.find(0, ticket: 2, at: 30, &actions) == .nowhere)
        #expect(actions == [.end(0, term: 1, atOnce: true)])
    }

    @Test("A lease of another owner ends the fleet")
    func lost() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        rules.tick(at: 10, &actions)
        actions = []
        rules.renewed(0, term: 1, .success(nil), at: 11, &actions)
        #expect(actions == [.end(0, term: 1, atOnce: true)])
        #expect(rules.serves(0, at: 11) == nil)
    }

    @Test("An answer to a renewal of a former term changes nothing")
    func formerTerm() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        rules.tick(at: 30, &actions)
        rules.ended(0, term: 1, &actions)
        _ = rules.find(0, ticket: 2, at: 31, &actions)
        rules.took(0, .granted(revision: 9), at: 31, &actions)
        rules.tick(at: 45, &actions)
        actions = []
        rules.renewed(0, term: 1, .success(nil), at: 46, &actions)
        #expect(actions.isEmpty)
        #expect(rules.serves(0, at: 46) == 2)
    }

    @Test("A broken fleet is ended, and its lease is returned afterwards")
    func broken() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        rules.broke(0, term: 2, &actions)
        #expect(actions.isEmpty)
        rules.broke(0, term: 1, &actions)
        rules.broke(0, term: 1, &actions)
        #expect(actions == [.end(0, term: 1, atOnce: true)])
        #expect(rules.serves(0, at: 1) == nil)
        actions = []
        rules.ended(0, term: 1, &actions)
        #expect(actions == [.release(0, revision: 5)])
    }

    @Test("A drained router renews until its fleets have ended, returns its leases, and takes no more")
    func drain() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        _ = rules.find(1, ticket: 2, at: 1, &actions)
        actions = []
        rules.drain(&actions)
        rules.drain(&actions)
        #expect(actions == [.end(0, term: 1, atOnce: false)])
        #expect(!rules.isOver)
        #expect(rules.find(0, ticket: 3, at: 2, &actions) == .refused)
        #expect(rules.serves(0, at: 2) == nil)
        actions = []
        rules.tick(at: 20, &actions)
        #expect(actions == [.renew(0, term: 1, revision: 5)])
        rules.renewed(0, term: 1, .success(6), at: 21, &actions)
        actions = []
        rules.ended(0, term: 1, &actions)
        #expect(actions == [.release(0, revision: 6)])
        #expect(!rules.isOver)
        actions = []
        rules.took(1, .granted(revision: 7), at: 22, &actions)
        #expect(actions == [.release(1, revision: 7), .answer(ticket: 2, .refused)])
        #expect(rules.isOver)
    }

    @Test("A drain that exceeds the lease is cancelled")
    func drainTooLong() {
        var (rules, actions) = (serving(), [RoutingRules.Action]())
        rules.drain(&actions)
        actions = []
        rules.tick(at: 30, &actions)
        #expect(actions == [.end(0, term: 1, atOnce: true)])
        actions = []
        rules.ended(0, term: 1, &actions)
        // Another router may hold the lease.
        #expect(actions.isEmpty)
        #expect(rules.isOver)
    }

    @Test("A standby router takes its share of partitions, and checks again later")
    func standby() {
        var (rules, actions) = (rules(unasked: 2, partitions: 4), [RoutingRules.Action]())
        rules.tick(at: 0, &actions)
        #expect(actions == [.take(0), .take(1)])
        actions = []
        rules.took(0, .held(by: "b"), at: 1, &actions)
        #expect(actions == [.take(2)])
        rules.took(1, .granted(revision: 1), at: 1, &actions)
        actions = []
        rules.took(2, nil, at: 2, &actions)
        #expect(actions == [.take(3)])
        actions = []
        rules.took(3, .held(by: "b"), at: 3, &actions)
        rules.tick(at: 19, &actions)
        #expect(actions == [.renew(1, term: 1, revision: 1)])
        actions = []
        rules.tick(at: 20, &actions)
        #expect(actions == [.take(0)])
    }

    @Test("The partition of an id never changes, and ids are distributed over all partitions")
    func partitions() {
        #expect(partition(of: "a", among: 16) == 12)
        #expect(partition(of: "", among: 7) == Int((0xcbf2_9ce4_8422_2325 as UInt64) % 7))
        var counts = [Int](repeating: 0, count: 16)
        for number in 0..<16_000 { counts[partition(of: "room \(number)", among: 16)] += 1 }
        #expect(counts.allSatisfy { (800...1200).contains($0) }, "\(counts)")
    }
}
