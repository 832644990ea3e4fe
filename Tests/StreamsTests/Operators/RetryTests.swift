import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `retry`")
struct RetryTests {
    @Test("`retry` subscribes again up to its limit, and carries the remaining demand over")
    func retries() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(5)]))
        probe.retry(2).subscribe(recorder)
        probe.send(1)
        probe.send(completion: .failure(.first))
        probe.send(2)
        probe.send(completion: .failure(.first))
        probe.send(3)
        expectEqual(probe.requests, [.max(5), .max(4), .max(3)])
        expectEqual(recorder.completions, [])
        probe.send(completion: .failure(.second))
        expectEqual(recorder.values, [1, 2, 3])
        expectEqual(recorder.failure, .second)
        expectEqual(probe.subscriptions, 3)
        expectEqual(recorder.violations, [])
    }

    @Test("`retry` requests demand that is returned for a value, instead of returning it to an upstream that may have failed")
    func returned() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], returned: [.max(2)]))
        probe.retry(1).subscribe(recorder)
        probe.send(1)
        expectEqual(probe.requests, [.max(1), .max(2)])
        expectEqual(probe.demand, .max(2))
    }

    @Test("`retry` with a negative limit retries forever")
    func endless() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        probe.retry(-1).subscribe(recorder)
        for _ in 0..<1000 { probe.send(completion: .failure(.first)) }
        expectEqual(probe.subscriptions, 1001)
        probe.send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test("`retry` of an upstream that always fails at once uses constant stack")
    func synchronous() {
        let retries = Budget.size(1_000_000, quick: 50_000)
        let attempts = Log<Int>()
        let recorder = Recorder<Int, Oops>()
        Deferred {
            attempts.append(1)
            return Fail<Int, Oops>(error: .first)
        }.retry(retries).subscribe(recorder)
        expectEqual(attempts.items.count, retries + 1)
        expectEqual(recorder.failure, .first)
    }

    @Test("`retry` of an upstream that sends a value and fails delivers as many values as are requested")
    func valueAndFailure() {
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(3)], later: [.max(2)]))
        OperatorCase.sequence([1]).append(Fail(error: .first)).retry(1000).subscribe(recorder)
        expectEqual(recorder.values, [1, 1, 1])
        expectEqual(recorder.completions, [])
        recorder.requestLater()
        expectEqual(recorder.values.count, 5)
        recorder.request(.unlimited)
        expectEqual(recorder.values.count, 1001)
        expectEqual(recorder.failure, .first)
        expectEqual(recorder.violations, [])
    }

    @Test("`retry` does not subscribe again after a cancellation during a delivery")
    func cancelInside() {
        let attempts = Log<Int>()
        let recorder = Recorder<Int, Oops> { recorder, _ in if recorder.values.count == 3 { recorder.cancel() } }
        Deferred {
            attempts.append(1)
            return OperatorCase.sequence([1]).append(Fail(error: .first))
        }.retry(1000).subscribe(recorder)
        expectEqual(recorder.values, [1, 1, 1])
        expectEqual(attempts.items.count, 3)
        expectEqual(recorder.completions, [])
    }

    @Test("`retry` drops events of a failed attempt after its end")
    func deafUpstream() {
        let probes = Log<Probe<Int, Oops>>()
        let recorder = Recorder<Int, Oops>()
        Deferred {
            let probe = Probe<Int, Oops>(isDeaf: true)
            probes.append(probe)
            return probe
        }.retry(1).subscribe(recorder)
        probes.items[0].send(completion: .failure(.first))
        expectEqual(probes.items.count, 2)
        probes.items[0].send(1)
        probes.items[0].send(completion: .failure(.first))
        probes.items[1].send(2)
        probes.items[1].send(completion: .failure(.second))
        probes.items[1].send(3)
        expectEqual(recorder.values, [2])
        expectEqual(recorder.failure, .second)
        expectEqual(recorder.violations, [])
    }

    @Test("`retry` releases its upstream at the end, even if the subscription is retained", arguments: 0..<3)
    func release(end: Int) {
        let recorder = Recorder<Int, Oops>()
        weak var upstream: PassthroughSubject<Int, Oops>?
        do {
            let subject = PassthroughSubject<Int, Oops>()
            upstream = subject
            subject.retry(1).subscribe(recorder)
            switch end {
            case 0: subject.send(completion: .finished)
            case 1: subject.send(completion: .failure(.first))
            default: recorder.cancel()
            }
        }
        expect(upstream == nil)
    }

    // MARK: With a delay

    @Test("`retry` with a delay waits exactly that long before each attempt")
    func waits() {
        let (time, probe) = (VirtualTimeScheduler(), Probe<Int, Oops>(isDeaf: true))
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(4)]))
        probe.retry(2, scheduler: time) { _, _ in .milliseconds(300) }.subscribe(recorder)
        probe.send(1)
        probe.send(completion: .failure(.first))
        time.advance(by: .milliseconds(299))
        expectEqual(probe.subscriptions, 1)
        expectEqual(time.pending, 1)
        recorder.request(.max(2))
        time.advance(by: .milliseconds(1))
        expectEqual(probe.subscriptions, 2)
        expectEqual(time.pending, 0)
        expectEqual(probe.requests, [.max(4), .max(5)])
        time.advance(by: .seconds(10))
        expectEqual(probe.subscriptions, 2)
        probe.send(completion: .failure(.first))
        time.advance(by: .milliseconds(300))
        probe.send(completion: .failure(.second))
        expectEqual(recorder.failure, .second)
        expectEqual(time.pending, 0)
        expectEqual(probe.subscriptions, 3)
    }

    @Test("The delay of `retry` can depend on the number of failures and the error, and nil stops retrying")
    func backsOff() {
        let (time, probe) = (VirtualTimeScheduler(), Probe<Int, Oops>(isDeaf: true))
        let asked = Log<Int>()
        let recorder = Recorder<Int, Oops>()
        probe.retry(9, scheduler: time) { failures, error in
            asked.append(failures)
            return error == .first ? .seconds(1 << failures) : nil
        }.subscribe(recorder)
        for (index, seconds) in [2, 4, 8].enumerated() {
            probe.send(completion: .failure(.first))
            time.advance(by: .seconds(seconds) - .nanoseconds(1))
            expectEqual(probe.subscriptions, index + 1)
            time.advance(by: .nanoseconds(1))
            expectEqual(probe.subscriptions, index + 2)
        }
        probe.send(completion: .failure(.second))
        expectEqual(recorder.failure, .second)
        expectEqual(asked.items, [1, 2, 3, 4])
        expectEqual(time.pending, 0)
    }

    @Test("A cancellation during the delay of `retry` leaves nothing scheduled, and releases everything")
    func cancelWhileWaiting() {
        let time = VirtualTimeScheduler()
        let recorder = Recorder<Int, Oops>()
        weak var (token, upstream): (Token?, PassthroughSubject<Int, Oops>?)
        do {
            let (captured, subject) = (Token(), PassthroughSubject<Int, Oops>())
            (token, upstream) = (captured, subject)
            let failing = subject.append(Fail(error: .first))
            failing.retry(9, scheduler: time) { _, _ in captured.pass(.seconds(1)) }.subscribe(recorder)
            subject.send(completion: .finished)
        }
        expectEqual(time.pending, 1)
        expect(upstream != nil)
        recorder.cancel()
        expectEqual(time.pending, 0)
        expect(upstream == nil)
        expect(token == nil)
        time.run()
        expectEqual(recorder.completions, [])
    }

    @Test("A cancellation in the closure that returns the delay of `retry` leaves nothing scheduled")
    func cancelInsideDelay() {
        let (time, probe) = (VirtualTimeScheduler(), Probe<Int, Oops>(isDeaf: true))
        let recorder = Recorder<Int, Oops>()
        probe.retry(9, scheduler: time) { _, _ in
            recorder.cancel()
            return .seconds(1)
        }.subscribe(recorder)
        probe.send(completion: .failure(.first))
        expectEqual(time.pending, 0)
        expectEqual(recorder.completions, [])
    }

    @Test("`retry` of an upstream that fails at once uses constant stack on an immediate scheduler")
    func immediate() {
        let recorder = Recorder<Int, Oops>()
        let retries = Budget.size(100_000, quick: 30_000)
        Fail<Int, Oops>(error: .first).retry(retries, scheduler: ImmediateScheduler.shared) { _, _ in .seconds(1) }
            .subscribe(recorder)
        expectEqual(recorder.failure, .first)
    }
}
