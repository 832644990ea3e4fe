import Streams
import Testing

@Suite("Time and demand")
struct TimeDemandTests {
    @Test("throttle looks at the time on subscribing, at the subscription, at each event and at each delivery of a value")
    func looks() {
        let (time, looks, subject) = (VirtualTimeScheduler(), Log<Int>(), PassthroughSubject<Int, Never>())
        let scheduler = ObservedTime(time)
        scheduler.onLook.withLock { $0 = { looks.append(1) } }
        let cancellable = subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).sink { _ in }
        #expect(looks.items.count == 2)
        subject.send(1)
        #expect(looks.items.count == 3)
        time.advance()
        #expect(looks.items.count == 4)
        cancellable.cancel()
    }

    let time = VirtualTimeScheduler()
    let probe = Probe<Int, Oops>()
    let slow = Appetite(description: "", atStart: [.max(1)], later: [.max(1)])

    private func send(_ values: Int..., then ticks: Int = 10) {
        for value in values { probe.sendOnDemand([value]) }
        time.advance(by: Ticks.nanoseconds(ticks))
    }

    @Test("what debounce has to send while nothing is asked for is dropped")
    func debounce() {
        let recorder = Recorder<Int, Oops>(slow)
        probe.debounce(for: TimedCase.span, scheduler: time).subscribe(recorder)
        #expect(probe.requests == [.unlimited])
        send(1)
        send(2)
        recorder.requestLater()
        time.advance(by: Ticks.seconds(1))
        #expect(recorder.values == [1])
        send(3, 4)
        #expect(recorder.values == [1, 4])
        probe.send(completion: .finished)
        time.advance()
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("what comes to throttle while nothing is asked for is dropped")
    func throttle() {
        let recorder = Recorder<Int, Oops>(slow)
        probe.throttle(for: TimedCase.span, scheduler: time, latest: true).subscribe(recorder)
        #expect(probe.requests == [.unlimited])
        send(1)
        send(2)
        #expect(time.pending == 0)
        recorder.requestLater()
        time.advance(by: Ticks.seconds(1))
        #expect(recorder.values == [1])
        send(3, 4)
        #expect(recorder.values == [1, 4])
        probe.send(completion: .finished)
        time.advance()
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("what is collected while nothing is asked for is kept for the next interval")
    func collectByTime() {
        let recorder = Recorder<[Int], Oops>(slow)
        probe.collect(.byTime(time, TimedCase.span)).subscribe(recorder)
        #expect(probe.requests == [.unlimited])
        send(1, 2)
        send(3)
        send(4)
        #expect(recorder.values == [[1, 2]])
        recorder.requestLater()
        time.advance(by: Ticks.nanoseconds(1))
        #expect(recorder.values == [[1, 2]])
        time.advance(by: Ticks.nanoseconds(1))
        #expect(recorder.values == [[1, 2], [3, 4]])
        #expect(recorder.violations == [])
    }

    @Test("what is left when the upstream finishes waits until it is asked for, and the completion for it")
    func collectLeftover() {
        let recorder = Recorder<[Int], Oops>(Appetite(description: "", later: [.max(1)]))
        probe.collect(.byTime(time, TimedCase.span)).subscribe(recorder)
        send(1, 2)
        probe.send(completion: .finished)
        time.advance(by: Ticks.seconds(1))
        #expect(time.pending == 0)
        #expect(recorder.values == [])
        #expect(recorder.completions == [])
        recorder.requestLater()
        time.advance()
        #expect(recorder.values == [[1, 2]])
        #expect(recorder.isFinished)
    }

    @Test("a failure is not kept back by what was collected")
    func collectFailure() {
        let recorder = Recorder<[Int], Oops>(.nothing)
        probe.collect(.byTime(time, TimedCase.span)).subscribe(recorder)
        send(1, 2)
        probe.send(completion: .failure(.first))
        time.advance()
        #expect(recorder.failure == .first)
        #expect(recorder.values == [])
    }

    @Test("with a count, the upstream is asked for as much as the arrays that are asked for can hold")
    func collectByCount() {
        let recorder = Recorder<[Int], Oops>(
            Appetite(description: "", atStart: [.max(2)], returned: [.max(1)], later: [.max(1)]))
        probe.collect(.byTimeOrCount(time, TimedCase.span, 3)).subscribe(recorder)
        #expect(probe.demand == .max(6))
        send(1, then: 2)
        #expect(recorder.values == [[1]])
        #expect(probe.demand == .max(8))
        send(2, 3, 4, 5, 6, then: 0)
        #expect(recorder.values == [[1], [2, 3, 4]])
        send(7, 8, 9, 10, then: 2)
        #expect(recorder.values == [[1], [2, 3, 4], [5, 6, 7]])
        #expect(probe.demand == .none)
        recorder.requestLater()
        #expect(probe.demand == .max(3))
        time.advance(by: TimedCase.span)
        #expect(recorder.values == [[1], [2, 3, 4], [5, 6, 7], [8, 9]])
        #expect(recorder.violations == [])
    }

    @Test("an array that is full is sent by the scheduler in its turn, and one whose time is over with the tick")
    func collectTurns() {
        let (recorder, subject) = (Recorder<[Int], Never>(), PassthroughSubject<Int, Never>())
        subject.collect(.byTimeOrCount(time, .seconds(1), 2)).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        #expect(recorder.values == [])
        time.advance()
        #expect(recorder.values == [[1, 2]])
        let atTheTick = Log<[[Int]]>()
        time.schedule(after: time.now.advanced(by: .seconds(1))) { atTheTick.append(recorder.values) }
        time.advance(by: .seconds(1))
        #expect(atTheTick.items == [[[1, 2], [3]]])
    }

    @Test("what was collected beyond the count goes in portions of it")
    func collectPortions() {
        let recorder = Recorder<[Int], Oops>(Appetite(description: "", atStart: [.max(1)], later: [.unlimited]))
        let subject = PassthroughSubject<Int, Oops>()
        // A buffer that takes what it is sent, asked or not.
        Unasked(subject: subject).collect(.byTimeOrCount(time, .seconds(1), 2)).subscribe(recorder)
        for value in 1...7 { subject.send(value) }
        time.advance()
        #expect(recorder.values == [[1, 2]])
        recorder.requestLater()
        time.advance()
        #expect(recorder.values == [[1, 2], [3, 4], [5, 6]])
        subject.send(completion: .finished)
        time.advance()
        #expect(recorder.values == [[1, 2], [3, 4], [5, 6], [7]])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("timeout, delay, receive(on:) and measureInterval pass requests on as they are")
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
            #expect(probe.requests[before...] == [.max(2), .max(4), .max(3)])
            recorder.cancel()
        }
    }
}

/// A publisher that does not wait to be asked.
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
