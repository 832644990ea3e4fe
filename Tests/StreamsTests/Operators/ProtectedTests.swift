import Streams
import Testing

@Suite("protected(by:)")
struct ProtectedTests {
    typealias Breaker = CircuitBreaker<VirtualTimeScheduler>

    enum Trouble: Error, Equatable {
        case ofService
        case refused(CircuitBreakerError<TimePoint>)
    }

    let time = VirtualTimeScheduler()
    let service = PassthroughSubject<Int, Trouble>()
    let begun = Log<Int>()

    func breaker(_ failures: Int = 2, resetAfter span: TimeStride = .seconds(10)) -> Breaker {
        CircuitBreaker(failures: failures, resetAfter: span, on: time)
    }

    /// Asks a service that notes that it is asked, and answers when it is told to.
    func ask(_ breaker: Breaker, _ service: PassthroughSubject<Int, Trouble>? = nil) -> Recorder<Int, Trouble> {
        let recorder = Recorder<Int, Trouble>()
        publisher(breaker, service).subscribe(recorder)
        return recorder
    }

    func publisher(
        _ breaker: Breaker, _ service: PassthroughSubject<Int, Trouble>? = nil
    ) -> some Publisher<Int, Trouble> {
        let service = service ?? self.service
        return Deferred { [begun] in
            begun.append(1)
            return service
        }.protected(by: breaker) { .refused($0) }
    }

    /// Asks a service that answers at once.
    @discardableResult func ask(_ breaker: Breaker, fails: Bool) -> Recorder<Int, Trouble> {
        let recorder = Recorder<Int, Trouble>()
        let answer: Result<Int, Trouble> = fails ? .failure(.ofService) : .success(1)
        answer.publisher.protected(by: breaker) { .refused($0) }.subscribe(recorder)
        return recorder
    }

    /// A breaker that has opened at 0 s, until 10 s.
    func open() -> Breaker {
        let breaker = breaker()
        for _ in 0..<2 { ask(breaker, fails: true) }
        return breaker
    }

    /// A breaker whose time to be open is over at this moment.
    func due() -> Breaker {
        let breaker = open()
        time.advance(by: Duration.seconds(10))
        return breaker
    }

    // MARK: Opening

    @Test("so many failures in a row open it, and its users see their own errors until then")
    func opens() {
        let breaker = breaker(3)
        for _ in 0..<2 { #expect(ask(breaker, fails: true).failure == .ofService) }
        #expect(breaker.state == .closed)
        #expect(ask(breaker, fails: true).failure == .ofService)
        #expect(breaker.state == .open)
    }

    @Test("a success in between lets the count begin anew")
    func reset() {
        let breaker = breaker(2)
        for fails in [true, false, true, false, true] { ask(breaker, fails: fails) }
        #expect(breaker.state == .closed)
        ask(breaker, fails: true)
        #expect(breaker.state == .open)
    }

    @Test("one that is cancelled before any value is neither a failure nor a success")
    func cancelledWhenClosed() {
        let breaker = breaker(2)
        ask(breaker, fails: true)
        ask(breaker).cancel()
        #expect(breaker.state == .closed)
        ask(breaker, fails: true)
        #expect(breaker.state == .open)
    }

    @Test("while it is open a subscription fails at once, told until when, and the service is not asked")
    func refuses() {
        let breaker = open()
        time.advance(by: Duration.nanoseconds(9_999_999_999))
        let recorder = ask(breaker)
        #expect(recorder.failure == .refused(.open(until: TimePoint(offset: .seconds(10)))))
        #expect(begun.items == [])
        #expect(recorder.violations == [])
        #expect(recorder.isSubscribed)
        #expect(
            CircuitBreakerError.open(until: TimePoint(offset: .seconds(10))).description
                == "the circuit breaker is open until 10.0 seconds")
        #expect(time.pending == 0)
    }

    // MARK: The trial

    @Test("when its time is over one subscription is let through, and the others are refused as long as that is under way")
    func trial() {
        let breaker = due()
        #expect(breaker.state == .open)
        let trial = ask(breaker)
        #expect(breaker.state == .halfOpen)
        #expect(begun.items == [1])
        #expect(ask(breaker).failure == .refused(.halfOpen))
        #expect(trial.completions == [])
        #expect(begun.items == [1])
    }

    @Test("a trial that succeeds closes it, and failures are counted from none")
    func trialSucceeds() {
        let breaker = due()
        ask(breaker, fails: false)
        #expect(breaker.state == .closed)
        ask(breaker, fails: true)
        #expect(breaker.state == .closed)
        ask(breaker, fails: true)
        #expect(breaker.state == .open)
    }

