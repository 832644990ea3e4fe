import Dispatch
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

/// Intervals that are zero, negative, or too long to be reached, on each scheduler.
@Suite("Intervals that are zero, negative, or too long to be represented")
struct IntervalTests {
    static let none: [TimeStride] = [.zero, .nanoseconds(-1), .seconds(-5), .nanoseconds(.min)]
    static let enormous: [TimeStride] = [.seconds(Int.max), .nanoseconds(.max), .seconds(Double.infinity)]

    private let log = Log<Int>()

    // MARK: Virtual time

    @Test(
        "A closure with an interval of zero or less repeats at each nanosecond of virtual time, beginning at once",
        arguments: none)
    func virtualZero(interval: TimeStride) {
        let time = VirtualTimeScheduler(now: TimePoint(offset: .seconds(1)))
        let timer = time.schedule(interval: interval) { [log, time] in
            log.append(time.now.offset.nanoseconds - 1_000_000_000)
        }
        time.advance()
        expectEqual(log.items, [0])
        time.advance(by: .nanoseconds(3))
        expectEqual(log.items, [0, 1, 2, 3])
        timer.cancel()
        expectEqual(time.pending, 0)
    }

    @Test("A closure with a date and an interval of zero or less first runs at that date in virtual time", arguments: none)
    func virtualZeroFromDate(interval: TimeStride) {
        let time = VirtualTimeScheduler()
        let date = TimePoint(offset: .nanoseconds(2))
        let timer = time.schedule(after: date, interval: interval) { [log, time] in
            log.append(time.now.offset.nanoseconds)
        }
        time.advance(by: .nanoseconds(4))
        expectEqual(log.items, [2, 3, 4])
        timer.cancel()
    }

    @Test("A closure with an interval of a nanosecond repeats at each nanosecond of virtual time")
    func virtualShortest() {
        let time = VirtualTimeScheduler()
        let timer = time.schedule(interval: .nanoseconds(1)) { [log, time] in log.append(time.now.offset.nanoseconds) }
        time.advance(by: .nanoseconds(3))
        expectEqual(log.items, [1, 2, 3])
        timer.cancel()
    }

    @Test("A closure that is due after the end of virtual time never runs, and is not retained", arguments: enormous)
    func virtualEnormous(interval: TimeStride) {
        let time = VirtualTimeScheduler(now: TimePoint(offset: .seconds(1)))
        weak var token: Token?
        let timer: any Cancellable
        let once: AnyCancellable?
        do {
            let captured = Token()
            token = captured
            timer = time.schedule(interval: interval) { [log] in captured.pass(log.append(1)) }
            once = time.schedule(once: time.now.advanced(by: interval), tolerance: nil, options: nil) { [log] in
                captured.pass(log.append(2))
            }
            time.schedule(after: time.now.advanced(by: interval)) { [log] in captured.pass(log.append(3)) }
        }
        expect(token == nil)
        expectEqual(time.pending, 0)
        time.advance(by: .nanoseconds(.max))
        expect(time.run())
        expectEqual(log.items, [])
        once?.cancel()
        timer.cancel()
    }

    @Test("A repeating closure whose next run is after the end of virtual time is released after its last run")
    func virtualLastTurn() {
        let time = VirtualTimeScheduler()
        weak var token: Token?
        let timer: any Cancellable
        do {
            let captured = Token()
            token = captured
            timer = time.schedule(after: TimePoint(offset: 1), interval: .nanoseconds(.max)) { [log] in
                captured.pass(log.append(1))
            }
        }
        expect(token != nil)
        expectEqual(time.pending, 1)
        time.advance(by: 2)
        expectEqual(log.items, [1])
        expectEqual(time.pending, 0)
        expect(token == nil)
        timer.cancel()
    }

    @Test("Virtual time advances to its end, with one run for each interval before it")
    func virtualEnd() {
        let time = VirtualTimeScheduler()
        let timer = time.schedule(interval: .seconds(1_000_000_000)) { [log, time] in
            log.append(time.now.offset.nanoseconds / 1_000_000_000)
        }
        time.advance(by: .nanoseconds(.max))
        expectEqual(log.items, (1...9).map { $0 * 1_000_000_000 })
        expectEqual(time.pending, 0)
        timer.cancel()
    }

