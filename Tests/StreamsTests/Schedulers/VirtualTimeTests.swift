import MoonlightTestSupport
import Streams
import Testing

@Suite("VirtualTimeScheduler")
struct VirtualTimeTests {
    typealias Time = VirtualTimeScheduler.SchedulerTimeType
    let time = VirtualTimeScheduler()
    let log = Log<String>()

    private func after(_ stride: TimeStride) -> Time { time.now.advanced(by: stride) }

    @Test("A closure runs at its time and not before")
    func exact() {
        time.schedule(after: after(.milliseconds(5))) { [log] in log.append("5") }
        time.advance(by: TimeStride.nanoseconds(4_999_999))
        expectEqual(log.items, [])
        time.advance(by: TimeStride.nanoseconds(1))
        expectEqual(log.items, ["5"])
        expectEqual(time.now, Time(offset: .milliseconds(5)))
    }

    @Test("Closures that repeat at the same times run in the order of scheduling, each time")
    func repeatingInOrder() {
        let timers = (1...5).map { number in
            time.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in log.append("\(number)") }
        }
        time.advance(by: TimeStride.seconds(4))
        expectEqual(log.items, Array(repeating: ["1", "2", "3", "4", "5"], count: 4).flatMap(\.self))
        for timer in timers { timer.cancel() }
    }

    @Test("Closures run in the order of their times, and those of one time in the order of scheduling")
    func order() {
        var random = Dice(seed: Budget.seed)
        var expected: [(time: Int, index: Int)] = []
        for index in 0..<500 {
            let milliseconds = Int.random(in: 0..<20, using: &random)
            expected.append((milliseconds, index))
            time.schedule(after: after(.milliseconds(milliseconds))) { [log] in log.append("\(index)") }
        }
        time.advance(by: TimeStride.seconds(1))
        expectEqual(
            log.items, expected.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { "\($0.index)" }, "seed \(Budget.seed)")
    }

    @Test("`now` is the time of a closure while it runs")
    func nowInside() {
        for seconds in [2, 1] {
            time.schedule(after: after(.seconds(seconds))) { [log, time] in log.append("\(time.now)") }
        }
        time.advance(by: TimeStride.seconds(5))
        expectEqual(log.items, ["\(Time(offset: .seconds(1)))", "\(Time(offset: .seconds(2)))"])
        expectEqual(time.now, Time(offset: .seconds(5)))
    }

    @Test("Work that a closure schedules runs in the same advance if it is due")
    func reentrant() {
        time.schedule(after: after(.seconds(1))) { [log, time] in
            log.append("a")
            time.schedule { log.append("b") }
            time.schedule(after: time.now.advanced(by: .seconds(1))) { log.append("c") }
            time.schedule(after: time.now.advanced(by: .seconds(2))) { log.append("d") }
        }
        time.schedule(after: after(.seconds(1))) { [log] in log.append("e") }
        time.advance(by: TimeStride.seconds(2))
        expectEqual(log.items, ["a", "e", "b", "c"])
        expectEqual(time.pending, 1)
    }

    @Test("A closure without a time runs at the next advance, even by zero")
    func asSoonAsPossible() {
        time.schedule { [log] in log.append("now") }
        expectEqual(log.items, [])
        time.advance()
        expectEqual(log.items, ["now"])
    }

    @Test("A closure that is scheduled for the past runs now, after those that were due already")
    func past() {
        time.advance(by: TimeStride.seconds(10))
        time.schedule { [log] in log.append("first") }
        time.schedule(after: Time(offset: .seconds(3))) { [log] in log.append("second") }
        time.advance()
        expectEqual(log.items, ["first", "second"])
        expectEqual(time.now, Time(offset: .seconds(10)))
    }

    @Test("A repeating closure runs at each interval until it is cancelled")
    func repeating() {
        let timer = time.schedule(after: after(.seconds(1)), interval: .seconds(2)) { [log, time] in
            log.append("\(time.now.offset.nanoseconds / 1_000_000_000)")
        }
        time.advance(by: TimeStride.seconds(6))
        expectEqual(log.items, ["1", "3", "5"])
        expectEqual(time.pending, 1)
        timer.cancel()
        expectEqual(time.pending, 0)
        time.advance(by: TimeStride.seconds(10))
        expectEqual(log.items, ["1", "3", "5"])
    }

    @Test("A repeating closure can cancel itself")
    func cancelInside() {
        let timer = Lock<AnyCancellable?>(nil)
        let made = time.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in
            log.append("tick")
            if log.items.count == 2 { timer.withLock { $0 }?.cancel() }
        }
        timer.withLock { $0 = AnyCancellable(made) }
        time.advance(by: TimeStride.seconds(9))
        expectEqual(log.items, ["tick", "tick"])
        expectEqual(time.pending, 0)
    }

    @Test("Cancelling some of many closures keeps the order of the others")
    func cancelOne() {
        var timers: [any Cancellable] = []
        for index in 0..<20 {
            timers.append(
                time.schedule(after: after(.seconds(20 - index)), interval: .seconds(100)) { [log] in
                    log.append("\(index)")
                })
        }
        for index in [19, 0, 7, 8, 12] { timers[index].cancel() }
        time.advance(by: TimeStride.seconds(50))
        expectEqual(log.items, (0..<20).reversed().filter { ![19, 0, 7, 8, 12].contains($0) }.map { "\($0)" })
    }

    @Test("`run` continues until no closure is scheduled, and advances time to the last one")
    func run() {
        time.schedule(after: after(.seconds(5))) { [log, time] in
            log.append("5")
            time.schedule(after: time.now.advanced(by: .seconds(3))) { log.append("8") }
        }
        expect(time.run())
        expectEqual(log.items, ["5", "8"])
        expectEqual(time.now, Time(offset: .seconds(8)))
    }

    @Test("`run` stops at its limit and returns whether everything has run")
    func runLimit() {
        let timer = time.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in log.append("") }
        expect(!time.run(limit: 5))
        expectEqual(log.items.count, 5)
        timer.cancel()
        time.schedule {}
        expect(time.run(limit: 1))
    }

    @Test("Virtual time advances by a duration, by a stride and to a point")
    func forms() {
        time.advance(by: Duration.milliseconds(1))
        time.advance(by: .milliseconds(2))
        time.advance(to: Time(offset: .milliseconds(7)))
        expectEqual(time.now.offset, .milliseconds(7))
        time.advance(to: Time(offset: .milliseconds(2)))
        expectEqual(time.now.offset, .milliseconds(7))
    }

    @Test("A closure is released after it has run")
    func release() {
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            time.schedule { captured.pass(()) }
        }
        expect(token != nil)
        time.advance()
        expect(token == nil)
    }

    @Test("A closure that is scheduled once can be cancelled, and is released at once")
    func once() {
        weak var token: Token?
        let (kept, taken): (AnyCancellable?, AnyCancellable?)
        do {
            let captured = Token()
            token = captured
            kept = time.schedule(once: after(.seconds(1)), tolerance: nil, options: nil) { [log] in log.append("kept") }
            taken = time.schedule(once: nil, tolerance: nil, options: nil) { captured.pass(()) }
        }
        expectEqual(time.pending, 2)
        taken?.cancel()
        expect(token == nil)
        expectEqual(time.pending, 1)
        time.advance(by: TimeStride.seconds(3))
        expectEqual(log.items, ["kept"])
        kept?.cancel()
        expectEqual(time.pending, 0)
    }

    @Test("Thousands of closures are scheduled and cancelled in any order, and the others run in the order of their times")
    func many() {
        var random = Dice(seed: Budget.seed)
        var expected: [(time: Int, index: Int)] = []
        var taken: [AnyCancellable?] = []
        var kept: [AnyCancellable?] = []
        for index in 0..<Budget.size(10_000, quick: 2_000) {
            let offset = Int.random(in: 0..<1000, using: &random)
            let date = Time(offset: .nanoseconds(offset))
            let turn = time.schedule(once: date, tolerance: nil, options: nil) { [log] in log.append("\(index)") }
            if Bool.random(using: &random) {
                taken.append(turn)
            } else {
                kept.append(turn)
                expected.append((offset, index))
            }
        }
        for turn in taken.shuffled(using: &random) { turn?.cancel() }
        expectEqual(time.pending, expected.count)
        time.advance(by: TimeStride.seconds(1))
        expectEqual(
            log.items, expected.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { "\($0.index)" }, "seed \(Budget.seed)")
        expectEqual(kept.count, expected.count)
    }

    @Test("A repeating closure without a date first runs when an interval has passed")
    func fromNow() {
        time.advance(by: TimeStride.seconds(1))
        let timer = time.schedule(interval: .seconds(2)) { [log] in log.append("tick") }
        time.advance(by: TimeStride.nanoseconds(1_999_999_999))
        expectEqual(log.items, [])
        time.advance(by: TimeStride.nanoseconds(1))
        expectEqual(log.items, ["tick"])
        timer.cancel()
    }
}
