import Dispatch
import StreamLimits
import Streams
import Testing

// The block of the page "StreamLimits", line for line, compiled and run.

private enum Refusal: Error {
    case unavailable(CircuitBreakerError<DispatchQueue.SchedulerTimeType>)
}

@Suite("Page: StreamLimits")
struct StreamLimitsPage {
    @Test("A request passes its limiter and its breaker")
    func request() {
        let request = Just(1).setFailureType(to: Refusal.self)
        let values = Log<Int>()

        let limiter = RateLimiter(count: 10, per: .seconds(1), on: DispatchQueue.global())
        let breaker = CircuitBreaker(failures: 5, resetAfter: .seconds(30), on: DispatchQueue.global())

        let answer =
            request
            .limited(by: limiter)
            .protected(by: breaker) { .unavailable($0) }

        let subscription = answer.sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
        #expect(values.items == [1])
        subscription.cancel()
    }
}
