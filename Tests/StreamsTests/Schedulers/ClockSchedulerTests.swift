import MoonlightTestSupport
import Streams
import Testing

@Suite("ClockScheduler", .timeLimit(.minutes(20)))
struct ClockSchedulerTests {
    let clock = ManualClock()
    let scheduler: ClockScheduler<ManualClock>
    let log = Log<String>()

    init() { scheduler = ClockScheduler(clock) }

    private func after(_ stride: TimeStride) -> TimePoint {
        scheduler.now.advanced(by: stride)
    }

    /// Waits until all that is due has run.
    private func settle() async {
        let done = Flag()
        scheduler.schedule { done.raise() }
        await done.wait()
    }

    @Test("its time is the clock's, in strides of nanoseconds")
    func time() {
        clock.advance(by: .milliseconds(1500))
        #expect(scheduler.start.advanced(by: scheduler.now.offset.duration) == clock.now)
        #expect(scheduler.now.distance(to: after(.seconds(2))) == .seconds(2))
        #expect(after(.seconds(2)).distance(to: scheduler.now) == .seconds(-2))
        #expect(scheduler.minimumTolerance == .nanoseconds(1))
    }

    @Test("a closure runs as soon as possible, in the order of scheduling")
    func now() async {
        for index in 0..<100 { scheduler.schedule { [log] in log.append("\(index)") } }
        await settle()
        #expect(log.items == (0..<100).map { "\($0)" })
    }

    @Test("a closure runs at its time and not before, with the tolerance that was asked for")
    func later() async {
        scheduler.schedule(after: after(.seconds(2)), tolerance: .milliseconds(3)) { [log] in log.append("2") }
        await clock.sleepers(1)
        #expect(clock.tolerances == [.milliseconds(3)])
        clock.advance(by: .nanoseconds(1_999_999_999))
        await settle()
        #expect(log.items == [])
        clock.advance(by: .nanoseconds(1))
        await settle()
        #expect(log.items == ["2"])
    }

    @Test("a closure that is due a nanosecond after the scheduler was made does not run before")
    func firstNanosecond() async {
        scheduler.schedule(after: after(.nanoseconds(1))) { [log] in log.append("1") }
        scheduler.schedule { [log] in log.append("0") }
        await clock.sleepers(1)
        await settle()
        #expect(log.items == ["0"])
        clock.advance(by: .nanoseconds(1))
        await settle()
        #expect(log.items == ["0", "1"])
    }

    @Test("however tasks wake, closures run in the order of their times, and never two at once")
    func order() async {
        var random = Dice(seed: 4)
        var expected: [(time: Int, index: Int)] = []
        let isRunning = Lock(false)
        for index in 0..<300 {
            let seconds = Int.random(in: 1...20, using: &random)
            expected.append((seconds, index))
            scheduler.schedule(after: after(.seconds(seconds))) { [log] in
                let overlaps = isRunning.withLock { isRunning in
                    defer { isRunning = true }
                    return isRunning
                }
                if overlaps { log.append("overlap") }
                log.append("\(index)")
                isRunning.withLock { $0 = false }
            }
        }
        await clock.sleepers(300)
        clock.advance(by: .seconds(10))
        clock.advance(by: .seconds(10))
        await settle()
        #expect(log.items == expected.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { "\($0.index)" })
    }

    @Test("a repeating closure runs at each interval until it is cancelled")
    func repeating() async {
        let timer = scheduler.schedule(after: after(.seconds(1)), interval: .seconds(2)) { [log] in log.append("tick") }
        for count in 1...3 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(count == 1 ? 1 : 2))
            await clock.sleepers(1)
            #expect(log.items.count == count)
        }
        timer.cancel()
        await clock.sleepers(0)
        clock.advance(by: .seconds(9))
        await settle()
        #expect(log.items.count == 3)
    }

    @Test("a repeating closure catches up with a clock that jumps")
    func jump() async {
        let timer = scheduler.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in log.append("tick") }
        await clock.sleepers(1)
        clock.advance(by: .seconds(4))
        await clock.sleepers(1)
        #expect(log.items.count == 4)
        timer.cancel()
    }

    @Test("what is taken back does not run, and is let go at once")
    func takenBack() async {
        weak var token: Token?
        let cancellable: AnyCancellable?
        do {
            let captured = Token()
            token = captured
            let date = after(.seconds(1))
            cancellable = scheduler.schedule(once: date, tolerance: nil, options: nil) { captured.pass(()) }
        }
        await clock.sleepers(1)
        #expect(token != nil)
        cancellable?.cancel()
        #expect(token == nil)
        await clock.sleepers(0)
    }

    @Test("operators work on it")
    func debounce() async {
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.debounce(for: .seconds(1), scheduler: scheduler).sink { [log] in log.append("\($0)") }
        subject.send(1)
        subject.send(2)
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await clock.sleepers(0)
        await settle()
        #expect(log.items == ["2"])
        subject.send(3)
        await clock.sleepers(1)
        cancellable.cancel()
        await clock.sleepers(0)
        #expect(log.items == ["2"])
    }

    @Test("the clocks of the standard library will do")
    func continuous() async {
        let done = Flag()
        let scheduler = ClockScheduler(ContinuousClock())
        let cancellable = Just(1).delay(for: .nanoseconds(1), scheduler: scheduler).sink { _ in done.raise() }
        await done.wait()
        cancellable.cancel()
        #expect(ClockScheduler(SuspendingClock()).minimumTolerance > 0)
    }
}
