import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// Lamps that glow forever once they are lit: in the hall, in numbered rooms, and one that is a computed property.
private struct Lamp: Equatable, Sendable { var isLit = false }
private struct House: Equatable, Sendable {
    var hall = Lamp()
    var rooms = [3: Lamp(), 7: Lamp()]
    var stored = Lamp()
    var shed: Lamp {
        get { stored }
        set { stored = newValue }
    }
}
private struct Street: Equatable, Sendable { var house = House() }

private enum HouseEvent: Sendable {
    case hall(Bool)
    case room(Int, Bool)
    case shed(Bool)
    static let hall = CasePath(HouseEvent.hall) { if case .hall(let isOn) = $0 { isOn } else { nil } }
    static let room = CasePath(HouseEvent.room) { if case .room(let id, let isOn) = $0 { (id, isOn) } else { nil } }
    static let shed = CasePath(HouseEvent.shed) { if case .shed(let isOn) = $0 { isOn } else { nil } }
}

private let lamp = Reducer<Lamp, Bool, Bool, Void>(
    transform: { _, isOn, _ in
        isOn
            ? Empty<Bool, Never>(completeImmediately: false).job("glow", .latest).eraseToAnyPublisher()
            : .cancelJob("glow")
    },
    apply: { $0.isLit = $1 })

private func street(hall: String? = nil) -> Reducer<Street, HouseEvent, HouseEvent, Void> {
    Reducer<House, HouseEvent, HouseEvent, Void>.combine(
        lamp.scoped(to: \House.hall, event: HouseEvent.hall, effect: HouseEvent.hall, environment: { $0 }, name: hall),
        lamp.scoped(toEach: \House.rooms, event: HouseEvent.room, effect: HouseEvent.room, environment: { $0 }),
        lamp.scoped(to: \House.shed, event: HouseEvent.shed, effect: HouseEvent.shed, environment: { $0 })
    ).scoped(to: \Street.house, event: .identity, effect: .identity, environment: { $0 })
}

@Suite("Work in flight in steps on a child")
struct InFlightTests {
    private typealias StreetPlan = Plan<Street, HouseEvent, HouseEvent, Void>
    private typealias HouseSteps = PlanScope<StreetPlan, House, HouseEvent, HouseEvent>
    private typealias LampSteps = PlanScope<HouseSteps, Lamp, Bool, Bool>

    /// Returns a plan that inspects the house when the hall and room 7 are lit.
    private func plan(hall: String? = nil, _ steps: (HouseSteps) -> HouseSteps) -> StreetPlan {
        Plan(street(hall: hall), given: Street(), environment: ())
            .when(.hall(true)).when(.room(7, true))
            .scoped(to: \.house, event: .identity, effect: .identity, steps)
            .ignoringInFlight()
    }

    private func room(_ id: Int, _ house: HouseSteps, _ steps: (LampSteps) -> LampSteps) -> HouseSteps {
        house.scoped(toEach: \.rooms, id: id, event: HouseEvent.room, effect: HouseEvent.room, steps)
    }

    private func hall(_ house: HouseSteps, name: String? = nil, _ steps: (LampSteps) -> LampSteps) -> HouseSteps {
        house.scoped(to: \.hall, event: HouseEvent.hall, effect: HouseEvent.hall, name: name, steps)
    }

    private func message(_ plan: StreetPlan) -> String? { #expect(throws: PlanFailure.self) { try plan.run() }?.message }

    @Test("A job of a child is named by the id that it has in the child")
    func local() throws {
        try plan { room(7, hall($0) { $0.inFlight("glow") }) { $0.inFlight("glow") } }.run()
    }

    @Test("A job of a child's child is named by its path in the child")
    func deeper() throws {
        try plan { $0.inFlight("hall/glow", "rooms[7]/glow") }.run()
    }

    @Test("A job can also be named by its whole path")
    func whole() throws {
        try plan { room(7, $0) { $0.inFlight("house.rooms[7]/glow") } }.run()
    }

    @Test("Jobs outside the child are ignored")
    func others() throws {
        try plan { room(3, $0) { $0.inFlight() } }.run()
    }

    @Test("A job of the child that is not expected fails the plan")
    func extra() {
        expectEqual(message(plan { room(7, $0) { $0.inFlight() } }), "in flight, but not expected: glow")
    }

    @Test("A missing job fails the plan, and the message lists the jobs outside the child")
    func missing() {
        expectEqual(
            message(plan { room(3, $0) { $0.inFlight("glow") } }),
            "not in flight: glow\nin flight outside house.rooms[3]: house.hall/glow, house.rooms[7]/glow")
    }

    @Test("A job of a parent is not one of the child, even if it has the same name")
    func parent() {
        let endless = Empty<HouseEvent, Never>(completeImmediately: false)
        let glowing = Reducer<Street, HouseEvent, HouseEvent, Void>(
            transform: { _, _, _ in endless.job("glow", .latest).eraseToAnyPublisher() },
            apply: { (_: inout Street, _: HouseEvent) in })
        let plan = Plan(glowing, given: Street(), environment: ()).when(.hall(true))
            .scoped(to: \.house, event: .identity, effect: .identity) { room(7, $0) { $0.inFlight("glow") } }
            .ignoringInFlight()
        expectEqual(message(plan), "not in flight: glow\nin flight outside house.rooms[7]: glow")
    }

    @Test("Two jobs with one id are listed twice", arguments: [JobPolicy.merge, .queue])
    func equalJobs(policy: JobPolicy) throws {
        let endless = Empty<Int, Never>(completeImmediately: false)
        let saving = Reducer<Int, Int, Int, Void>(
            transform: { _, _, _ in endless.job("save", policy).eraseToAnyPublisher() }, apply: { (_: inout Int, _: Int) in })
        let plan = Plan(saving, given: 0, environment: ()).when(1).when(2).ignoringInFlight()
        try plan.inFlight("save", "save").run()
        let one = #expect(throws: PlanFailure.self) { try plan.inFlight("save").run() }
        expectEqual(one?.message, "in flight, but not expected: save")
        let three = #expect(throws: PlanFailure.self) { try plan.inFlight("save", "save", "save").run() }
        expectEqual(three?.message, "not in flight: save")
    }

    @Test("A child that has a custom name in the reducer is found by that name")
    func named() throws {
        try plan(hall: "entry") { hall($0, name: "entry") { $0.inFlight("glow") } }.run()
    }

    @Test("A child in a property without a name at run time is found by its type")
    func computed() throws {
        try plan {
            $0.scoped(to: \.shed, event: HouseEvent.shed, effect: HouseEvent.shed) {
                $0.inFlight().when(true).inFlight("glow")
            }
        }.run()
    }
}
