import Moonlight
import MoonlightTesting
import StreamLimits
import Streams
import Testing

// The blocks of the page "Rate limits and circuit breakers", line for line, compiled and run.

private enum PriceError: Error, Equatable { case offline, busy, unavailable }

private struct Shop: Sendable {
    var price: @Sendable (String) -> AnyPublisher<Int, PriceError>
    var limiter: RateLimiter<AnyScheduler<TimePoint, Never>>
    var breaker: CircuitBreaker<AnyScheduler<TimePoint, Never>>
}

extension Shop {
    init(on scheduler: AnyScheduler<TimePoint, Never>, price: @escaping @Sendable (String) -> AnyPublisher<Int, PriceError>) {
        self.price = price
        limiter = RateLimiter(count: 2, per: .seconds(1), on: scheduler)
        breaker = CircuitBreaker(failures: 2, resetAfter: .seconds(30), on: scheduler)
    }
}

private struct Prices: Equatable {
    var prices: [String: Int] = [:]
    var problems: [String: PriceError] = [:]
}

private enum PriceEvent {
    case asked(String)
    case withdrawn(String)
}
private enum PriceEffect: Equatable {
    case priced(String, Int)
    case failed(String, PriceError)
}

private let prices = Reducer<Prices, PriceEvent, PriceEffect, Shop>(
    transform: { _, event, shop in
        switch event {
        case .asked(let name):
            return shop.price(name)
                .limited(by: shop.limiter, waiting: 1) { _ in .busy }
                .protected(by: shop.breaker) { _ in .unavailable }
                .map { .priced(name, $0) }
                .catch { Just(.failed(name, $0)) }
                .job(name, .latest)
                .eraseToAnyPublisher()
        case .withdrawn(let name):
            return .cancelJob(name)
        }
    },
    apply: { (state: inout Prices, effect: PriceEffect) in
        switch effect {
        case .priced(let name, let price): (state.prices[name], state.problems[name]) = (price, nil)
        case .failed(let name, let error): state.problems[name] = error
        }
    })

private let price = Stub<String, Int, PriceError>("price")

private func plan() -> Plan<Prices, PriceEvent, PriceEffect, Shop> {
    Plan(prices, given: Prices()) { stubs in
        Shop(on: stubs.scheduler.eraseToAnyScheduler(), price: stubs.publisher(price))
    }
}

@Suite("Page: Rate limits and circuit breakers")
struct LimitsPage {
    @Test("A breaker with a rate opens when half of at least twenty calls within ten seconds have failed")
    func rate() {
        let scheduler = VirtualTimeScheduler()
        let breaker = CircuitBreaker(
            failureRate: 0.5, minimumCalls: 20, window: .seconds(10), resetAfter: .seconds(30), on: scheduler)
        func call(fails: Bool) {
            let answer: Result<Int, PriceError> = fails ? .failure(.offline) : .success(1)
            let call = answer.publisher.protected(by: breaker) { _ in .unavailable }
            _ = call.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        for number in 1...19 { call(fails: number % 2 == 0) }
        #expect(breaker.state == .closed)
        call(fails: true)
        #expect(breaker.state == .open)
    }

    @Test("Two requests run at once, the third waits, and the fourth is rejected")
    func limiter() throws {
        try plan()
            .when(.asked("tea")).when(.asked("jam")).when(.asked("rye")).when(.asked("oil"))
            .then(\.problems, equals: ["oil": .busy])
            .resolve(price("tea"), with: 4)
            .resolve(price("jam"), with: 3)
            .advance(by: .milliseconds(999))
            .expectNoCalls()
            .advance(by: .milliseconds(1))
            .resolve(price("rye"), with: 2)
            .then(\.prices, equals: ["tea": 4, "jam": 3, "rye": 2])
            .run()
    }

    @Test("A waiting job that is cancelled or replaced takes no turn")
    func cancelled() throws {
        try plan()
            .when(.asked("tea")).resolve(price("tea"), with: 4)
            .when(.asked("jam")).resolve(price("jam"), with: 3)
            .when(.asked("rye")).inFlight("rye").when(.withdrawn("rye"))
            .when(.asked("oil")).when(.asked("oil"))
            .advance(by: .seconds(1))
            .resolve(price("oil"), with: 5)
            .then(\.prices, equals: ["tea": 4, "jam": 3, "oil": 5])
            .run()
    }

    @Test("Two failures open the circuit, and a trial closes it or opens it again")
    func breaker() throws {
        try plan()
            .when(.asked("tea")).fail(price("tea"), with: .offline)
            .when(.asked("jam")).fail(price("jam"), with: .offline)
            .advance(by: .milliseconds(29_999))
            .when(.asked("rye"))
            .then(\.problems, equals: ["tea": .offline, "jam": .offline, "rye": .unavailable])
            .advance(by: .milliseconds(1))
            .when(.asked("tea"))
            .fork("it is still down") {
                $0.fail(price("tea"), with: .offline)
                    .when(.asked("jam"))
                    .then(\.problems["jam"], equals: .unavailable)
            }
            .resolve(price("tea"), with: 4)
            .when(.asked("jam")).resolve(price("jam"), with: 3)
            .then(\.prices, equals: ["tea": 4, "jam": 3])
            .run()
    }
}
