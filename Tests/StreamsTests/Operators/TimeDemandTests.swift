import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators with time and limited demand")
struct TimeDemandTests {
    @Test("`throttle` reads the time twice for the subscription, and once for each event and each delivery")
    func looks() {
        let (time, looks, subject) = (VirtualTimeScheduler(), Log<Int>(), PassthroughSubject<Int, Never>())
        let scheduler = ObservedTime(time)
        scheduler.onLook.withLock { $0 = { looks.append(1) } }
        let cancellable = subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).sink { _ in }
        expectEqual(looks.items.count, 2)
        subject.send(1)
        expectEqual(looks.items.count, 3)
        time.advance()
        expectEqual(looks.items.count, 4)
        cancellable.cancel()
    }

    let time = VirtualTimeScheduler()
    let probe = Probe<Int, Oops>()
    let slow = Appetite(description: "", atStart: [.max(1)], later: [.max(1)])

    private func send(_ values: Int..., then ticks: Int = 10) {
        for value in values { probe.sendOnDemand([value]) }
        time.advance(by: Ticks.nanoseconds(ticks))
    }

    @Test("`debounce` drops a value that is due without demand")
    func debounce() {
        let recorder = Recorder<Int, Oops>(slow)
        probe.debounce(for: TimedCase.span, scheduler: time).subscribe(recorder)
        expectEqual(probe.requests, [.unlimited])
        send(1)
        send(2)
        recorder.requestLater()
        time.advance(by: Ticks.seconds(1))
        expectEqual(recorder.values, [1])
        send(3, 4)
        expectEqual(recorder.values, [1, 4])
        probe.send(completion: .finished)
        time.advance()
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`throttle` drops a value that arrives without demand")
    func throttle() {
        let recorder = Recorder<Int, Oops>(slow)
        probe.throttle(for: TimedCase.span, scheduler: time, latest: true).subscribe(recorder)
        expectEqual(probe.requests, [.unlimited])
        send(1)
        send(2)
        expectEqual(time.pending, 0)
        recorder.requestLater()
        time.advance(by: Ticks.seconds(1))
        expectEqual(recorder.values, [1])
        send(3, 4)
        expectEqual(recorder.values, [1, 4])
        probe.send(completion: .finished)
        time.advance()
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`collect` by time keeps values without demand for the next interval")
    func collectByTime() {
        let recorder = Recorder<[Int], Oops>(slow)
        probe.collect(.byTime(time, TimedCase.span)).subscribe(recorder)
        expectEqual(probe.requests, [.unlimited])
        send(1, 2)
        send(3)
        send(4)
        expectEqual(recorder.values, [[1, 2]])
        recorder.requestLater()
        time.advance(by: Ticks.nanoseconds(1))
        expectEqual(recorder.values, [[1, 2]])
        time.advance(by: Ticks.nanoseconds(1))
        expectEqual(recorder.values, [[1, 2], [3, 4]])
        expectEqual(recorder.violations, [])
    }

    @Test("`collect` keeps values and the completion until there is demand when the upstream has finished")
    func collectLeftover() {
        let recorder = Recorder<[Int], Oops>(Appetite(description: "", later: [.max(1)]))
        probe.collect(.byTime(time, TimedCase.span)).subscribe(recorder)
        send(1, 2)
        probe.send(completion: .finished)
        time.advance(by: Ticks.seconds(1))
        expectEqual(time.pending, 0)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [])
        recorder.requestLater()
        time.advance()
        expectEqual(recorder.values, [[1, 2]])
        expect(recorder.isFinished)
    }

    @Test("`collect` delivers a failure before collected values")
    func collectFailure() {
        let recorder = Recorder<[Int], Oops>(.nothing)
        probe.collect(.byTime(time, TimedCase.span)).subscribe(recorder)
        send(1, 2)
        probe.send(completion: .failure(.first))
        time.advance()
        expectEqual(recorder.failure, .first)
        expectEqual(recorder.values, [])
    }

    @Test("`collect` by time or count requests as many values as the requested arrays can hold")
    func collectByCount() {
        let recorder = Recorder<[Int], Oops>(
            Appetite(description: "", atStart: [.max(2)], returned: [.max(1)], later: [.max(1)]))
        probe.collect(.byTimeOrCount(time, TimedCase.span, 3)).subscribe(recorder)
        expectEqual(probe.demand, .max(6))
        send(1, then: 2)
        expectEqual(recorder.values, [[1]])
        expectEqual(probe.demand, .max(8))
        send(2, 3, 4, 5, 6, then: 0)
        expectEqual(recorder.values, [[1], [2, 3, 4]])
        send(7, 8, 9, 10, then: 2)
        expectEqual(recorder.values, [[1], [2, 3, 4], [5, 6, 7]])
        expectEqual(probe.demand, .none)
        recorder.requestLater()
        expectEqual(probe.demand, .max(3))
        time.advance(by: TimedCase.span)
        expectEqual(recorder.values, [[1], [2, 3, 4], [5, 6, 7], [8, 9]])
        expectEqual(recorder.violations, [])
    }

    @Test("`collect` sends a full array in the scheduler's next action, and an incomplete one at the end of the interval")
    func collectTurns() {
        let (recorder, subject) = (Recorder<[Int], Never>(), PassthroughSubject<Int, Never>())
        subject.collect(.byTimeOrCount(time, .seconds(1), 2)).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        expectEqual(recorder.values, [])
        time.advance()
        expectEqual(recorder.values, [[1, 2]])
        let atTheTick = Log<[[Int]]>()
        time.schedule(after: time.now.advanced(by: .seconds(1))) { atTheTick.append(recorder.values) }
        time.advance(by: .seconds(1))
        expectEqual(atTheTick.items, [[[1, 2], [3]]])
    }

    @Test("`collect` splits values beyond the count into arrays of that count")
    func collectPortions() {
        let recorder = Recorder<[Int], Oops>(Appetite(description: "", atStart: [.max(1)], later: [.unlimited]))
        let subject = PassthroughSubject<Int, Oops>()
        // A buffer that accepts values regardless of demand.
        Unasked(subject: subject).collect(.byTimeOrCount(time, .seconds(1), 2)).subscribe(recorder)
        for value in 1...7 { subject.send(value) }
        time.advance()
        expectEqual(recorder.values, [[1, 2]])
        recorder.requestLater()
        time.advance()
        expectEqual(recorder.values, [[1, 2], [3, 4], [5, 6]])
        subject.send(completion: .finished)
        time.advance()
        expectEqual(recorder.values, [[1, 2], [3, 4], [5, 6], [7]])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`timeout`, `delay`, `receive(on:)` and `measureInterval` pass requests on unchanged")
    func passed() {
        let publishers: [AnyPublisher<Int, Oops>] = [
            probe.timeout(.seconds(1), scheduler: time).eraseToAnyPublisher(),
            probe.delay(for: .seconds(1), scheduler: time).eraseToAnyPublisher(),
            probe.receive(on: time).eraseToAnyPublisher(),
            probe.measureInterval(using: time).map(\.nanoseconds).eraseToAnyPublisher(),
        ]
        for publisher in publishers {
            let before = probe.requests.count
            let recorder = Recorder<Int, Oops>(
                Appetite(description: "", atStart: [.max(2)], returned: [.max(3)], later: [.max(4)]))
            publisher.subscribe(recorder)
            recorder.requestLater()
            probe.send(1)
            time.advance(by: Ticks.seconds(1))
            expectEqual(probe.requests[before...], [.max(2), .max(4), .max(3)])
            recorder.cancel()
        }
    }
}

/// A publisher that sends regardless of demand.
private struct Unasked: Publisher {
    typealias Output = Int
    typealias Failure = Oops
    let subject: PassthroughSubject<Int, Oops>
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {
        let erased = AnySubscriber(subscriber)
        subject.subscribe(
            AnySubscriber(
                receiveSubscription: { subscription in
                    erased.receive(subscription: subscription)
                    subscription.request(.unlimited)
                },
                receiveValue: { erased.receive($0) }, receiveCompletion: { erased.receive(completion: $0) }))
    }
}
