import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Inbox queue")
struct InboxLineTests {
    private static func words(_ offer: InboxLine<String>.Offer) -> String {
        switch offer {
        case .queued: "queued"
        case .folded: "folded"
        case .queuedForOldest(let event, _): "for \(event)"
        case .full: "full"
        case .closed: "closed"
        }
    }

    private static func words(_ tally: InboxLine<String>.Tally?) -> String {
        guard let tally else { return "none" }
        return "\(tally.last), the last of \(tally.count)"
    }

    private static func offer(
        _ event: String, to line: inout InboxLine<String>, from sender: InboxSender = .outside
    ) -> String { words(line.offer(event, Turn(), from: sender)) }

    @Test("Events leave the queue in the order in which they arrived")
    func order() {
        var line = InboxLine<String>(.unbounded)
        for event in ["a", "b", "c"] { expectEqual(Self.offer(event, to: &line), "queued") }
        expectEqual(
            [line.pop()?.event, line.pop()?.event, line.pop()?.event, line.pop()?.event], ["a", "b", "c", nil])
    }

    @Test("The oldest event of a full queue is dropped for the newest")
    func dropsOldest() {
        var line = InboxLine<String>(.dropOldest(2))
        for event in ["a", "b"] { _ = Self.offer(event, to: &line) }
        expectEqual(Self.offer("c", to: &line), "for a")
        expectEqual(line.pop()?.event, "b")
    }

    @Test("The loop's own events are not dropped for newer ones, and keep their order")
    func keepsOwnEvents() {
        var line = InboxLine<String>(.dropOldest(3))
        for event in ["a", "b"] { _ = Self.offer(event, to: &line, from: .loop) }
        _ = Self.offer("c", to: &line)
        expectEqual(Self.offer("d", to: &line), "for c")
        expectEqual(Self.offer("e", to: &line), "for d")
        expectEqual((0..<4).map { _ in line.pop()?.event }, ["a", "b", "e", nil])
    }

    @Test("A full queue of the loop's own events drops none")
    func onlyOwnEvents() {
        var line = InboxLine<String>(.dropOldest(1))
        _ = Self.offer("a", to: &line, from: .loop)
        expectEqual(Self.offer("b", to: &line), "queued")
        expectEqual((0..<3).map { _ in line.pop()?.event }, ["a", "b", nil])
    }

    @Test("The last event is replaced by its number, and has another one then; one that has left the queue is not replaced")
    func replacing() {
        var line = InboxLine<String>(.dropOldest(1))
        expect(line.last == nil)
        _ = Self.offer("a", to: &line)
        let first = line.last?.number ?? 0
        expectEqual(line.replace(first, by: "a+", Turn(), from: .outside)?.event, "a")
        expect(line.replace(first, by: "a++", Turn(), from: .outside) == nil)
        let second = line.last?.number ?? 0
        expectEqual(Self.offer("b", to: &line), "for a+")
        expect(line.replace(second, by: "a++", Turn(), from: .outside) == nil)
        expectEqual([line.pop()?.event, line.pop()?.event], ["b", nil])
    }

    @Test("Room is reserved for waiting senders, in the order of arrival")
    func waiters() {
        var line = InboxLine<String>(.suspend(1))
        _ = Self.offer("a", to: &line)
        let senders = (0..<3).map { _ in Settlement.Outcome() }
        for sender in senders.prefix(2) {
            expect(line.wait(sender) != nil)
        }
        expect(line.admitNext() == nil)
        _ = line.pop()
        expect(line.admitNext() === senders[0])
        // The room is reserved, although the queue is empty.
        expectEqual(Self.offer("late", to: &line), "full")
        expect(line.wait(senders[2]) != nil)
        expectEqual(Self.offer("b", to: &line, from: .hasRoom), "queued")
        _ = line.pop()
        expect(line.admitNext() === senders[1])
        // Coalesced with another event, so that it needs no room.
        expect(line.giveRoomBack() === senders[2])
    }

    @Test("Senders that are cancelled while there is no room leave the queue, and the others keep their order")
    func cancelled() {
        var line = InboxLine<String>(.suspend(1))
        _ = Self.offer("a", to: &line)
        let senders = (0..<2).map { _ in Settlement.Outcome() }
        for sender in senders {
            expect(line.wait(sender) != nil)
            for _ in 0..<200 {
                let cancelled = Settlement.Outcome()
                let number = line.wait(cancelled) ?? 0
                expect(line.waiters.remove(number) === cancelled)
            }
        }
        for sender in senders {
            _ = line.pop()
            expect(line.admitNext() === sender)
            expectEqual(Self.offer("b", to: &line, from: .hasRoom), "queued")
        }
    }

    @Test("Room that is returned can be used once")
    func givenBack() {
        var line = InboxLine<String>(.suspend(1))
        _ = Self.offer("a", to: &line)
        let sender = Settlement.Outcome()
        expect(line.wait(sender) != nil)
        _ = line.pop()
        expect(line.admitNext() === sender)
        expect(line.giveRoomBack() == nil)
        expectEqual(Self.offer("b", to: &line), "queued")
        expectEqual(Self.offer("c", to: &line), "full")
    }

