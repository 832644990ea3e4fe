import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// A house of counters: in the hall, perhaps one on the stairs, those in the rooms, and one in the open place.
private struct House: Equatable, Sendable {
    var hall = Counter()
    var stairs: Counter?
    var rooms: [Int: Counter] = [3: Counter(), 7: Counter()]
    var door = Door.open(Counter())
}
private enum Door: Equatable, Sendable {
    case open(Counter)
    case shut
    static let open = CasePath(Door.open) { if case .open(let counter) = $0 { counter } else { nil } }
}
private enum HouseEvent: Sendable {
    case hall(CounterEvent)
    case stairs(CounterEvent)
    case room(Int, CounterEvent)
    case door(CounterEvent)
    static let hall = CasePath(HouseEvent.hall) { if case .hall(let event) = $0 { event } else { nil } }
    static let stairs = CasePath(HouseEvent.stairs) { if case .stairs(let event) = $0 { event } else { nil } }
    static let room = CasePath(HouseEvent.room) { if case .room(let id, let event) = $0 { (id, event) } else { nil } }
    static let door = CasePath(HouseEvent.door) { if case .door(let event) = $0 { event } else { nil } }
}
private enum HouseEffect: Sendable, Equatable {
    case hall(CounterEffect)
    case stairs(CounterEffect)
    case room(Int, CounterEffect)
    case door(CounterEffect)
    static let hall = CasePath(HouseEffect.hall) { if case .hall(let effect) = $0 { effect } else { nil } }
    static let stairs = CasePath(HouseEffect.stairs) { if case .stairs(let effect) = $0 { effect } else { nil } }
    static let room = CasePath(HouseEffect.room) { if case .room(let id, let effect) = $0 { (id, effect) } else { nil } }
    static let door = CasePath(HouseEffect.door) { if case .door(let effect) = $0 { effect } else { nil } }
}

private let house: Reducer<House, HouseEvent, HouseEffect, CounterEnvironment> = .combine(
    counter.scoped(to: \House.hall, event: HouseEvent.hall, effect: HouseEffect.hall, environment: { $0 }),
    counter.scoped(toOptional: \.stairs, event: HouseEvent.stairs, effect: HouseEffect.stairs, environment: { $0 }),
    counter.scoped(toEach: \.rooms, event: HouseEvent.room, effect: HouseEffect.room, environment: { $0 }),
    counter.scoped(toCase: Door.open, event: HouseEvent.door, effect: HouseEffect.door, environment: { $0 })
        .scoped(to: \.door, event: .identity, effect: .identity, environment: { $0 }))

@Suite("Plan steps with the arguments of scopes")
struct ScopedStepsTests {
    private func plan(_ state: House = House()) -> Plan<House, HouseEvent, HouseEffect, CounterEnvironment> {
        Plan(house, given: state) { CounterEnvironment($0) }
    }

    @Test("A fork in steps on a child continues from the steps before it, and the scope as if the fork did not exist")
    func fork() throws {
        let trace = try plan().when(.hall(.plus))
            .scoped(to: \.hall, event: HouseEvent.hall, effect: HouseEffect.hall) {
                $0.then(\.count, equals: 1)
                    .fork("the network is down") { $0.fail(post(1), with: .offline).then(\.count, equals: 0) }
                    .resolve(post(1), with: 7).then(\.count, equals: 7)
            }
            .then(\.hall.count, equals: 7).run()
        expect(trace.lines.contains("Or: the network is down"))
        expect(trace.lines.contains("    Then hall.count is 0"))
        let failing = plan().scoped(to: \.hall, event: HouseEvent.hall, effect: HouseEffect.hall) {
            $0.fork("one more") { $0.when(.plus) }
        }
        let failure = #expect(throws: PlanFailure.self) { try failing.run() }
        expectEqual(failure?.message.hasPrefix("post(1) was called, but no step mentions it"), true)
    }

    @Test("Steps on each kind of child send its events, and check its state and effects")
    func all() throws {
        try plan(House(stairs: Counter(count: 5)))
            .scoped(to: \.hall, event: HouseEvent.hall, effect: HouseEffect.hall) {
                $0.when(.plus).emits(.counted(1)).then(\.count, equals: 1)
            }
            .scoped(toOptional: \.stairs, event: HouseEvent.stairs, effect: HouseEffect.stairs) {
                $0.when(.plus).then(\.count, equals: 6)
            }
            .scoped(toEach: \.rooms, id: 7, event: HouseEvent.room, effect: HouseEffect.room) {
                $0.when(.plus).emits(.counted(1)).then(\.count, equals: 1)
            }
            .scoped(toEach: \.rooms, id: 3, event: HouseEvent.room, effect: HouseEffect.room) {
                $0.emits().then(\.count, equals: 0)
            }
            .scoped(to: \.door, event: .identity, effect: .identity) { door in
                door.scoped(toCase: Door.open, event: HouseEvent.door, effect: HouseEffect.door, name: "open") {
                    $0.when(.plus).then(\.count, equals: 1)
                }
            }
            .ignoringCalls().ignoringInFlight()
            .run()
    }

    @Test("A difference in a child is reported with its path, and an absent child is reported by its name")
    func path() {
        let failure = #expect(throws: PlanFailure.self) {
            try plan().scoped(toEach: \.rooms, id: 7, event: HouseEvent.room, effect: HouseEffect.room) {
                $0.then(\.count, equals: 9)
            }.run()
        }
        expectEqual(failure?.message, "rooms[7].count: expected 9, got 0")
        let absent = #expect(throws: PlanFailure.self) {
            try plan().scoped(toOptional: \.stairs, event: HouseEvent.stairs, effect: HouseEffect.stairs) {
                $0.then(\.count, equals: 9)
            }.run()
        }
        expectEqual(absent?.message.hasPrefix("stairs is absent"), true)
    }

    private typealias HousePlan = Plan<House, HouseEvent, HouseEffect, CounterEnvironment>
    private typealias Stairs = PlanScope<HousePlan, Counter, CounterEvent, CounterEffect>

    @Test("An event for an absent child, and the absence of its effects and its work, fail the plan; `holds` passes")
    func absent() throws {
        // A parent that tolerates the events of an absent child.
        let house = Reducer<House, HouseEvent, HouseEffect, CounterEnvironment>(
            transform: { _, _, _ in .none }, apply: { (_: inout House, _: HouseEffect) in })
        func run(_ steps: (Stairs) -> Stairs) throws {
            _ = try Plan(house, given: House()) { CounterEnvironment($0) }.when(.hall(.plus))
                .scoped(toOptional: \.stairs, event: HouseEvent.stairs, effect: HouseEffect.stairs, steps).run()
        }
        let steps: [(Stairs) -> Stairs] = [{ $0.when(.plus) }, { $0.emits() }, { $0.inFlight() }]
        for step in steps {
            let failure = #expect(throws: PlanFailure.self) { try run(step) }
            expectEqual(failure?.message.hasPrefix("stairs is absent"), true)
        }
        try run { $0.holds("it is not counted") { $0.count == 0 } }
    }

    @Test("The effects with which a child has left are those of the child")
    func left() throws {
        let house = Reducer<House, HouseEvent, HouseEffect, CounterEnvironment>(
            transform: { _, _, _ in .just(.stairs(.counted(0))) }, apply: { house, _ in house.stairs = nil })
        try Plan(house, given: House(stairs: Counter())) { CounterEnvironment($0) }
            .scoped(toOptional: \.stairs, event: HouseEvent.stairs, effect: HouseEffect.stairs) {
                $0.when(.plus).emits(.counted(0))
            }.run()
    }
}
