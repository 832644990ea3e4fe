import Dispatch
import MoonlightTestSupport
import StreamLimits
import Streams
import Testing

@Suite("A circuit breaker that counts a rate of failures")
struct CircuitRateTests {
    private enum Trouble: Error, Equatable {
        case ofService
        case refused
    }

    private let time = VirtualTimeScheduler()

    private func breaker(
        _ rate: Double = 0.5, calls: Int = 4, window: TimeStride = .seconds(8), resetAfter span: TimeStride = .seconds(10)
    ) -> CircuitBreaker<VirtualTimeScheduler> {
        CircuitBreaker(failureRate: rate, minimumCalls: calls, window: window, resetAfter: span, on: time)
    }

    /// Calls a service that answers at once, for each letter of a text: `+` succeeds, and anything else fails.
    private func call(_ breaker: CircuitBreaker<VirtualTimeScheduler>, _ outcomes: String) {
        for outcome in outcomes {
            let answer: Result<Int, Trouble> = outcome == "+" ? .success(1) : .failure(.ofService)
            answer.publisher.protected(by: breaker) { _ in .refused }.subscribe(Recorder<Int, Trouble>())
        }
    }

    @Test("A breaker opens with the failure that reaches the rate, once there are enough calls")
    func opens() {
        let breaker = breaker()
        call(breaker, "---")
        expectEqual(breaker.state, .closed)
        call(breaker, "-")
        expectEqual(breaker.state, .open)
    }

    @Test("A breaker opens with the failure that reaches a rate which is no exact binary number", arguments: [0.55, 0.07, 0.28])
    func inexactRate(rate: Double) {
        let breaker = CircuitBreaker(
            failureRate: rate, minimumCalls: 100, window: .seconds(60), resetAfter: .seconds(10), on: VirtualTimeScheduler())
        let failures = Int((rate * 100).rounded())
        call(breaker, String(repeating: "+", count: 100 - failures) + String(repeating: "-", count: failures - 1))
        expectEqual(breaker.state, .closed)
        call(breaker, "-")
        expectEqual(breaker.state, .open)
    }

    @Test("Failures need not be consecutive to open a breaker, and consecutive ones below the rate do not open it")
    func counts() {
        let alternating = breaker()
        call(alternating, "+-+")
        expectEqual(alternating.state, .closed)
        call(alternating, "-")
        expectEqual(alternating.state, .open)
        let rare = breaker(0.6)
        call(rare, "++++-----")
        expectEqual(rare.state, .closed)
        call(rare, "-")
        expectEqual(rare.state, .open)
    }

    @Test("A success that completes the number of calls does not open a breaker, and the next failure does")
    func success() {
        let breaker = breaker()
        call(breaker, "---+")
        expectEqual(breaker.state, .closed)
        call(breaker, "-")
        expectEqual(breaker.state, .open)
    }

    @Test("Calls that are cancelled before any value are not counted")
    func cancelled() {
        let breaker = breaker()
        for _ in 0..<10 {
            let recorder = Recorder<Int, Trouble>()
            PassthroughSubject<Int, Trouble>().protected(by: breaker) { _ in .refused }.subscribe(recorder)
            recorder.cancel()
        }
        call(breaker, "---")
        expectEqual(breaker.state, .closed)
    }

    @Test("A breaker with hundreds of calls in flight opens when half of them fail, even if no two failures are consecutive")
    func inFlight() {
        let (rated, consecutive) = (breaker(calls: 100), CircuitBreaker(failures: 5, resetAfter: .seconds(10), on: time))
        let services = (0..<400).map { _ in PassthroughSubject<Int, Trouble>() }
        let recorders = services.flatMap { service in
            [rated, consecutive].map { breaker in
                let recorder = Recorder<Int, Trouble>()
                service.protected(by: breaker) { _ in .refused }.subscribe(recorder)
                return recorder
            }
        }
        for (number, service) in services.enumerated() {
            service.send(completion: number % 2 == 0 ? .finished : .failure(.ofService))
            if number == 98 { expectEqual(rated.state, .closed) }
            if number == 99 { expectEqual(rated.state, .open) }
        }
        expectEqual(consecutive.state, .closed)
        expect(recorders.allSatisfy { $0.completions.count == 1 })
    }

    @Test("A call is forgotten when the window has passed since its end, and not before seven eighths of it have")
    func slides() {
        let forgotten = breaker()
        call(forgotten, "--")
        time.advance(by: Duration.seconds(8))
        call(forgotten, "--")
        expectEqual(forgotten.state, .closed)
        call(forgotten, "--")
        expectEqual(forgotten.state, .open)

        let kept = breaker()
        call(kept, "--")
        time.advance(by: Duration.milliseconds(7_000))
        call(kept, "--")
        expectEqual(kept.state, .open)
    }

    @Test("Calls that end one by one are forgotten one by one")
    func oneByOne() {
        let breaker = breaker(0.5, calls: 5)
        // Never more than four calls within eight seconds.
        for _ in 0..<40 {
            call(breaker, "-")
            time.advance(by: Duration.seconds(2))
        }
        expectEqual(breaker.state, .closed)
        for _ in 0..<40 {
            call(breaker, "-")
            time.advance(by: Duration.seconds(1))
        }
        expectEqual(breaker.state, .open)
    }

    @Test("A breaker that a trial has closed counts from zero")
    func closesAgain() {
        let breaker = breaker()
        call(breaker, "----")
        time.advance(by: Duration.seconds(10))
        call(breaker, "+")
        expectEqual(breaker.state, .closed)
        call(breaker, "---")
        expectEqual(breaker.state, .closed)
        call(breaker, "-")
        expectEqual(breaker.state, .open)
    }

    @Test("A call that began before the breaker closed again is not counted")
    func late() {
        let breaker = breaker(1, calls: 1)
        let late = PassthroughSubject<Int, Trouble>()
        let recorder = Recorder<Int, Trouble>()
        late.protected(by: breaker) { _ in .refused }.subscribe(recorder)
        call(breaker, "-")
        time.advance(by: Duration.seconds(10))
        call(breaker, "+")
        late.send(completion: .failure(.ofService))
        expectEqual(recorder.failure, .ofService)
        expectEqual(breaker.state, .closed)
    }

    @Test("A window of zero or less counts one call at a time, and one that is too long forgets none")
    func unusualWindows() {
        for window in [TimeStride.zero, .seconds(-1), .nanoseconds(.min)] {
            let breaker = breaker(calls: 2, window: window)
            call(breaker, "----")
            expectEqual(breaker.state, .closed)
            let single = self.breaker(calls: 1, window: window)
            call(single, "+-")
            expectEqual(single.state, .open)
        }
        let endless = breaker(window: .seconds(Int.max))
        call(endless, "---")
        time.advance(by: .seconds(1 << 32))
        call(endless, "-")
        expectEqual(endless.state, .open)
    }

    @Test("Calls that end on many threads are all counted", arguments: [0.5, 1])
    func threads(_ rate: Double) {
        let count = Budget.size(20_000, quick: 2_000)
        let breaker = CircuitBreaker(
            failureRate: rate, minimumCalls: 8 * count, window: .seconds(600), resetAfter: .seconds(600),
            on: DispatchQueue.global())
        let workers = (0..<8).map { _ in
            Worker {
                for _ in 0..<count {
                    Fail<Int, Trouble>(error: .ofService).protected(by: breaker) { _ in .refused }
                        .subscribe(Recorder<Int, Trouble>())
                }
            }
        }
        for worker in workers { worker.wait() }
        expectEqual(breaker.state, .open)
    }
}