    @Test("The capacity of a bound is at least one")
    func leastBound() {
        let bounds: [InboxBound] = [.suspend(0), .dropOldest(-1), .reject(0), .reject(3), .unbounded]
        expectEqual(bounds.map(\.capacity), [1, 1, 1, 3, nil])
    }

    @Test("The loop's own events are accepted by a full queue")
    func ownEvents() {
        var line = InboxLine<String>(.reject(1))
        _ = Self.offer("a", to: &line)
        expectEqual(Self.offer("b", to: &line), "full")
        expectEqual(Self.offer("c", to: &line, from: .loop), "queued")
    }

    @Test("The loop is called once to record coalesced and dropped events, however many there are")
    func notes() {
        var line = InboxLine<String>(.dropOldest(1))
        var isFirst: [Bool] = [
            line.note("a", isLost: false).isFirst, line.note("b", isLost: false).isFirst, line.note("c", isLost: true).isFirst,
        ]
        expectEqual(isFirst, [true, false, false])
        var notes = line.takeNotes()
        expectEqual(Self.words(notes.folded), "b, the last of 2")
        expectEqual(Self.words(notes.lost), "c, the last of 1")
        isFirst = [
            line.note("d", isLost: true).isFirst, line.note("e", isLost: true).isFirst, line.note("f", isLost: false).isFirst,
        ]
        expectEqual(isFirst, [true, false, false])
        notes = line.takeNotes()
        expectEqual(Self.words(notes.folded), "f, the last of 1")
        expectEqual(Self.words(notes.lost), "e, the last of 2")
        notes = line.takeNotes()
        expectEqual(Self.words(notes.folded), "none")
        expectEqual(Self.words(notes.lost), "none")
    }

    @Test("A closed queue accepts no event and no waiting sender")
    func closed() {
        var line = InboxLine<String>(.suspend(1))
        _ = Self.offer("a", to: &line)
        let sender = Settlement.Outcome()
        expect(line.wait(sender) != nil)
        let left = line.close()
        expectEqual(left.entries.map(\.event), ["a"])
        expect(left.waiters.elementsEqual([sender], by: ===))
        expectEqual(Self.offer("b", to: &line), "closed")
        expect(line.wait(Settlement.Outcome()) == nil)
        expect(line.isEmpty)
    }
}

@Suite("Step counter: steps without input")
struct StepCounterTests {
    enum Event {
        case ping(Int)
        case pong
        case other(String)
    }

    private static func count(_ limit: Int, _ events: [Event]) -> [RunawayReport] {
        var counter = StepCounter(limit: limit)
        return events.compactMap { counter.count($0) }
    }

    @Test("A report has the events that repeat when the limit is reached, once")
    func reports() {
        let events = (0..<2000).map { $0.isMultiple(of: 2) ? Event.ping($0) : .pong }
        let reports = Self.count(1000, events)
        expectEqual(reports.map(\.steps), [1000])
        expect(reports.allSatisfy { Set($0.chain) == ["ping", "pong"] && $0.chain.count == 2 })
        expect("\(reports[0])".hasPrefix("1000 events without input, repeating "))
    }

    @Test("A limit of one reports the first event, and reports events that do not repeat")
    func small() {
        expectEqual(Self.count(1, [.pong, .pong]).map(\.chain), [["pong"]])
        expectEqual(Self.count(3, [.pong, .ping(1), .other("a")]).map(\.chain), [["pong", "ping", "other"]])
    }

    @Test("The chain of a report begins with the first event that repeats, even if the last round is incomplete")
    func incomplete() {
        expectEqual(Self.count(3, [.pong, .ping(1), .pong]).map(\.chain), [["pong", "ping"]])
        expectEqual(Self.count(4, [.pong, .pong, .ping(1), .pong]).map(\.chain), [["pong", "pong", "ping"]])
        expectEqual(Self.count(3, [.pong, .pong, .ping(1)]).map(\.chain), [["pong", "pong", "ping"]])
    }

    @Test("The chain of a report contains the last 64 events before the limit, and no earlier ones")
    func memory() {
        let others = (1...100).map { Event.other("\($0)") }
        let pongs = [Event](repeating: .pong, count: 64)
        expectEqual(Self.count(100, Array(others.prefix(36)) + pongs).map(\.chain), [["pong"]])
        let chains = Self.count(100, Array(others.prefix(37)) + pongs.dropFirst()).map(\.chain)
        expectEqual(chains, [["other"] + [String](repeating: "pong", count: 63)])
    }

    @Test("An event from outside restarts the count, even after a single event")
    func resetAfterOne() {
        var counter = StepCounter(limit: 2)
        expect(counter.count(Event.pong) == nil)
        counter.reset()
        expect(counter.count(Event.pong) == nil)
        expectEqual(counter.count(Event.pong)?.steps, 2)
    }

    @Test("An event from outside restarts the count after several events")
    func reset() {
        var counter = StepCounter(limit: 3)
        expect(counter.count(Event.pong) == nil)
        expect(counter.count(Event.pong) == nil)
        counter.reset()
        expect(counter.count(Event.pong) == nil)
        expect(counter.count(Event.pong) == nil)
        expectEqual(counter.count(Event.pong)?.chain, ["pong"])
    }
}
