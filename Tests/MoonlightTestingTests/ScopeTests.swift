import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// A parent with a counter that is always present, one that may be absent, and many.
private struct House: Equatable, Sendable {
    var hall = Counter()
    var attic: Counter?
    var query: String?
}

private enum HouseEvent: Sendable {
    case hall(CounterEvent)
    case attic(CounterEvent)
    case openAttic, closeAttic
    case ask(String?)
    case heard(Int)
}
private enum HouseEffect: Sendable, Equatable {
    case hall(CounterEffect)
    case attic(CounterEffect)
    case atticOpened, atticClosed
    case asked(String?)
    case heard(Int)
}

private let house = Reducer<House, HouseEvent, HouseEffect, CounterEnvironment>(
    transform: { _, event, _ in
        switch event {
        case .openAttic: Just(.atticOpened).eraseToAnyPublisher()
        case .closeAttic: Just(.atticClosed).eraseToAnyPublisher()
        case .ask(let query): Just(.asked(query)).eraseToAnyPublisher()
        case .heard(let count): Just(.heard(count)).eraseToAnyPublisher()
        case .hall, .attic: Empty().eraseToAnyPublisher()
        }
    },
    apply: { (state: inout House, effect: HouseEffect) in
        switch effect {
        case .atticOpened: state.attic = Counter()
        case .atticClosed: state.attic = nil
        case .asked(let query): state.query = query
        case .heard(let count): state.hall.count = count
        case .hall, .attic: break
        }
    }
).combined(
    with: counter.scoped(
        to: \House.hall,
        event: CasePath(HouseEvent.hall) { if case .hall(let event) = $0 { event } else { nil } },
        effect: CasePath(HouseEffect.hall) { if case .hall(let effect) = $0 { effect } else { nil } },
        environment: { $0 })
).combined(
    with: counter.scoped(
        toOptional: \House.attic,
        event: atticEvent,
        effect: atticEffect,
        environment: { $0 }))

private func housePlan() -> Plan<House, HouseEvent, HouseEffect, CounterEnvironment> {
    Plan(house, given: House()) { CounterEnvironment($0) }
}

private let atticEvent = CasePath(HouseEvent.attic) { if case .attic(let event) = $0 { event } else { nil } }
private let atticEffect = CasePath(HouseEffect.attic) { if case .attic(let effect) = $0 { effect } else { nil } }

/// WITH and POP: steps on a child, and back on the parent.
struct ScopeTests {
    @Test("Steps on a child send its events and check its state, and the plan then continues with the whole state")
    func child() throws {
        try housePlan()
            .scoped(to: \.hall, event: HouseEvent.hall) {
                $0.when(.plus).then(\.count, equals: 1).resolve(post(1), with: 4)
            }
            .then(\.hall.count, equals: 4)
            .run()
    }

    @Test("An optional child is unwrapped in its steps, and its effects are those of the child")
    func optionalChild() throws {
        try housePlan()
            .when(.openAttic)
            .scoped(toOptional: \.attic, event: atticEvent, effect: atticEffect) {
                $0.when(.plus).emits(.counted(1)).then(equals: Counter(count: 1, isBusy: true))
            }
            .when(.closeAttic)
            .cancelled(post(1))
            .run()
    }

    @Test("A step on an absent child fails the plan, with the name of the child")
    func absentChild() {
        let failure = #expect(throws: PlanFailure.self) {
            try housePlan().scoped(toOptional: \.attic, event: HouseEvent.attic) { $0.then(\.count, equals: 0) }.run()
        }
        expectEqual(failure?.message.hasPrefix("attic is absent"), true)
    }

    @Test("Jobs of a child are named by its path, and an event for an absent child is rejected")
    func paths() throws {
        try housePlan()
            .scoped(to: \.hall, event: HouseEvent.hall) { $0.when(.plus) }
            .inFlight(JobID("post", path: .root.child("hall")))
            .rejects(.attic(.plus))
            .resolve(post(1), with: 1)
            .run()
    }

    @Test("A difference in a child is reported with the child's path")
    func names() {
        let failure = #expect(throws: PlanFailure.self) {
            try housePlan().scoped(to: \.hall, event: HouseEvent.hall) { $0.then(\.count, equals: 2) }.run()
        }
        expectEqual(failure?.message, "hall.count: expected 2, got 0")
    }

    @Test("Reactions run in a plan and in its forks")
    func reactions() throws {
        try Plan(
            house, given: House(),
            feedback: { states, environment in
                [
                    states.react(to: \.query) { query in
                        environment.post(query.count).replaceError(with: -1).map(HouseEvent.heard)
                    }
                ]
            }, environment: { CounterEnvironment($0) }
        )
        .inFlight()
        .when(.ask("moon"))
        .inFlight("moon")
        .waiting(post(4))
        .fork("another question") {
            $0.when(.ask("sun")).cancelled(post(4)).resolve(post(3), with: 33).then(\.hall.count, equals: 33)
        }
        .fork("no question") { $0.when(.ask(nil)).cancelled(post(4)).waiting().inFlight() }
        .resolve(post(4), with: 44)
        .then(\.hall.count, equals: 44)
        .inFlight()
        .run()
    }
}
