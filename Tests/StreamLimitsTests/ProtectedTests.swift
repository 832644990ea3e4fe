import MoonlightTestSupport
import StreamLimits
import Streams
import Testing

@Suite("Operator `protected(by:)`")
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

    /// Calls a service that records the call, and that answers when the subject does.
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

    /// Calls a service that answers at once.
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

    /// A breaker whose open phase is over.
    func due() -> Breaker {
        let breaker = open()
        time.advance(by: Duration.seconds(10))
        return breaker
    }

    // MARK: Opening

    @Test("A circuit breaker opens after a number of failures in a row, which it passes on unchanged")
    func opens() {
        let breaker = breaker(3)
        for _ in 0..<2 { expectEqual(ask(breaker, fails: true).failure, .ofService) }
        expectEqual(breaker.state, .closed)
        expectEqual(ask(breaker, fails: true).failure, .ofService)
        expectEqual(breaker.state, .open)
    }

    @Test("A success resets the count of failures")
    func reset() {
        let breaker = breaker(2)
        for fails in [true, false, true, false, true] { ask(breaker, fails: fails) }
        expectEqual(breaker.state, .closed)
        ask(breaker, fails: true)
        expectEqual(breaker.state, .open)
    }

    @Test("A subscription that is cancelled before any value is neither a failure nor a success")
    func cancelledWhenClosed() {
        let breaker = breaker(2)
        ask(breaker, fails: true)
        ask(breaker).cancel()
        expectEqual(breaker.state, .closed)
        ask(breaker, fails: true)
        expectEqual(breaker.state, .open)
    }

    @Test("A subscription to an open circuit breaker fails at once with the time of its reset, and the service is not called")
    func refuses() {
        let breaker = open()
        time.advance(by: Duration.nanoseconds(9_999_999_999))
        let recorder = ask(breaker)
        expectEqual(recorder.failure, .refused(.open(until: TimePoint(offset: .seconds(10)))))
        expectEqual(begun.items, [])
        expectEqual(recorder.violations, [])
        expect(recorder.isSubscribed)
        expectEqual(
            CircuitBreakerError.open(until: TimePoint(offset: .seconds(10))).description,
            "the circuit breaker is open until 10.0 seconds")
        expectEqual(time.pending, 0)
    }

    // MARK: The trial

    @Test("A circuit breaker whose open phase is over admits one trial, and rejects all others meanwhile")
    func trial() {
        let breaker = due()
        expectEqual(breaker.state, .open)
        let trial = ask(breaker)
        expectEqual(breaker.state, .halfOpen)
        expectEqual(begun.items, [1])
        expectEqual(ask(breaker).failure, .refused(.halfOpen))
        expectEqual(trial.completions, [])
        expectEqual(begun.items, [1])
    }

    @Test("A trial that succeeds closes the circuit breaker, and failures are counted from zero")
    func trialSucceeds() {
        let breaker = due()
        ask(breaker, fails: false)
        expectEqual(breaker.state, .closed)
        ask(breaker, fails: true)
        expectEqual(breaker.state, .closed)
        ask(breaker, fails: true)
        expectEqual(breaker.state, .open)
    }

    @Test("A trial that fails opens the circuit breaker again, for the whole time")
    func trialFails() {
        let breaker = due()
        let trial = ask(breaker)
        time.advance(by: Duration.seconds(3))
        service.send(completion: .failure(.ofService))
        expectEqual(trial.failure, .ofService)
        expectEqual(breaker.state, .open)
        time.advance(by: Duration.nanoseconds(9_999_999_999))
        expectEqual(ask(breaker, fails: false).failure, .refused(.open(until: TimePoint(offset: .seconds(23)))))
        time.advance(by: Duration.nanoseconds(1))
        expect(ask(breaker, fails: false).isFinished)
        expectEqual(breaker.state, .closed)
    }

    @Test("A cancelled trial does not count, and the next subscription is the trial")
    func trialCancelled() {
        let breaker = due()
        // Kept, so that the breaker is notified by the cancellation, not by the release.
        let cancelled = ask(breaker)
        cancelled.cancel()
        expectEqual(breaker.state, .halfOpen)
        let trial = ask(breaker)
        expectEqual(ask(breaker).failure, .refused(.halfOpen))
        expectEqual(begun.items, [1, 1])
        service.send(completion: .finished)
        expect(trial.isFinished)
        expectEqual(breaker.state, .closed)
        expectEqual(cancelled.completions, [])
    }

    @Test("A trial that is cancelled after a value, as by `first`, is a success")
    func trialAnswers() {
        let breaker = due()
        let recorder = Recorder<Int, Trouble>()
        publisher(breaker).first().subscribe(recorder)
        service.send(7)
        expectEqual(recorder.values, [7])
        expectEqual(breaker.state, .closed)
    }

    @Test("A subscription that is cancelled on receipt is not a trial")
    func cancelledAtOnce() {
        let breaker = due()
        publisher(breaker).subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }))
        expectEqual(breaker.state, .open)
        expectEqual(begun.items, [])
    }

    @Test("A subscription that ends after the state has changed since it began does not count", arguments: [false, true])
    func stragglers(fails: Bool) {
        let breaker = breaker()
        let old = ask(breaker)
        for _ in 0..<2 { ask(breaker, fails: true) }
        time.advance(by: Duration.seconds(10))
        let trial = ask(breaker, PassthroughSubject())
        service.send(completion: fails ? .failure(.ofService) : .finished)
        expectEqual(old.completions.count, 1)
        expectEqual(trial.completions, [])
        expectEqual(breaker.state, .halfOpen)
        expectEqual(ask(breaker).failure, .refused(.halfOpen))
    }

    // MARK: Passing on

    @Test("Requests, values, the end and cancellation are passed on")
    func passing() {
        let (requests, cancellations) = (Log<Subscribers.Demand>(), Log<Int>())
        let recorder = Recorder<Int, Trouble>(.max(2))
        service
            .handleEvents(receiveCancel: { cancellations.append(1) }, receiveRequest: { requests.append($0) })
            .protected(by: breaker()) { .refused($0) }
            .subscribe(recorder)
        recorder.request(.max(3))
        service.send(1)
        expectEqual(requests.items, [.max(2), .max(3)])
        recorder.cancel()
        service.send(2)
        expectEqual(recorder.values, [1])
        expectEqual(cancellations.items, [1])
        expectEqual(recorder.violations, [])
    }

    @Test("A limiter upstream takes no turn for a subscription that the circuit breaker rejects")
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
        expect(recorder.failure != nil)
        expectEqual(trial.values, [1])
    }
}