    @Test("a trial that fails opens it again, for as long from then on")
    func trialFails() {
        let breaker = due()
        let trial = ask(breaker)
        time.advance(by: Duration.seconds(3))
        service.send(completion: .failure(.ofService))
        #expect(trial.failure == .ofService)
        #expect(breaker.state == .open)
        time.advance(by: Duration.nanoseconds(9_999_999_999))
        #expect(ask(breaker, fails: false).failure == .refused(.open(until: TimePoint(offset: .seconds(23)))))
        time.advance(by: Duration.nanoseconds(1))
        #expect(ask(breaker, fails: false).isFinished)
        #expect(breaker.state == .closed)
    }

    @Test("a trial that is cancelled is neither: the next subscription is one")
    func trialCancelled() {
        let breaker = due()
        // Kept, so that it is not its end that tells the breaker.
        let cancelled = ask(breaker)
        cancelled.cancel()
        #expect(breaker.state == .halfOpen)
        let trial = ask(breaker)
        #expect(ask(breaker).failure == .refused(.halfOpen))
        #expect(begun.items == [1, 1])
        service.send(completion: .finished)
        #expect(trial.isFinished)
        #expect(breaker.state == .closed)
        #expect(cancelled.completions == [])
    }

    @Test("a trial that is cancelled after a value, as by first, is a success")
    func trialAnswers() {
        let breaker = due()
        let recorder = Recorder<Int, Trouble>()
        publisher(breaker).first().subscribe(recorder)
        service.send(7)
        #expect(recorder.values == [7])
        #expect(breaker.state == .closed)
    }

    @Test("a trial that its service has forgotten is no trial any more")
    func trialForgotten() {
        let breaker = due()
        Forgetful().protected(by: breaker) { .refused($0) }
            .subscribe(AnySubscriber(receiveSubscription: { $0.request(.unlimited) }))
        #expect(breaker.state == .halfOpen)
        #expect(ask(breaker, fails: false).isFinished)
    }

    /// Never sends anything, and does not keep its subscriber.
    private struct Forgetful: Publisher {
        typealias Output = Int
        typealias Failure = Trouble
        func receive(subscriber: some Subscriber<Int, Trouble>) { subscriber.receive(subscription: Subscriptions.empty) }
    }

    @Test("one that cancels as soon as it has its subscription is no trial")
    func cancelledAtOnce() {
        let breaker = due()
        publisher(breaker).subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }))
        #expect(breaker.state == .open)
        #expect(begun.items == [])
    }

    @Test("what ends when the state has changed since it began does not count", arguments: [false, true])
    func stragglers(fails: Bool) {
        let breaker = breaker()
        let old = ask(breaker)
        for _ in 0..<2 { ask(breaker, fails: true) }
        time.advance(by: Duration.seconds(10))
        let trial = ask(breaker, PassthroughSubject())
        service.send(completion: fails ? .failure(.ofService) : .finished)
        #expect(old.completions.count == 1)
        #expect(trial.completions == [])
        #expect(breaker.state == .halfOpen)
        #expect(ask(breaker).failure == .refused(.halfOpen))
    }

    // MARK: Passing on

    @Test("requests, values, the end and cancellation pass")
    func passing() {
        let probe = Probe<Int, Trouble>()
        let recorder = Recorder<Int, Trouble>(
            Appetite(description: "", atStart: [.max(2)], returned: [.max(1)], later: [.max(3)]))
        probe.protected(by: breaker()) { .refused($0) }.subscribe(recorder)
        recorder.requestLater()
        probe.send(1)
        #expect(probe.requests == [.max(2), .max(3)])
        #expect(probe.demand == .max(5))
        recorder.cancel()
        probe.send(2)
        #expect(recorder.values == [1])
        #expect(probe.cancellations == 1)
        #expect(recorder.violations == [])
    }

    @Test("a limiter above it is not asked for what the breaker refuses")
    func withLimiter() {
        let breaker = open()
        let limiter = RateLimiter(count: 1, per: .seconds(60), on: time)
        let recorder = Recorder<Int, Trouble>()
        let limited = service.limited(by: limiter)
        limited.protected(by: breaker) { .refused($0) }.subscribe(recorder)
        time.advance(by: Duration.seconds(10))
        let trial = Recorder<Int, Trouble>()
        limited.protected(by: breaker) { .refused($0) }.subscribe(trial)
        service.send(1)
        #expect(recorder.failure != nil)
        #expect(trial.values == [1])
    }
}
