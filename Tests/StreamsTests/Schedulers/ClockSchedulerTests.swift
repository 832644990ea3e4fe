import MoonlightTestSupport
import Streams
import Testing

@Suite("ClockScheduler")
struct ClockSchedulerTests {
    let clock = ManualClock()
    let scheduler: ClockScheduler<ManualClock>
    let log = Log<String>()

    init() { scheduler = ClockScheduler(clock) }

    private func after(_ stride: TimeStride) -> TimePoint {
        scheduler.now.advanced(by: stride)
    }

    /// Waits until all due closures have run.
    private func settle() async {
        let done = Flag()
        scheduler.schedule { done.raise() }
        await done.wait()
    }

    @Test("The time of a clock scheduler is the clock's, in strides of nanoseconds")
    func time() {
        clock.advance(by: .milliseconds(1500))
        expectEqual(scheduler.start.advanced(by: scheduler.now.offset.duration), clock.now)
        expectEqual(scheduler.now.distance(to: after(.seconds(2))), .seconds(2))
        expectEqual(after(.seconds(2)).distance(to: scheduler.now), .seconds(-2))
        expectEqual(scheduler.minimumTolerance, .nanoseconds(1))
    }

    @Test("Closures without a time run as soon as possible, in the order of scheduling")
    func now() async {
        for index in 0..<100 { scheduler.schedule { [log] in log.append("\(index)") } }
        await settle()
        expectEqual(log.items, (0..<100).map { "\($0)" })
    }

    @Test("A closure runs at its time and not before, with the given tolerance")
    func later() async {
        scheduler.schedule(after: after(.seconds(2)), tolerance: .milliseconds(3)) { [log] in log.append("2") }
        await clock.sleepers(1)
        expectEqual(clock.tolerances, [.milliseconds(3)])
        clock.advance(by: .nanoseconds(1_999_999_999))
        await settle()
        expectEqual(log.items, [])
        clock.advance(by: .nanoseconds(1))
        await settle()
        expectEqual(log.items, ["2"])
    }

    @Test("A closure that is due a nanosecond after the scheduler was created does not run earlier")
    func firstNanosecond() async {
        scheduler.schedule(after: after(.nanoseconds(1))) { [log] in log.append("1") }
        scheduler.schedule { [log] in log.append("0") }
        await clock.sleepers(1)
        await settle()
        expectEqual(log.items, ["0"])
        clock.advance(by: .nanoseconds(1))
        await settle()
        expectEqual(log.items, ["0", "1"])
    }

    @Test("Closures run in the order of their times, one at a time, in whatever order tasks wake")
    func order() async {
        var random = Dice(seed: Budget.seed)
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
        expectEqual(
            log.items, expected.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map { "\($0.index)" }, "seed \(Budget.seed)")
    }

    @Test("A repeating closure runs at each interval until it is cancelled")
    func repeating() async {
        let timer = scheduler.schedule(after: after(.seconds(1)), interval: .seconds(2)) { [log] in log.append("tick") }
        for count in 1...3 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(count == 1 ? 1 : 2))
            await clock.sleepers(1)
            expectEqual(log.items.count, count)
        }
        timer.cancel()
        await clock.sleepers(0)
        clock.advance(by: .seconds(9))
        await settle()
        expectEqual(log.items.count, 3)
    }

    @Test("A repeating closure catches up with a clock that jumps")
    func jump() async {
        let timer = scheduler.schedule(after: after(.seconds(1)), interval: .seconds(1)) { [log] in log.append("tick") }
        await clock.sleepers(1)
        clock.advance(by: .seconds(4))
        await clock.sleepers(1)
        expectEqual(log.items.count, 4)
        timer.cancel()
    }

    @Test("A cancelled closure does not run, and is released at once")
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
        expect(token != nil)
        cancellable?.cancel()
        expect(token == nil)
        await clock.sleepers(0)
    }

    @Test("A closure that cancels its own entry does not run in a cancelled task")
    func notCancelled() async {
        let (tokens, isCancelled) = (Log<AnyCancellable?>(), Log<Bool>())
        let date = after(.seconds(1))
        for number in 0..<3 {
            let token = scheduler.schedule(once: date, tolerance: nil, options: nil) {
                tokens.items[number]?.cancel()
                isCancelled.append(Task.isCancelled)
            }
            tokens.append(token)
        }
        await clock.sleepers(3)
        clock.advance(by: .seconds(1))
        await settle()
        expectEqual(isCancelled.items, [false, false, false])
    }

    @Test("An attempt that `retry` makes on a clock does not run in a cancelled task")
    func retry() async {
        let (isCancelled, done) = (Log<Bool>(), Flag())
        let attempts = Deferred {
            isCancelled.append(Task.isCancelled)
            return isCancelled.items.count == 1
                ? Fail<Int, Oops>(error: .first).eraseToAnyPublisher() : .init(Just(1).setFailureType(to: Oops.self))
        }
        let subscription = attempts.retry(2, scheduler: scheduler) { _, _ in .seconds(1) }
            .sink(isolation: nil, receiveCompletion: { _ in done.raise() }, receiveValue: { _ in })
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await done.wait()
        expectEqual(isCancelled.items, [false, false])
        withExtendedLifetime(subscription) {}
    }

    @Test("`debounce` works on a clock")
    func debounce() async {
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.debounce(for: .seconds(1), scheduler: scheduler).sink { [log] in log.append("\($0)") }
        subject.send(1)
        subject.send(2)
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await clock.sleepers(0)
        await settle()
        expectEqual(log.items, ["2"])
        subject.send(3)
        await clock.sleepers(1)
        cancellable.cancel()
        await clock.sleepers(0)
        expectEqual(log.items, ["2"])
    }

    @Test("The clocks of the standard library work as schedulers")
    func continuous() async {
        let done = Flag()
        let scheduler = ClockScheduler(ContinuousClock())
        let cancellable = Just(1).delay(for: .nanoseconds(1), scheduler: scheduler).sink { _ in done.raise() }
        await done.wait()
        cancellable.cancel()
        expect(ClockScheduler(SuspendingClock()).minimumTolerance > 0)
    }
}