    @Test("A closure that is due at once runs at the end of virtual time", arguments: [false, true])
    func virtualAfterEnd(isMadeThere: Bool) {
        let end = TimePoint(offset: .nanoseconds(.max))
        let time = isMadeThere ? VirtualTimeScheduler(now: end) : VirtualTimeScheduler()
        time.advance(to: end)
        let now = time.now
        expect(now < end)
        expectEqual(now.advanced(by: .nanoseconds(1)), end)
        time.schedule { [log] in log.append(1) }
        time.schedule(after: now) { [log] in log.append(2) }
        time.schedule(after: TimePoint(offset: 5)) { [log] in log.append(3) }
        let timer = time.schedule(interval: .zero) { [log] in log.append(4) }
        time.schedule(after: now.advanced(by: .nanoseconds(1))) { [log] in log.append(5) }
        time.advance(by: .seconds(1))
        expectEqual(log.items, [1, 2, 3, 4])
        expectEqual(time.now, now)
        expectEqual(time.pending, 0)
        timer.cancel()
    }

    @Test("`run` with a limit of zero or less runs nothing", arguments: [0, -1, .min])
    func runNothing(limit: Int) {
        let time = VirtualTimeScheduler()
        expect(time.run(limit: limit))
        time.schedule { [log] in log.append(1) }
        expect(!time.run(limit: limit))
        expectEqual(log.items, [])
    }

    // MARK: Clocks

    @Test("A closure with an interval of zero or less repeats at each nanosecond of a clock, beginning at once", arguments: none)
    func clockZero(interval: TimeStride) async throws {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        clock.advance(by: .seconds(1))
        let timer = scheduler.schedule(interval: interval) { [log] in log.append(1) }
        await clock.sleepers(1)
        expectEqual(log.items.count, 1)
        clock.advance(by: .nanoseconds(1))
        try await until { log.items.count == 2 }
        await clock.sleepers(1)
        clock.advance(by: .nanoseconds(3))
        try await until { log.items.count >= 5 }
        await clock.sleepers(1)
        expectEqual(log.items.count, 5)
        timer.cancel()
        await clock.sleepers(0)
    }

