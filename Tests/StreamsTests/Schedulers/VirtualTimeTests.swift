import MoonlightTestSupport
import Streams
import Testing

@Suite("VirtualTimeScheduler")
struct VirtualTimeTests {
    typealias Time = VirtualTimeScheduler.SchedulerTimeType
    let time = VirtualTimeScheduler()
    let log = Log<String>()

    private func after(_ stride: TimeStride) -> Time { time.now.advanced(by: stride) }

    @Test("nothing runs before its time, everything at its time")
    func exact() {
        time.schedule(after: after(.milliseconds(5))) { [log] in log.append("5") }
        time.advance(by: TimeStride.nanoseconds(4_999_999))
        #expect(log.items == [])
        time.advance(by: TimeStride.nanoseconds(1))
        #expect(log.items == ["5"])
        #expect(time.now == Time(offset: .milliseconds(5)))
    }

    @Test("closures that repeat at the same times run in the order they were scheduled in, each time")
    func repeatingInOrder() {
        let timers = (1...5).map { number in
            time.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in log.append("\(number)") }
        }
        time.advance(by: TimeStride.seconds(4))
        #expect(log.items == Array(repeating: ["1", "2", "3", "4", "5"], count: 4).flatMap(\.self))
        for timer in timers { timer.cancel() }
    }

    @Test("closures run in the order of their times, those of one time in the order they were scheduled in")
    func order() {
        var random = Dice(seed: 9)
        var expected: [(time: Int, index: Int)] = []
        for index in 0..<500 {
            let milliseconds = Int.random(in: 0..<20, using: &random)
            expected.append((milliseconds, index))
            time.schedule(after: after(.milliseconds(milliseconds))) { [log] in log.append("\(index)") }
        }
        time.advance(by: TimeStride.seconds(1))
        #expect(log.items == expected.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { "\($0.index)" })
    }

    @Test("while a closure runs, the present is its time")
    func nowInside() {
        for seconds in [2, 1] {
            time.schedule(after: after(.seconds(seconds))) { [log, time] in log.append("\(time.now)") }
        }
        time.advance(by: TimeStride.seconds(5))
        #expect(log.items == ["\(Time(offset: .seconds(1)))", "\(Time(offset: .seconds(2)))"])
        #expect(time.now == Time(offset: .seconds(5)))
    }

    @Test("what a closure schedules runs in the same advance if it falls due")
    func reentrant() {
        time.schedule(after: after(.seconds(1))) { [log, time] in
            log.append("a")
            time.schedule { log.append("b") }
            time.schedule(after: time.now.advanced(by: .seconds(1))) { log.append("c") }
            time.schedule(after: time.now.advanced(by: .seconds(2))) { log.append("d") }
        }
        time.schedule(after: after(.seconds(1))) { [log] in log.append("e") }
        time.advance(by: TimeStride.seconds(2))
        #expect(log.items == ["a", "e", "b", "c"])
        #expect(time.pending == 1)
    }

    @Test("as soon as possible is the next advance, also one by nothing")
    func asSoonAsPossible() {
        time.schedule { [log] in log.append("now") }
        #expect(log.items == [])
        time.advance()
        #expect(log.items == ["now"])
    }

    @Test("what is scheduled for the past is due now, after what was due already")
    func past() {
        time.advance(by: TimeStride.seconds(10))
        time.schedule { [log] in log.append("first") }
        time.schedule(after: Time(offset: .seconds(3))) { [log] in log.append("second") }
        time.advance()
        #expect(log.items == ["first", "second"])
        #expect(time.now == Time(offset: .seconds(10)))
    }

    @Test("a repeating closure runs at each interval until it is cancelled")
    func repeating() {
        let timer = time.schedule(after: after(.seconds(1)), interval: .seconds(2)) { [log, time] in
            log.append("\(time.now.offset.nanoseconds / 1_000_000_000)")
        }
        time.advance(by: TimeStride.seconds(6))
        #expect(log.items == ["1", "3", "5"])
        #expect(time.pending == 1)
        timer.cancel()
        #expect(time.pending == 0)
        time.advance(by: TimeStride.seconds(10))
        #expect(log.items == ["1", "3", "5"])
    }

    @Test("a repeating closure may cancel itself")
    func cancelInside() {
        let timer = Lock<AnyCancellable?>(nil)
        let made = time.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in
            log.append("tick")
            if log.items.count == 2 { timer.withLock { $0 }?.cancel() }
        }
        timer.withLock { $0 = AnyCancellable(made) }
        time.advance(by: TimeStride.seconds(9))
        #expect(log.items == ["tick", "tick"])
        #expect(time.pending == 0)
    }

    @Test("one of many can be cancelled; the others keep their order")
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
        #expect(log.items == (0..<20).reversed().filter { ![19, 0, 7, 8, 12].contains($0) }.map { "\($0)" })
    }

    @Test("run goes on until nothing waits, and time has moved to the last closure")
    func run() {
        time.schedule(after: after(.seconds(5))) { [log, time] in
            log.append("5")
            time.schedule(after: time.now.advanced(by: .seconds(3))) { log.append("8") }
        }
        #expect(time.run())
        #expect(log.items == ["5", "8"])
        #expect(time.now == Time(offset: .seconds(8)))
    }

    @Test("run stops at its limit and says whether anything is left")
    func runLimit() {
        let timer = time.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in log.append("") }
        #expect(!time.run(limit: 5))
        #expect(log.items.count == 5)
        timer.cancel()
        time.schedule {}
        #expect(time.run(limit: 1))
    }

    @Test("it can be advanced by a duration, and to a point")
    func forms() {
        time.advance(by: Duration.milliseconds(1))
        time.advance(by: .milliseconds(2))
        time.advance(to: Time(offset: .milliseconds(7)))
        #expect(time.now.offset == .milliseconds(7))
        time.advance(to: Time(offset: .milliseconds(2)))
        #expect(time.now.offset == .milliseconds(7))
    }

    @Test("a closure that has run is let go")
    func release() {
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            time.schedule { captured.pass(()) }
        }
        #expect(token != nil)
        time.advance()
        #expect(token == nil)
    }

    @Test("a closure that waits for its one turn can be taken back, and is let go at once")
    func once() {
        weak var token: Token?
        let (kept, taken): (AnyCancellable?, AnyCancellable?)
        do {
            let captured = Token()
            token = captured
            kept = time.schedule(once: after(.seconds(1)), tolerance: nil, options: nil) { [log] in log.append("kept") }
            taken = time.schedule(once: nil, tolerance: nil, options: nil) { captured.pass(()) }
        }
        #expect(time.pending == 2)
        taken?.cancel()
        #expect(token == nil)
        #expect(time.pending == 1)
        time.advance(by: TimeStride.seconds(3))
        #expect(log.items == ["kept"])
        kept?.cancel()
        #expect(time.pending == 0)
    }

    @Test("ten thousand closures are scheduled and taken back in any order, and the rest run in theirs")
    func many() {
        var random = Dice(seed: 2)
        var expected: [(time: Int, index: Int)] = []
        var taken: [AnyCancellable?] = []
        var kept: [AnyCancellable?] = []
        for index in 0..<10_000 {
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
        #expect(time.pending == expected.count)
        time.advance(by: TimeStride.seconds(1))
        #expect(log.items == expected.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { "\($0.index)" })
        #expect(kept.count == expected.count)
    }

    @Test("without a date, a repeating closure first runs when an interval has passed")
    func fromNow() {
        time.advance(by: TimeStride.seconds(1))
        let timer = time.schedule(interval: .seconds(2)) { [log] in log.append("tick") }
        time.advance(by: TimeStride.nanoseconds(1_999_999_999))
        #expect(log.items == [])
        time.advance(by: TimeStride.nanoseconds(1))
        #expect(log.items == ["tick"])
        timer.cancel()
    }
}
