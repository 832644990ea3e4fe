import MoonlightTestSupport
import StreamLimits
import Streams
import Testing

// An exit test with arguments needs the testing library of Swift 6.3.
#if compiler(>=6.3)
    @Suite("Mistakes with limits")
    struct MistakeTests {
        fileprivate static let all: [Mistake] = [
            Mistake("a rate of no failures", "CircuitBreaker(failureRate: 0.0): the rate is a share; pass more than 0") {
                _ = CircuitBreaker(failureRate: 0, minimumCalls: 1, window: 1, resetAfter: 1, on: VirtualTimeScheduler())
            },
            Mistake("a rate that is a percentage", "the rate is a share; pass more than 0, and 1 at most") {
                _ = CircuitBreaker(failureRate: 50, minimumCalls: 1, window: 1, resetAfter: 1, on: VirtualTimeScheduler())
            },
            Mistake("a rate of no calls", "there is no rate of no calls; pass one or more") {
                _ = CircuitBreaker(failureRate: 0.5, minimumCalls: 0, window: 1, resetAfter: 1, on: VirtualTimeScheduler())
            },
            Mistake("a limit of nothing", "no subscription could ever begin; pass one or more") {
                _ = RateLimiter(count: 0, per: 1, on: VirtualTimeScheduler())
            },
            Mistake("a negative number of waiting subscriptions", "limited(by:waiting: -1): the number of waiting subscriptions")
            {
                _ = Just(1).limited(by: RateLimiter(count: 1, per: 1, on: VirtualTimeScheduler()), waiting: -1)
            },
            Mistake("a circuit that opens without a failure", "the breaker could never be closed; pass one or more") {
                _ = CircuitBreaker(failures: 0, resetAfter: 1, on: VirtualTimeScheduler())
            },
        ]

        @Test("An invalid number traps with a message that says how to correct it", arguments: all.indices)
        func mistake(index: Int) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
                MistakeTests.all[index].make()
            }
            let mistake = Self.all[index]
            expect(mistake.isExplained(in: result?.standardErrorContent), "\(mistake.name)")
        }
    }
#endif
