import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators `timeout`, `measureInterval` and `subscribe(on:)`")
struct TimeoutTests {
    let time = VirtualTimeScheduler()
    let probe = Probe<Int, Oops>()

    @Test("`timeout` restarts at the first request, and at no later one")
    func firstRequest() {
        let recorder = Recorder<Int, Oops>(.nothing)
        probe.timeout(.nanoseconds(5), scheduler: time).subscribe(recorder)
        time.advance(by: Ticks.nanoseconds(4))
        recorder.request(.max(1))
        time.advance(by: Ticks.nanoseconds(4))
        recorder.request(.max(1))
        expectEqual(recorder.completions, [])
        time.advance(by: Ticks.nanoseconds(1))
        expect(recorder.isFinished)
        expectEqual(probe.cancellations, 1)
    }

    @Test("`timeout` releases the closure that creates its error at the end", arguments: [false, true])
    func customError(cancels: Bool) {
        let recorder = Recorder<Int, Oops>()
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            probe.timeout(.nanoseconds(5), scheduler: time, customError: { captured.pass(.second) }).subscribe(recorder)
        }
        expect(token != nil)
        if cancels { recorder.cancel() } else { time.advance(by: Ticks.nanoseconds(5)) }
        expect(recorder.failure == (cancels ? nil : .second))
        expect(token == nil)
    }

    @Test("`timeout` delivers a value that arrives exactly at the timeout, and restarts")
    func exactTimeout() {
        let recorder = Recorder<Int, Oops>()
        let (probe, time) = (probe, time)
        time.schedule(after: .init(offset: .nanoseconds(5))) { probe.send(1) }
        probe.timeout(.nanoseconds(5), scheduler: time).subscribe(recorder)
        time.advance(by: Ticks.nanoseconds(9))
        expectEqual(recorder.values, [1])
        expectEqual(recorder.completions, [])
        time.advance(by: Ticks.nanoseconds(1))
        expect(recorder.isFinished)
    }

    @Test("`timeout` passes on a failure of its upstream")
    func types() {
        let publisher: Publishers.Timeout<Fail<Int, Oops>, VirtualTimeScheduler> = Fail(error: Oops.first)
            .timeout(.seconds(1), scheduler: time, options: nil, customError: { .second })
        let recorder = Recorder<Int, Oops>()
        publisher.subscribe(recorder)
        time.advance()
        expectEqual(recorder.failure, .first)
        expectEqual(time.pending, 0)
    }

    @Test("`measureInterval` sends a negative interval if the clock has gone back")
    func interval() {
        let clock = SettableScheduler()
        let recorder = Recorder<TimeStride, Oops>()
        probe.measureInterval(using: clock).subscribe(recorder)
        for now in [3, 3, 1, 10] {
            clock.now = .init(offset: .nanoseconds(now))
            probe.send(0)
        }
        expectEqual(recorder.values, [3, 0, -2, 9].map(Ticks.nanoseconds))
    }

    @Test("`subscribe(on:)` subscribes, requests and cancels in actions of the scheduler, in order")
    func subscribeOn() {
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2), .max(1)]))
        probe.subscribe(on: time).subscribe(recorder)
        expectEqual(probe.subscriptions, 0)
        expect(!recorder.isSubscribed)
        time.run(limit: 1)
        expectEqual(probe.subscriptions, 1)
        expect(recorder.isSubscribed)
        expectEqual(probe.requests, [])
        time.advance()
        expectEqual(probe.requests, [.max(2), .max(1)])
        probe.send(1)
        expectEqual(recorder.values, [1])
        recorder.cancel()
        probe.send(2)
        expectEqual(recorder.values, [1])
        expectEqual(probe.cancellations, 0)
        time.advance()
        expectEqual(probe.cancellations, 1)
        recorder.cancel()
        recorder.request(.max(1))
        expectEqual(time.pending, 0)
        expect(!probe.isSubscriptionAlive)
    }

    @Test("`subscribe(on:)` passes returned demand on, and schedules nothing after the end", arguments: [false, true])
    func subscribeOnEnd(fails: Bool) {
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], returned: [.max(2)]))
        probe.subscribe(on: time).subscribe(recorder)
        time.advance()
        probe.send(1)
        expectEqual(probe.demand, .max(2))
        probe.send(completion: fails ? .failure(.first) : .finished)
        expectEqual(recorder.completions.count, 1)
        recorder.cancel()
        recorder.request(.max(1))
        expectEqual(time.pending, 0)
        expectEqual(probe.cancellations, 0)
        expect(!probe.isSubscriptionAlive)
    }
}

/// A scheduler with a manual clock, which runs nothing.
private final class SettableScheduler: Scheduler, @unchecked Sendable {
    // Sound: used by one thread.
    typealias SchedulerOptions = Never
    var now = VirtualTimeScheduler.SchedulerTimeType(offset: 0)
    var minimumTolerance: TimeStride { 0 }
    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {}
    func schedule(
        after date: VirtualTimeScheduler.SchedulerTimeType, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) {}
    func schedule(
        after date: VirtualTimeScheduler.SchedulerTimeType, interval: TimeStride, tolerance: TimeStride,
        options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { Subscriptions.empty }
}
