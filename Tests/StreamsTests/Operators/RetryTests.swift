import Streams
import Testing

@Suite("retry")
struct RetryTests {
    @Test("it subscribes again as often as it may, and carries on what is asked for")
    func retries() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(5)]))
        probe.retry(2).subscribe(recorder)
        probe.send(1)
        probe.send(completion: .failure(.first))
        probe.send(2)
        probe.send(completion: .failure(.first))
        probe.send(3)
        #expect(probe.requests == [.max(5), .max(4), .max(3)])
        #expect(recorder.completions == [])
        probe.send(completion: .failure(.second))
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.failure == .second)
        #expect(probe.subscriptions == 3)
        #expect(recorder.violations == [])
    }

    @Test("what is asked for together with a value is requested, and not returned to an upstream that may have failed")
    func returned() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], returned: [.max(2)]))
        probe.retry(1).subscribe(recorder)
        probe.send(1)
        #expect(probe.requests == [.max(1), .max(2)])
        #expect(probe.demand == .max(2))
    }

    @Test("without a limit, or with a negative one, it goes on for good", arguments: [nil, -1])
    func endless(retries: Int?) {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        Publishers.Retry(upstream: probe, retries: retries).subscribe(recorder)
        for _ in 0..<1000 { probe.send(completion: .failure(.first)) }
        #expect(probe.subscriptions == 1001)
        probe.send(completion: .finished)
        #expect(recorder.isFinished)
    }

    @Test("an upstream that fails at once, a million times, takes constant stack")
    func synchronous() {
        let attempts = Log<Int>()
        let recorder = Recorder<Int, Oops>()
        Deferred {
            attempts.append(1)
            return Fail<Int, Oops>(error: .first)
        }.retry(1_000_000).subscribe(recorder)
        #expect(attempts.items.count == 1_000_001)
        #expect(recorder.failure == .first)
    }

    @Test("a value and then a failure, a thousand times")
    func valueAndFailure() {
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(3)], later: [.max(2)]))
        OperatorCase.sequence([1]).append(Fail(error: .first)).retry(1000).subscribe(recorder)
        #expect(recorder.values == [1, 1, 1])
        #expect(recorder.completions == [])
        recorder.requestLater()
        #expect(recorder.values.count == 5)
        recorder.request(.unlimited)
        #expect(recorder.values.count == 1001)
        #expect(recorder.failure == .first)
        #expect(recorder.violations == [])
    }

    @Test("cancelled from inside a delivery it does not subscribe again")
    func cancelInside() {
        let attempts = Log<Int>()
        let recorder = Recorder<Int, Oops> { recorder, _ in if recorder.values.count == 3 { recorder.cancel() } }
        Deferred {
            attempts.append(1)
            return OperatorCase.sequence([1]).append(Fail(error: .first))
        }.retry(1000).subscribe(recorder)
        #expect(recorder.values == [1, 1, 1])
        #expect(attempts.items.count == 3)
        #expect(recorder.completions == [])
    }

    @Test("what a failed attempt sends after its end is dropped")
    func deafUpstream() {
        let probes = Log<Probe<Int, Oops>>()
        let recorder = Recorder<Int, Oops>()
        Deferred {
            let probe = Probe<Int, Oops>(isDeaf: true)
            probes.append(probe)
            return probe
        }.retry(1).subscribe(recorder)
        probes.items[0].send(completion: .failure(.first))
        #expect(probes.items.count == 2)
        probes.items[0].send(1)
        probes.items[0].send(completion: .failure(.first))
        probes.items[1].send(2)
        probes.items[1].send(completion: .failure(.second))
        probes.items[1].send(3)
        #expect(recorder.values == [2])
        #expect(recorder.failure == .second)
        #expect(recorder.violations == [])
    }

    @Test("the upstream is let go at the end, though the subscription is kept", arguments: 0..<3)
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
        #expect(upstream == nil)
    }

    // MARK: With a delay

    @Test("it waits before each attempt, to the tick")
    func waits() {
        let (time, probe) = (VirtualTimeScheduler(), Probe<Int, Oops>(isDeaf: true))
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(4)]))
        probe.retry(2, scheduler: time) { _, _ in .milliseconds(300) }.subscribe(recorder)
        probe.send(1)
        probe.send(completion: .failure(.first))
        time.advance(by: .milliseconds(299))
        #expect(probe.subscriptions == 1)
        #expect(time.pending == 1)
        recorder.request(.max(2))
        time.advance(by: .milliseconds(1))
        #expect(probe.subscriptions == 2)
        #expect(time.pending == 0)
        #expect(probe.requests == [.max(4), .max(5)])
        time.advance(by: .seconds(10))
        #expect(probe.subscriptions == 2)
        probe.send(completion: .failure(.first))
        time.advance(by: .milliseconds(300))
        probe.send(completion: .failure(.second))
        #expect(recorder.failure == .second)
        #expect(time.pending == 0)
        #expect(probe.subscriptions == 3)
    }

    @Test("how long it waits may depend on the failures so far and on the error; nil gives up")
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
            #expect(probe.subscriptions == index + 1)
            time.advance(by: .nanoseconds(1))
            #expect(probe.subscriptions == index + 2)
        }
        probe.send(completion: .failure(.second))
        #expect(recorder.failure == .second)
        #expect(asked.items == [1, 2, 3, 4])
        #expect(time.pending == 0)
    }

    @Test("cancelled while it waits, nothing remains scheduled and nothing is kept")
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
        #expect(time.pending == 1)
        #expect(upstream != nil)
        recorder.cancel()
        #expect(time.pending == 0)
        #expect(upstream == nil)
        #expect(token == nil)
        time.run()
        #expect(recorder.completions == [])
    }

    @Test("cancelled by the closure that says how long to wait, it does not wait")
    func cancelInsideDelay() {
        let (time, probe) = (VirtualTimeScheduler(), Probe<Int, Oops>(isDeaf: true))
        let recorder = Recorder<Int, Oops>()
        probe.retry(9, scheduler: time) { _, _ in
            recorder.cancel()
            return .seconds(1)
        }.subscribe(recorder)
        probe.send(completion: .failure(.first))
        #expect(time.pending == 0)
        #expect(recorder.completions == [])
    }

    @Test("a scheduler that runs things at once takes constant stack, too")
    func immediate() {
        let recorder = Recorder<Int, Oops>()
        Fail<Int, Oops>(error: .first).retry(100_000, scheduler: ImmediateScheduler.shared) { _, _ in .seconds(1) }
            .subscribe(recorder)
        #expect(recorder.failure == .first)
    }
}