    @Test("A closure that is scheduled for the past on a clock runs now, after those that were due already")
    func clockPast() async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        clock.advance(by: .seconds(10))
        let (isHeld, done) = (Flag(), Flag())
        let hold = Latch()
        scheduler.schedule {
            isHeld.raise()
            hold.wait()
        }
        await isHeld.wait()
        scheduler.schedule { [log] in log.append(1) }
        scheduler.schedule(after: TimePoint(offset: .seconds(3))) { [log] in log.append(2) }
        scheduler.schedule(after: TimePoint(offset: .nanoseconds(.min))) { [log] in log.append(3) }
        scheduler.schedule { done.raise() }
        hold.open()
        await done.wait()
        expectEqual(log.items, [1, 2, 3])
    }

    @Test("A closure that is due after the end of a clock's time never runs, and is not retained", arguments: enormous)
    func clockEnormous(interval: TimeStride) async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        weak var token: Token?
        let timer: any Cancellable
        do {
            let captured = Token()
            token = captured
            timer = scheduler.schedule(interval: interval) { [log] in captured.pass(log.append(1)) }
            scheduler.schedule(after: scheduler.now.advanced(by: interval)) { [log] in captured.pass(log.append(2)) }
        }
        expect(token == nil)
        await clock.sleepers(0)
        timer.cancel()
    }

    @Test("A repeating closure whose next run is after the end of a clock's time is released after its last run")
    func clockLastTurn() async {
        let scheduler = ClockScheduler(ManualClock())
        let released = Flag()
        let timer: any Cancellable
        do {
            let captured = CallWhenReleased { released.raise() }
            timer = scheduler.schedule(after: scheduler.now, interval: .nanoseconds(.max)) { [log] in
                withExtendedLifetime(captured) { log.append(1) }
            }
        }
        await released.wait()
        expectEqual(log.items, [1])
        timer.cancel()
    }

    @Test("A repeating closure that is always late can be cancelled, and releases its clock")
    func clockLagging() async {
        let isReleased = Atomic<Bool>(false)
        let third = Flag()
        let count = Atomic<Int>(0)
        let timer: any Cancellable
        do {
            let clock = RunawayClock(CallWhenReleased { isReleased.store(true, ordering: .releasing) })
            timer = ClockScheduler(clock).schedule(interval: .zero) {
                if count.wrappingAdd(1, ordering: .relaxed).newValue == 3 { third.raise() }
            }
        }
        await third.wait()
        timer.cancel()
        for _ in 0..<1_000_000 where !isReleased.load(ordering: .acquiring) { await Task.yield() }
        let hasEnded = isReleased.load(ordering: .acquiring)
        expect(hasEnded, "the task that repeats it continues")
    }

    @Test("A tolerance below zero is zero", arguments: [TimeStride.nanoseconds(-1), .nanoseconds(.min), .zero])
    func clockTolerance(tolerance: TimeStride) async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let date = scheduler.now.advanced(by: 1)
        let timer = scheduler.schedule(once: date, tolerance: tolerance, options: nil) {}
        await clock.sleepers(1)
        expectEqual(clock.tolerances, [.zero])
        timer?.cancel()
        await clock.sleepers(0)
    }

    // MARK: Dispatch

    @Test("A closure with an interval of zero or less repeats on a queue as soon as it can", arguments: none)
    func queueZero(interval: TimeStride) {
        let queue = DispatchQueue(label: "tests")
        let third = Latch()
        let timer = queue.schedule(interval: interval, tolerance: interval) { [log] in
            log.append(1)
            if log.items.count == 3 { third.open() }
        }
        third.wait()
        timer.cancel()
        queue.sync {}
        let count = log.items.count
        queue.sync {}
        expect(count >= 3)
        expectEqual(log.items.count, count)
    }

    @Test("A closure that is due after the end of a queue's time never runs", arguments: enormous)
    func queueEnormous(interval: TimeStride) async {
        let queue = DispatchQueue(label: "tests")
        let timer = queue.schedule(interval: interval, tolerance: interval) { [log] in log.append(1) }
        let never = queue.now.advanced(by: interval)
        let once = queue.schedule(once: never, tolerance: interval, options: nil) { [log] in log.append(2) }
        let done = Flag()
        let later = queue.schedule(once: queue.now.advanced(by: .milliseconds(1)), tolerance: nil, options: nil) { done.raise() }
        await done.wait()
        queue.sync {}
        expectEqual(log.items, [])
        for cancellable in [timer, once, later] as [(any Cancellable)?] { cancellable?.cancel() }
    }

    @Test("The distant future is after every point in a queue's time, and remains so after additions", arguments: none + enormous)
    func queueNever(interval: TimeStride) {
        let now = DispatchQueue.main.now
        let never = now.advanced(by: .nanoseconds(.max))
        expectEqual(never, DispatchQueue.SchedulerTimeType(.distantFuture))
        expect(now < never)
        expect(!(never < now))
        expect(never > now)
        expectEqual(max(now, never), never)
        expectEqual(min(now, never), now)
        expectEqual(never.advanced(by: interval), never)
        expectEqual(now.advanced(by: interval).advanced(by: .zero), now.advanced(by: interval))
        expect(now.advanced(by: .seconds(-5)) < now)
        expect(now.advanced(by: .nanoseconds(.min)) < now)
        expectEqual(now.advanced(by: .nanoseconds(.min)).dispatchTime.uptimeNanoseconds, 1)
    }

    // MARK: At once

    @Test("The immediate scheduler runs a repeating closure once, whatever the interval")
    func immediate() {
        for interval in [0, -1, .max, .min] {
            let stride = TimeStride(nanoseconds: interval)
            _ = ImmediateScheduler.shared.schedule(interval: stride, tolerance: stride) { [log] in log.append(interval) }
        }
        expectEqual(log.items, [0, -1, .max, .min])
    }

    // MARK: Spans and points

    @Test("Points in time saturate at the limits of their range")
    func points() {
        let (first, last) = (TimePoint(offset: .nanoseconds(.min)), TimePoint(offset: .nanoseconds(.max)))
        expectEqual(last.advanced(by: 1), last)
        expectEqual(first.advanced(by: -1), first)
        expectEqual(first.distance(to: last), .nanoseconds(.max))
        expectEqual(last.distance(to: first), .nanoseconds(.min))
        expect(first < last)
        expect(!(last < first))
        expectEqual(-TimeStride.nanoseconds(.min), .nanoseconds(.max))
        expectEqual(TimeStride(.seconds(Int64.max)), .nanoseconds(.max))
        expectEqual(TimeStride(.seconds(Int64.min)), .nanoseconds(.min))
    }
}

private final class CallWhenReleased: Sendable {
    private let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) { self.call = call }

    deinit { call() }
}

/// A clock that advances by a second each time it is read.
private struct RunawayClock: Clock {
    private final class State: Sendable {
        let seconds = Atomic<Int>(0)
        let watched: CallWhenReleased

        init(_ watched: CallWhenReleased) { self.watched = watched }
    }

    private let state: State

    init(_ watched: CallWhenReleased) { state = State(watched) }

    var now: ManualClock.Instant {
        ManualClock.Instant(offset: .seconds(state.seconds.wrappingAdd(1, ordering: .relaxed).newValue))
    }
    var minimumResolution: Duration { .seconds(1) }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { try Task.checkCancellation() }
}
