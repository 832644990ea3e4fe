import MoonlightTestSupport
import Streams
import Testing

@testable import StreamLimits

private final class Waiter: RateWaiter, @unchecked Sendable {
    // Sound: one thread uses it.
    var place: Int?
    func begin() {}
}

/// The line of a limiter as a value, with integers as times; the test passes whether their interval is over.
@Suite("The queue of a limiter")
struct RateLineTests {
    private var line = RateLine<Int>(count: 1)
    private let waiters = (0..<3).map { _ in Waiter() }

    /// Lets one begin at a time, and queues the others. Returns the timers that they request.
    private mutating func fill(at time: Int = 0) -> [RateLine<Int>.Timer?] {
        _ = line.arrive(Waiter(), at: time, isFirstOver: false, limit: nil)
        return waiters.map {
            if case .waits(let timer) = line.arrive($0, at: time, isFirstOver: false, limit: nil) { timer } else { nil }
        }
    }

    @Test("The first waiting subscription asks for a timer that counts from the last beginning, and the others ask for none")
    mutating func oneTimer() {
        let timers = fill(at: 7)
        expectEqual(timers.map { $0?.after }, [7, nil, nil])
        expectEqual(line.waiting, 3)
    }

    @Test("A timer that fires early lets no subscription begin, and asks for another timer for the same time")
    mutating func early() throws {
        let timers = fill(at: 7)
        let first = try #require(timers[0])
        let early = line.tick(first.number, at: 8, isFirstOver: false)
        expect(early != nil && early?.waiter == nil)
        expectEqual(line.waiting, 3)
        let next = try #require(early?.next)
        expectEqual(next.after, 7)
        expect(next.number != first.number)
        let due = line.tick(next.number, at: 9, isFirstOver: true)
        expect(due?.waiter === waiters[0])
        expectEqual(due?.next?.after, 9)
        expectEqual(due?.dropping.0, 7)
    }

    @Test("A timer that was replaced does nothing")
    mutating func replaced() throws {
        let timers = fill()
        let first = try #require(timers[0])
        _ = line.tick(first.number, at: 1, isFirstOver: false)
        let late = line.tick(first.number, at: 2, isFirstOver: true)
        expect(late == nil)
        expectEqual(line.waiting, 3)
    }

    @Test("The last waiting subscription leaves no timer behind")
    mutating func last() throws {
        let timers = fill()
        var timer = try #require(timers[0])
        for (place, waiter) in waiters.enumerated() {
            let turn = line.tick(timer.number, at: place, isFirstOver: true)
            expect(turn?.waiter === waiter)
            expect((turn?.next == nil) == (place == 2))
            if let next = turn?.next { timer = next }
        }
        expectEqual(line.waiting, 0)
    }

    @Test("A subscription that has left gets no turn, and the last one to leave removes the timer's token")
    mutating func leaving() throws {
        let timers = fill()
        let timer = try #require(timers[0])
        let token = AnyCancellable {}
        line.keep(token, of: timer.number)
        let stranger = Waiter()
        let left = [waiters[0], waiters[0], stranger, waiters[2], waiters[1]].map { line.leave($0) }
        expectEqual(left.map { $0?.waiter === nil }, [false, true, true, false, false])
        expect(left[0]?.waiter === waiters[0])
        expect(left[3]?.waiter === waiters[2])
        expectEqual(left.map { $0?.token === token }, [false, false, false, false, true])
        expectEqual(line.waiting, 0)
    }

    @Test("A token of an earlier timer is not kept")
    mutating func lateToken() throws {
        let timers = fill()
        let first = try #require(timers[0])
        _ = line.tick(first.number, at: 1, isFirstOver: false)
        line.keep(AnyCancellable {}, of: first.number)
        for waiter in waiters.dropLast() { _ = line.leave(waiter) }
        let last = line.leave(waiters[2])
        expect(last != nil && last?.token == nil)
    }

    @Test("The revision of a queue changes with each subscription that begins, and with nothing else")
    mutating func revision() throws {
        let timers = fill()
        let timer = try #require(timers[0])
        expectEqual(line.revision, 1)
        _ = line.leave(waiters[2])
        let turn = line.tick(timer.number, at: 1, isFirstOver: false)
        let early = try #require(turn?.next)
        expectEqual(line.revision, 1)
        _ = line.tick(early.number, at: 2, isFirstOver: true)
        expectEqual(line.revision, 2)
        expectEqual(line.first, 2)
    }

    @Test("Subscriptions that have left are skipped, and the others keep their order")
    mutating func leavingMany() throws {
        let timers = fill()
        var timer = try #require(timers[0])
        let many = (0..<1000).map { _ in Waiter() }
        for waiter in many { _ = line.arrive(waiter, at: 0, isFirstOver: false, limit: nil) }
        for (number, waiter) in many.enumerated() where number % 100 != 0 { _ = line.leave(waiter) }
        var begun: [any RateWaiter] = []
        while let turn = line.tick(timer.number, at: 1, isFirstOver: true) {
            if let waiter = turn.waiter { begun.append(waiter) }
            guard let next = turn.next else { break }
            timer = next
        }
        let expected: [any RateWaiter] = waiters + many.enumerated().filter { $0.offset % 100 == 0 }.map(\.element)
        expectEqual(begun.map { ObjectIdentifier($0) }, expected.map { ObjectIdentifier($0) })
    }

    @Test("At most `limit` subscriptions wait")
    mutating func limit() {
        func arrive(_ line: inout RateLine<Int>) -> String {
            switch line.arrive(Waiter(), at: 0, isFirstOver: false, limit: 2) {
            case .begins: "begins"
            case .waits: "waits"
            case .isRefused: "is refused"
            }
        }
        let answers = (0..<4).map { _ in arrive(&line) }
        expectEqual(answers, ["begins", "waits", "waits", "is refused"])
    }

    @Test("`count` subscriptions begin at once, and then one for each interval that is over")
    mutating func counting() {
        line = RateLine(count: 2)
        func arrive(_ line: inout RateLine<Int>, _ now: Int, _ isOver: Bool) -> String {
            switch line.arrive(Waiter(), at: now, isFirstOver: isOver, limit: 0) {
            case .begins(let dropped): "begins, \(dropped.map(String.init) ?? "nothing") forgotten"
            case .waits: "waits"
            case .isRefused: "is refused"
            }
        }
        let answers = [(1, false), (2, false), (3, false), (4, true)].map { arrive(&line, $0, $1) }
        expectEqual(answers, ["begins, nothing forgotten", "begins, nothing forgotten", "is refused", "begins, 1 forgotten"])
        expectEqual(line.first, 2)
    }
}
