import Testing

@testable import Moonlight

@Suite("The line of an inbox")
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

    private static func offer(
        _ event: String, to line: inout InboxLine<String>, from sender: InboxSender = .outside
    ) -> String { words(line.offer(event, Trace(), from: sender)) }

    @Test("events leave in the order in which they came")
    func order() {
        var line = InboxLine<String>(.unbounded)
        for event in ["a", "b", "c"] { #expect(Self.offer(event, to: &line) == "queued") }
        #expect(
            [line.pass()?.event, line.pass()?.event, line.pass()?.event, line.pass()?.event] == ["a", "b", "c", nil])
    }

    @Test("of a full line the oldest makes room for the newest")
    func dropsOldest() {
        var line = InboxLine<String>(.dropOldest(2))
        for event in ["a", "b"] { _ = Self.offer(event, to: &line) }
        #expect(Self.offer("c", to: &line) == "for a")
        #expect(line.pass()?.event == "b")
    }

    @Test("the loop's own events are not dropped for the newest, and keep their order")
    func keepsOwnEvents() {
        var line = InboxLine<String>(.dropOldest(3))
        for event in ["a", "b"] { _ = Self.offer(event, to: &line, from: .loop) }
        _ = Self.offer("c", to: &line)
        #expect(Self.offer("d", to: &line) == "for c")
        #expect(Self.offer("e", to: &line) == "for d")
        #expect((0..<4).map { _ in line.pass()?.event } == ["a", "b", "e", nil])
    }

    @Test("if only the loop's own events wait, none is dropped")
    func onlyOwnEvents() {
        var line = InboxLine<String>(.dropOldest(1))
        _ = Self.offer("a", to: &line, from: .loop)
        #expect(Self.offer("b", to: &line) == "queued")
        #expect((0..<3).map { _ in line.pass()?.event } == ["a", "b", nil])
    }

    @Test("an event that is being folded keeps its place when a later one is dropped, and one before it is not")
    func holeBeforeDropped() {
        var line = InboxLine<String>(.dropOldest(3))
        _ = Self.offer("a", to: &line, from: .loop)
        _ = Self.offer("b", to: &line, from: .loop)
        _ = line.takeLast()
        _ = Self.offer("c", to: &line)
        #expect(Self.offer("d", to: &line) == "for c")
        #expect(line.putBack(("b+", Trace(), 0, true)) == 0)
        #expect((0..<4).map { _ in line.pass()?.event } == ["a", "b+", "d", nil])
    }

    @Test("an event that is being folded keeps its place, is not dropped, and is called for again if it was passed")
    func hole() {
        var line = InboxLine<String>(.dropOldest(1))
        _ = Self.offer("a", to: &line)
        let last = line.takeLast()
        #expect(last?.event == "a")
        #expect(line.takeLast() == nil)
        #expect(line.pass() == nil)
        #expect(Self.offer("b", to: &line) == "queued")
        #expect(line.pass() == nil)
        #expect(line.putBack(("a+", Trace(), 0, false)) == 2)
        #expect([line.pass()?.event, line.pass()?.event] == ["a+", "b"])
    }

    @Test("an event that was folded in time is not called for again")
    func unpassedHole() {
        var line = InboxLine<String>(.unbounded)
        for event in ["a", "b"] { _ = Self.offer(event, to: &line) }
        _ = line.takeLast()
        #expect(line.pass()?.event == "a")
        #expect(line.putBack(("b+", Trace(), 0, false)) == 0)
        #expect(line.pass()?.event == "b+")
    }

    @Test("room is given to those that wait, first come, first served, and kept for them")
    func waiters() {
        var line = InboxLine<String>(.suspend(1))
        _ = Self.offer("a", to: &line)
        let ids = (0..<3).map { _ in line.makeWaiterID() }
        #expect(ids.map { line.wait($0) } == [false, false, false])
        #expect(line.admitNext() == nil)
        #expect(line.leave(ids[0]) == true)
        #expect(line.leave(ids[0]) == false)
        _ = line.pass()
        #expect(line.admitNext() == ids[1])
        // The room is taken, though the line is empty.
        #expect(line.leave(ids[1]) == false)
        #expect(Self.offer("late", to: &line) == "full")
        #expect(line.wait(line.makeWaiterID()) == false)
        #expect(Self.offer("b", to: &line, from: .hasRoom) == "queued")
        _ = line.pass()
        #expect(line.admitNext() == ids[2])
        // Folded into another event: it needs no room.
        #expect(line.giveRoomBack() == 4)
    }

    @Test("room that is given back can be taken by one, and no more than that")
    func givenBack() {
        var line = InboxLine<String>(.suspend(1))
        _ = Self.offer("a", to: &line)
        let id = line.makeWaiterID()
        #expect(line.wait(id) == false)
        _ = line.pass()
        #expect(line.admitNext() == id)
        #expect(line.giveRoomBack() == nil)
        #expect(Self.offer("b", to: &line) == "queued")
        #expect(Self.offer("c", to: &line) == "full")
    }

    @Test("a bound is at least one")
    func leastBound() {
        let bounds: [InboxBound] = [.suspend(0), .dropOldest(-1), .reject(0), .reject(3), .unbounded]
        #expect(bounds.map(\.capacity) == [1, 1, 1, 3, nil])
    }

    @Test("the loop's own events find room in a full line")
    func ownEvents() {
        var line = InboxLine<String>(.reject(1))
        _ = Self.offer("a", to: &line)
        #expect(Self.offer("b", to: &line) == "full")
        #expect(Self.offer("c", to: &line, from: .loop) == "queued")
    }

    @Test("the loop is called once to write down what was folded and lost, however much that is")
    func notes() {
        var line = InboxLine<String>(.dropOldest(1))
        #expect(line.note(folded: "a").isFirst == true)
        #expect(line.note(folded: "b").isFirst == false)
        #expect(line.note(lost: "c").isFirst == false)
        var notes = line.takeNotes()
        #expect(notes.folded?.last == "b")
        #expect(notes.folded?.count == 2)
        #expect(notes.lost?.last == "c")
        #expect(notes.lost?.count == 1)
        #expect(line.note(lost: "d").isFirst == true)
        #expect(line.note(lost: "e").isFirst == false)
        #expect(line.note(folded: "f").isFirst == false)
        notes = line.takeNotes()
        #expect(notes.folded?.count == 1)
        #expect(notes.lost?.last == "e")
        #expect(notes.lost?.count == 2)
        notes = line.takeNotes()
        #expect(notes.folded == nil)
        #expect(notes.lost == nil)
    }

    @Test("a line that has been closed takes nothing, and keeps nobody waiting")
    func closed() {
        var line = InboxLine<String>(.suspend(1))
        _ = Self.offer("a", to: &line)
        #expect(line.close().compactMap { $0?.event } == ["a"])
        #expect(Self.offer("b", to: &line) == "closed")
        #expect(line.wait(line.makeWaiterID()) == true)
        #expect(line.putBack(("a", Trace(), 0, false)) == 0)
        #expect(line.isEmpty)
    }
}

