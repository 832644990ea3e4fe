import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators delay and receive(on:)")
struct DelayTests {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Oops>()
    let recorder = Recorder<Int, Oops>()

    @Test("A delayed value arrives exactly as much later as the delay says")
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

    @Test("The completion is delayed as the values are, and arrives after them", arguments: [nil, Oops.second])
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

    @Test("A value that waits is dropped on cancellation, and released at once", arguments: [false, true])
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

    @Test("A value sent from inside a delayed delivery is delayed in its turn")
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

    @Test("Demand is passed up at once, and values arrive later")
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

    @Test("`receive(on:)` delivers on the scheduler, in order, each value in a turn of its own")
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

    @Test("A value that arrives while `receive(on:)` delivers another one is delivered after it")
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

    @Test("A subscriber that cancels from inside a delivery of `receive(on:)` gets nothing more of the burst")
    func cancelInside() {
        let recorder = Recorder<Int, Oops> { recorder, value in if value == 2 { recorder.cancel() } }
        subject.receive(on: time).subscribe(recorder)
        for value in 1...4 { subject.send(value) }
        time.run()
        expectEqual(recorder.values, [1, 2])
    }
}
