import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct House: Equatable, Sendable {
    var seats = 8
    var held = 0
    var confirmed = 0
}

private enum HouseEvent: Sendable { case reserve(seats: Int) }
private enum HouseEffect: Equatable, Sendable {
    case held(Int)
    case confirmed(Int)
    case givenBack(Int)
}

private struct HouseEnvironment: Sendable { var kitchen: @Sendable (Int) async -> Bool }

private let kitchen = Stub<Int, Bool, Never>("kitchen")

private let house = Reducer<House, HouseEvent, HouseEffect, HouseEnvironment>(
    transform: { house, event, environment in
        switch event {
        case .reserve(let seats):
            guard seats <= house.seats else { throw Rejection("there are \(house.seats) seats") }
            return .run { send in
                send(.held(seats))
                send(await environment.kitchen(seats) ? .confirmed(seats) : .givenBack(seats))
            }
        }
    },
    apply: { house, effect in
        switch effect {
        case .held(let seats): (house.seats, house.held) = (house.seats - seats, house.held + seats)
        case .confirmed(let seats): (house.held, house.confirmed) = (house.held - seats, house.confirmed + seats)
        case .givenBack(let seats): (house.seats, house.held) = (house.seats + seats, house.held - seats)
        }
    })

@Suite("Page: Acceptance")
struct AcceptancePage {
    private func reserving(
        _ reducer: Reducer<House, HouseEvent, HouseEffect, HouseEnvironment>
    ) -> Plan<House, HouseEvent, HouseEffect, HouseEnvironment> {
        Plan(reducer, given: House()) { HouseEnvironment(kitchen: $0.async(kitchen)) }
            .rejects(.reserve(seats: 9))
            .when(.reserve(seats: 5))
            .then(\.held, equals: 5)
            .rejects(.reserve(seats: 4))
            .fork("the kitchen cannot") {
                $0.resolve(kitchen(5), with: false).then(equals: House())
            }
            .resolve(kitchen(5), with: true)
            .then(equals: House(seats: 3, held: 0, confirmed: 5))
    }

    @Test("The plan fails while there is no reducer, and states the reason")
    func before() throws {
        let failure = #expect(throws: PlanFailure.self) { try reserving(Reducer()).run() }
        #expect(failure?.message == "reserve(seats: 9) was not rejected: it changed nothing")
    }

    @Test("The plan passes with the reducer")
    func after() throws {
        try reserving(house).run()
    }

    @Test("Stores reject the second of two reservations that do not both fit, as in the plan")
    func stores() async {
        for _ in 0..<Budget.rounds(200, least: 20) {
            let store = Store(
                reducer: house, initialState: House(),
                environment: HouseEnvironment { _ in
                    await Task.yield()
                    return true
                })
            store.post(.reserve(seats: 5))
            store.post(.reserve(seats: 5))
            await store.quiet()
            #expect(store.state == House(seats: 3, held: 0, confirmed: 5))
        }
    }

    @Test("A sender that waits for the decision reads what the body sent before it suspended")
    func decided() async throws {
        let store = Store(reducer: house, initialState: House(), environment: HouseEnvironment { _ in true })
        let seats = try await store.send(.reserve(seats: 5)) { $0.seats }
        #expect(seats == 3)
    }
}
