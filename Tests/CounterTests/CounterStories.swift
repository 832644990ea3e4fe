import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import CounterSample

private let post = Stub<Int, Int, ServiceError>("post")
private let load = Stub<Void, Int, ServiceError>("load")
private let setServiceUp = Stub<Bool, Bool, ServiceError>("setServiceUp")
private let offline = ServiceError("Connection refused")

private func plan(
    _ state: Counter = Counter(confirmed: 0)
) -> Plan<Counter, CounterEvent, CounterEffect, CounterEnvironment> {
    Plan(Counter.reducer, given: state) { stubs in
        CounterEnvironment(
            post: stubs.publisher(post), load: stubs.publisher(load), setServiceUp: stubs.publisher(setServiceUp))
    }
}

@Suite("Counter: scenarios")
struct CounterStories {
    @Test("The count goes up and down, and not below zero (Statoscope's first scenario)")
    func upAndDown() throws {
        try plan()
            .then(\.count, equals: 0)
            .when(.plus)
            .then(\.count, equals: 1)
            .resolve(post(1), with: 1)
            .when(.minus)
            .then(\.count, equals: 0)
            .resolve(post(0), with: 0)
            .when(.minus)
            .then(\.count, equals: 0)
            .expectNoCalls()
            .run()
    }

    @Test("A press is shown at once and posted, and the answer ends the waiting (Statoscope's second scenario)")
    func confirmed() throws {
        let story = try plan()
            .when(.plus)
            .then(\.count, equals: 1)
            .then(\.isBusy, equals: true)
            .fork("the service knows better") {
                $0.resolve(post(1), with: 99)
                    .then(equals: Counter(count: 99, confirmed: 99))
            }
            .fork("the service does not answer") {
                $0.fail(post(1), with: offline)
                    .then(equals: Counter(count: 0, confirmed: 0, problem: offline))
                    .when(.plus)
                    .resolve(post(1), with: 1)
                    .then(\.problem, equals: nil)
            }
            .resolve(post(1), with: 1)
            .then(equals: Counter(count: 1, confirmed: 1))
            .run()
        expect(story.description.contains("Or: the service does not answer"))
    }

    @Test("Quick presses replace each other: the last one counts, and its failure takes all of them back")
    func quickPresses() throws {
        try plan(Counter(count: 5, confirmed: 5))
            .when(.plus)
            .inFlight("service")
            .when(.plus)
            .cancelled(post(6))
            .when(.minus)
            .cancelled(post(7))
            .inFlight("service")
            .fork("and the service is gone") {
                $0.fail(post(6), with: offline).then(\.count, equals: 5)
            }
            .when(.plus)
            .cancelled(post(6))
            .resolve(post(7), with: 7)
            .then(equals: Counter(count: 7, confirmed: 7))
            .inFlight()
            .run()
    }

    @Test("Counting is refused until the service has sent a count, and a failed load can be repeated")
    func unknown() throws {
        let unknown = Rejection("the service has not said yet where to count from")
        try plan(Counter())
            .rejects(.plus, unknown)
            .when(.refresh)
            .then(\.isBusy, equals: true)
            .rejects(.plus, unknown)
            .fail(load(), with: offline)
            .then(equals: Counter(problem: offline))
            .when(.refresh)
            .resolve(load(), with: 41)
            .then(equals: Counter(count: 41, confirmed: 41))
            .run()
    }

    @Test("A refresh while an answer is due changes nothing, and the press is not lost")
    func refreshWhileBusy() throws {
        try plan()
            .when(.plus)
            .when(.refresh)
            .expectNone(of: load)
            .resolve(post(1), with: 1)
            .then(\.count, equals: 1)
            .run()
    }

    @Test("A press replaces a refresh that is running")
    func pressWhileRefreshing() throws {
        try plan()
            .when(.refresh)
            .when(.plus)
            .cancelled(load())
            .resolve(post(1), with: 1)
            .then(equals: Counter(count: 1, confirmed: 1))
            .run()
    }

    @Test("The program's own service is stopped and started, and another service is not")
    func service() throws {
        try plan(Counter(confirmed: 0, isServiceUp: true))
            .when(.toggleService)
            .resolve(setServiceUp(false), with: false)
            .then(\.isServiceUp, equals: false)
            .when(.toggleService)
            .fail(setServiceUp(true), with: ServiceError("Address already in use"))
            .then(\.isServiceUp, equals: false)
            .then(\.problem) { _ in }
            .run()
        try plan().rejects(.toggleService, Rejection("the service is not this program's own")).run()
    }
}
