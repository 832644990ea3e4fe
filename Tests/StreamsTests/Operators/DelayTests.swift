import Streams
import Testing

@Suite("delay, receive(on:)")
struct DelayTests {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Oops>()
    let recorder = Recorder<Int, Oops>()

    @Test("a value comes exactly as much later as the delay says")
    func exact() {
        subject.delay(for: .milliseconds(300), scheduler: time).subscribe(recorder)
        subject.send(1)
        time.advance(by: Duration.milliseconds(200))
        subject.send(2)
        time.advance(by: Duration.nanoseconds(99_999_999))
        #expect(recorder.values == [])
        time.advance(by: Duration.nanoseconds(1))
        #expect(recorder.values == [1])
        time.advance(by: Duration.nanoseconds(199_999_999))
        #expect(recorder.values == [1])
        time.advance(by: Duration.nanoseconds(1))
        #expect(recorder.values == [1, 2])
    }

    @Test("the completion is delayed as the values are, and comes after them", arguments: [nil, Oops.second])
    func completion(error: Oops?) {
        subject.delay(for: .seconds(1), scheduler: time).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        subject.send(completion: error.map { .failure($0) } ?? .finished)
        #expect(recorder.completions == [])
        time.advance(by: Duration.seconds(1))
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.completions == [error.map { .failure($0) } ?? .finished])
        #expect(recorder.violations == [])
    }

    @Test("what waits is dropped on cancellation, and let go at once", arguments: [false, true])
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
        #expect(token != nil)
        recorder.cancel()
        #expect(token == nil)
        time.advance(by: Duration.seconds(2))
        #expect(recorder.values.isEmpty)
    }

    @Test("a value sent from inside a delayed delivery is delayed in its turn")
    func reentrant() {
        let subject = subject
        let recorder = Recorder<Int, Oops> { _, value in if value < 3 { subject.send(value + 1) } }
        subject.delay(for: .seconds(1), scheduler: time).subscribe(recorder)
        subject.send(1)
        for expected in [[1], [1, 2], [1, 2, 3], [1, 2, 3]] {
            time.advance(by: Duration.seconds(1))
            #expect(recorder.values == expected)
        }
        #expect(recorder.violations == [])
    }

    @Test("demand goes up at once, values come down later")
    func demand() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], returned: [.max(1)]))
        probe.delay(for: .seconds(1), scheduler: time).subscribe(recorder)
        #expect(probe.demand == .max(1))
        probe.sendOnDemand([1, 2])
        #expect(probe.demand == .none)
        time.advance(by: Duration.seconds(1))
        #expect(recorder.values == [1])
        #expect(probe.demand == .max(1))
    }

    @Test("receive(on:) delivers on the scheduler, in order, each value in a turn of its own")
    func receiveOn() {
        subject.receive(on: time).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        subject.send(completion: .finished)
        #expect(recorder.isSubscribed)
        #expect(recorder.values == [])
        #expect(time.pending == 4)
        time.advance()
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("what arrives while receive(on:) delivers comes after it")
    func receiveOnReentrant() {
        let subject = subject
        let recorder = Recorder<Int, Oops> { _, value in if value == 1 { subject.send(3) } }
        subject.receive(on: time).subscribe(recorder)
        subject.send(1)
        subject.send(2)
        time.run()
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.violations == [])
    }

    @Test("cancelled from inside a delivery, the rest of the burst is dropped")
    func cancelInside() {
        let recorder = Recorder<Int, Oops> { recorder, value in if value == 2 { recorder.cancel() } }
        subject.receive(on: time).subscribe(recorder)
        for value in 1...4 { subject.send(value) }
        time.run()
        #expect(recorder.values == [1, 2])
    }
}
