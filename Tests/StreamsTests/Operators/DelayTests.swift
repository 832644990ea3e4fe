import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators `delay` and `receive(on:)`")
struct DelayTests {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Oops>()
    let recorder = Recorder<Int, Oops>()

    @Test("`delay` delivers a value after exactly its interval")
    func exact() {
        subject.delay(for: .milliseconds(300), scheduler: time).subscribe(recorder)
        subject.send(1)
        time.advance(by: Duration.milliseconds(200))
        subject.send(2)
        time.advance(by: Duration.nanoseconds(99_999_999))
        expectEqual(recorder.values, [])
        time.advance(by: Duration.nanoseconds(1))
        expectEqual(recorder.values, [1])
        time.advance(by: Duration.nanoseconds(199_999_999))
        expectEqual(recorder.values, [1])
        time.advance(by: Duration.nanoseconds(1))
        expectEqual(recorder.values, [1, 2])
    }

    @Test("`delay` delays the completion like the values, and delivers it after them", arguments: [nil, Oops.second])
    func completion(error: Oops?) {
        subject.delay(for: .seconds(1), scheduler: time).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        subject.send(completion: error.map { .failure($0) } ?? .finished)
        expectEqual(recorder.completions, [])
        time.advance(by: Duration.seconds(1))
        expectEqual(recorder.values, [1, 2, 3])
        expectEqual(recorder.completions, [error.map { .failure($0) } ?? .finished])
        expectEqual(recorder.violations, [])
    }

    @Test("`delay` drops and releases a pending value on cancellation", arguments: [false, true])
    func cancel(delays: Bool) {
        let objects = PassthroughSubject<Token, Never>()
        let recorder = Recorder<Token, Never>()
        if delays {
            objects.delay(for: .seconds(1), scheduler: time).subscribe(recorder)
        } else {
            objects.receive(on: time).subscribe(recorder)
        }
        weak var token: Token?
        do {
            let value = Token()
            token = value
            objects.send(value)
        }
        expect(token != nil)
        recorder.cancel()
        expect(token == nil)
        time.advance(by: Duration.seconds(2))
        expect(recorder.values.isEmpty)
    }

    @Test("`delay` delays a value that is sent during a delayed delivery")
    func reentrant() {
        let subject = subject
        let recorder = Recorder<Int, Oops> { _, value in if value < 3 { subject.send(value + 1) } }
        subject.delay(for: .seconds(1), scheduler: time).subscribe(recorder)
        subject.send(1)
        for expected in [[1], [1, 2], [1, 2, 3], [1, 2, 3]] {
            time.advance(by: Duration.seconds(1))
            expectEqual(recorder.values, expected)
        }
        expectEqual(recorder.violations, [])
    }

    @Test("`delay` passes demand to its upstream at once, and delivers the values later")
    func demand() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], returned: [.max(1)]))
        probe.delay(for: .seconds(1), scheduler: time).subscribe(recorder)
        expectEqual(probe.demand, .max(1))
        probe.sendOnDemand([1, 2])
        expectEqual(probe.demand, .none)
        time.advance(by: Duration.seconds(1))
        expectEqual(recorder.values, [1])
        expectEqual(probe.demand, .max(1))
    }

    @Test("`receive(on:)` delivers on the scheduler, in order, one value in each scheduled action")
    func receiveOn() {
        subject.receive(on: time).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        subject.send(completion: .finished)
        expect(recorder.isSubscribed)
        expectEqual(recorder.values, [])
        expectEqual(time.pending, 4)
        time.advance()
        expectEqual(recorder.values, [1, 2, 3])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`receive(on:)` delivers a value that arrives during a delivery after it")
    func receiveOnReentrant() {
        let subject = subject
        let recorder = Recorder<Int, Oops> { _, value in if value == 1 { subject.send(3) } }
        subject.receive(on: time).subscribe(recorder)
        subject.send(1)
        subject.send(2)
        time.run()
        expectEqual(recorder.values, [1, 2, 3])
        expectEqual(recorder.violations, [])
    }

    @Test("A subscriber of `receive(on:)` that cancels during a delivery receives nothing more of the burst")
    func cancelInside() {
        let recorder = Recorder<Int, Oops> { recorder, value in if value == 2 { recorder.cancel() } }
        subject.receive(on: time).subscribe(recorder)
        for value in 1...4 { subject.send(value) }
        time.run()
        expectEqual(recorder.values, [1, 2])
    }
}
