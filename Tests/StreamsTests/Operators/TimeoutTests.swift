import Streams
import Testing

@Suite("timeout, measureInterval, subscribe(on:)")
struct TimeoutTests {
    let time = VirtualTimeScheduler()
    let probe = Probe<Int, Oops>()

    @Test("time is counted anew from the first request, and from no other")
    func firstRequest() {
        let recorder = Recorder<Int, Oops>(.nothing)
        probe.timeout(.nanoseconds(5), scheduler: time).subscribe(recorder)
        time.advance(by: Ticks.nanoseconds(4))
        recorder.request(.max(1))
        time.advance(by: Ticks.nanoseconds(4))
        recorder.request(.max(1))
        #expect(recorder.completions == [])
        time.advance(by: Ticks.nanoseconds(1))
        #expect(recorder.isFinished)
        #expect(probe.cancellations == 1)
    }

    @Test("the closure that makes the error is let go at the end", arguments: [false, true])
    func customError(cancels: Bool) {
        let recorder = Recorder<Int, Oops>()
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            probe.timeout(.nanoseconds(5), scheduler: time, customError: { captured.pass(.second) }).subscribe(recorder)
        }
        #expect(token != nil)
        if cancels { recorder.cancel() } else { time.advance(by: Ticks.nanoseconds(5)) }
        #expect(recorder.failure == (cancels ? nil : .second))
        #expect(token == nil)
    }

    @Test("a value of the last moment comes before the end")
    func lastMoment() {
        let recorder = Recorder<Int, Oops>()
        let (probe, time) = (probe, time)
        time.schedule(after: .init(offset: .nanoseconds(5))) { probe.send(1) }
        probe.timeout(.nanoseconds(5), scheduler: time).subscribe(recorder)
        time.advance(by: Ticks.nanoseconds(9))
        #expect(recorder.values == [1])
        #expect(recorder.completions == [])
        time.advance(by: Ticks.nanoseconds(1))
        #expect(recorder.isFinished)
    }

    @Test("the downstream may be another operator's, and fail with its error")
    func types() {
        let publisher: Publishers.Timeout<Fail<Int, Oops>, VirtualTimeScheduler> = Fail(error: Oops.first)
            .timeout(.seconds(1), scheduler: time, options: nil, customError: { .second })
        #expect(publisher.interval == .seconds(1))
        #expect(publisher.customError?() == .second)
        #expect(publisher.options == nil)
        let recorder = Recorder<Int, Oops>()
        publisher.subscribe(recorder)
        time.advance()
        #expect(recorder.failure == .first)
        #expect(time.pending == 0)
    }

    @Test("an interval is negative if the clock went back")
    func interval() {
        let clock = SettableScheduler()
        let recorder = Recorder<TimeStride, Oops>()
        probe.measureInterval(using: clock).subscribe(recorder)
        for now in [3, 3, 1, 10] {
            clock.now = .init(offset: .nanoseconds(now))
            probe.send(0)
        }
        #expect(recorder.values == [3, 0, -2, 9].map(Ticks.nanoseconds))
    }

    @Test("subscribe(on:) subscribes, requests and cancels in turns of the scheduler, and in order")
    func subscribeOn() {
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2), .max(1)]))
        probe.subscribe(on: time).subscribe(recorder)
        #expect(probe.subscriptions == 0)
        #expect(!recorder.isSubscribed)
        time.run(limit: 1)
        #expect(probe.subscriptions == 1)
        #expect(recorder.isSubscribed)
        #expect(probe.requests == [])
        time.advance()
        #expect(probe.requests == [.max(2), .max(1)])
        probe.send(1)
        #expect(recorder.values == [1])
        recorder.cancel()
        probe.send(2)
        #expect(recorder.values == [1])
        #expect(probe.cancellations == 0)
        time.advance()
        #expect(probe.cancellations == 1)
        recorder.cancel()
        recorder.request(.max(1))
        #expect(time.pending == 0)
        #expect(!probe.isSubscriptionAlive)
    }

    @Test("subscribe(on:) passes returned demand on, and schedules nothing after the end", arguments: [false, true])
    func subscribeOnEnd(fails: Bool) {
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], returned: [.max(2)]))
        probe.subscribe(on: time).subscribe(recorder)
        time.advance()
        probe.send(1)
        #expect(probe.demand == .max(2))
        probe.send(completion: fails ? .failure(.first) : .finished)
        #expect(recorder.completions.count == 1)
        recorder.cancel()
        recorder.request(.max(1))
        #expect(time.pending == 0)
        #expect(probe.cancellations == 0)
        #expect(!probe.isSubscriptionAlive)
    }
}

/// A scheduler whose clock is set by hand. It runs nothing.
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