@Suite("Counting steps")
struct StepCounterTests {
    enum Event {
        case ping(Int)
        case pong
        case other(String)
    }

    private static func count(_ limit: Int, _ events: [Event]) -> [Runaway] {
        var counter = StepCounter(limit: limit)
        return events.compactMap { counter.count($0) }
    }

    @Test("when the limit is reached there is a report of the events that repeat, by name, and no other")
    func reports() {
        let events = (0..<2000).map { $0.isMultiple(of: 2) ? Event.ping($0) : .pong }
        let reports = Self.count(1000, events)
        #expect(reports.map(\.steps) == [1000])
        #expect(reports.allSatisfy { Set($0.chain) == ["ping", "pong"] && $0.chain.count == 2 })
        #expect("\(reports[0])".hasPrefix("1000 events without input, repeating "))
    }

    @Test("a limit of one reports the first event; no repetition is told as it is")
    func small() {
        #expect(Self.count(1, [.pong, .pong]).map(\.chain) == [["pong"]])
        #expect(Self.count(3, [.pong, .ping(1), .other("a")]).map(\.chain) == [["pong", "ping", "other"]])
    }

    @Test("the events that repeat are told from the first on, also if the last round is not complete")
    func incomplete() {
        #expect(Self.count(3, [.pong, .ping(1), .pong]).map(\.chain) == [["pong", "ping"]])
        #expect(Self.count(4, [.pong, .pong, .ping(1), .pong]).map(\.chain) == [["pong", "pong", "ping"]])
        #expect(Self.count(3, [.pong, .pong, .ping(1)]).map(\.chain) == [["pong", "pong", "ping"]])
    }

    @Test("the last sixty-four events before the limit are looked at, and none before them")
    func memory() {
        let others = (1...100).map { Event.other("\($0)") }
        let pongs = [Event](repeating: .pong, count: 64)
        #expect(Self.count(100, Array(others.prefix(36)) + pongs).map(\.chain) == [["pong"]])
        let chains = Self.count(100, Array(others.prefix(37)) + pongs.dropFirst()).map(\.chain)
        #expect(chains == [["other"] + [String](repeating: "pong", count: 63)])
    }

    @Test("what comes from outside starts the count anew, also after a single event")
    func resetAfterOne() {
        var counter = StepCounter(limit: 2)
        #expect(counter.count(Event.pong) == nil)
        counter.reset()
        #expect(counter.count(Event.pong) == nil)
        #expect(counter.count(Event.pong)?.steps == 2)
    }

    @Test("what comes from outside starts the count anew")
    func reset() {
        var counter = StepCounter(limit: 3)
        #expect(counter.count(Event.pong) == nil)
        #expect(counter.count(Event.pong) == nil)
        counter.reset()
        #expect(counter.count(Event.pong) == nil)
        #expect(counter.count(Event.pong) == nil)
        #expect(counter.count(Event.pong)?.chain == ["pong"])
    }
}
