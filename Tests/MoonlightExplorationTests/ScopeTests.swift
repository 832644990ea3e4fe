import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightExploration

private struct Child: Hashable, Sendable {
    var count = 0
}

private struct App: Hashable, Sendable {
    var child = Child()
    var guest: Child?
    var turns = 0
}

private enum Event: Equatable, Sendable {
    case child(Int)
    case guest(Int)
    case invite, leave
}

private let app = Reducer<App, Event, Event, Void>(
    transform: { _, event, _ in .just(event) },
    apply: { (state: inout App, event: Event) in
        switch event {
        case .child(let step): state.child.count = min(3, state.child.count + step)
        case .guest(let step): state.guest = state.guest.map { Child(count: min(3, $0.count + step)) }
        case .invite: state.guest = state.guest ?? Child()
        case .leave: state.guest = nil
        }
    })

@Suite("Exploration: scoped to a child")
struct ScopeTests {
    private var exploration: Exploration<App, Event, Event, Void> { Exploration(app, given: App()) { _ in } }

    @Test("An exploration sends a child's events and checks its properties")
    func child() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration.scoped(to: \.child, event: Event.child) { child in
                child.events([1]).always("below two") { $0.count < 2 }
            }.run()
        }
        expectEqual(failure?.name, "e0 e0")
        expectEqual(
            failure?.plan,
            """
            try Plan(app, given: App()) { _ in }
                .ignoringRefusals()
                .when(.child(1))
                .when(.child(1))
                .scoped(to: \\.child, event: Event.child) { $0.holds("below two", in: .lastStep) { $0.count < 2 } }
                .ignoringCalls().ignoringInFlight().ignoringRelease()
                .run()
            """)
    }

    @Test("The plan for a child's property fails with the fault, and passes when it is fixed")
    func plan() throws {
        func plan(_ given: App) -> Plan<App, Event, Event, Void> {
            Plan(app, given: given) { _ in }
                .ignoringRefusals()
                .when(.child(1))
                .when(.child(1))
                .scoped(to: \.child, event: Event.child) { $0.holds("below two", in: .lastStep) { $0.count < 2 } }
                .ignoringCalls().ignoringInFlight().ignoringRelease()
        }
        #expect(throws: PlanFailure.self) { try plan(App()).run() }
        _ = try plan(App(child: Child(count: -3))).run()
    }

    @Test("The plan for a property of one of two children is about that child, although a property of the other has its name")
    func equalNames() {
        enum Side: Sendable {
            case left(Int)
            case right(Int)
        }
        let pair = Reducer<[Int], Side, Side, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (pair: inout [Int], side: Side) in
                switch side {
                case .left(let step): pair[0] += step
                case .right(let step): pair[1] += step
                }
            })
        let exploration = Exploration(pair, given: [0, 0]) { _ in }
            .scoped(to: \.[0], event: Side.left) { $0.events([1], atMost: 1).always("it is small") { $0 < 2 } }
            .scoped(to: \.[1], event: Side.right) { $0.events([1], atMost: 2).always("it is small") { $0 < 2 } }
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        expectEqual(failure?.name, "e1 e1")
        expectEqual(failure?.plan.contains(".scoped(to: \\.[1], event: Side.right) {"), true, "\(failure?.plan ?? "")")
    }

    @Test("An absent child gets no events, and its properties hold")
    func guest() throws {
        let report =
            try exploration
            .scoped(to: \.guest, event: Event.guest) { guest in
                guest.events([1]).always("at most three") { $0.count <= 3 }.never("negative") { $0.count < 0 }
                    .whenQuiet("whole") { $0.count >= 0 }
            }
            .events([.invite, .leave])
            .run()
        expectEqual(report.states, 5)
    }

    @Test("The plan for a property of a child that may be absent has the label of such children")
    func guestPlan() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration.scoped(to: \.guest, event: Event.guest) { guest in
                guest.events([1]).always("below one") { $0.count < 1 }
            }.events([.invite]).run()
        }
        expectEqual(
            failure?.plan,
            """
            try Plan(app, given: App()) { _ in }
                .ignoringRefusals()
                .when(.invite)
                .when(.guest(1))
                .scoped(toOptional: \\.guest, event: Event.guest) { $0.holds("below one", in: .lastStep) { $0.count < 1 } }
                .ignoringCalls().ignoringInFlight().ignoringRelease()
                .run()
            """)
        #expect(throws: PlanFailure.self) {
            try Plan(app, given: App()) { _ in }
                .when(.invite)
                .when(.guest(1))
                .scoped(toOptional: \.guest, event: Event.guest) { $0.holds("below one", in: .lastStep) { $0.count < 1 } }
                .run()
        }
    }

    @Test("A child that was removed need not reach a goal of `eventually`")
    func owed() throws {
        let reachesThree = exploration.events([.invite], atMost: 1)
            .scoped(to: \.guest, event: Event.guest) { guest in
                guest.events([1], atMost: 3).eventually("it grows up", until: { $0.count == 3 })
            }
        let failure = #expect(throws: ExplorationFailure.self) { try reachesThree.run() }
        expectEqual(failure?.name, "e0")
        try exploration.events([.leave])
            .scoped(to: \.guest, event: Event.guest) { $0.eventually("it grows up", until: { $0.count == 3 }) }
            .run()
    }

    @Test("A child's `canAlways` is checked while the child is present")
    func reach() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration.scoped(to: \.child, event: Event.child) { child in
                child.events { _ in [1] }.canAlways("come back to zero", to: { $0.count == 0 })
            }.run()
        }
        expectEqual(failure?.name, "e0")
    }
}

@Suite("Exploration: rejections, dead ends and coverage")
struct VerdictTests {
    private struct TooMany: Error, CustomStringConvertible { let description = "too many" }
    private enum Mode: Hashable, Sendable { case open, closed, broken }
    private enum Action: Equatable, Sendable { case open, close, lock }
    private struct Hall: Hashable, Sendable { var door = Slot<Mode>() }

    private let counter = Reducer<Int, Int, Int, Void>(
        transform: { state, event, _ in
            if state + event > 3 { throw TooMany() }
            return .just(event)
        }, apply: { (state: inout Int, event: Int) in state += event })

    private let door = Reducer<Mode, Action, Action, Void>(
        transform: { state, action, _ in state == .broken ? .none : .just(action) },
        apply: { (state: inout Mode, action: Action) in
            switch (state, action) {
            case (.open, .close): state = .closed
            case (.closed, .open): state = .open
            case (.open, .lock): state = .broken
            default: break
            }
        })

    @Test("A rejected event is a violation, unless the rejection is expected")
    func refusals() throws {
        let exploration = Exploration(counter, given: 0) { _ in }.events([2])
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        expectEqual(failure?.name, "e0 e0")
        expectEqual(
            failure?.message,
            """
            "nothing is refused" does not hold: the event 2 is refused: too many
            If it may be, write .allowingRefusals()
            """)
        try expectEqual(exploration.allowingRefusals { $0 is TooMany }.run().states, 2)
        #expect(throws: ExplorationFailure.self) { try exploration.allowingRefusals { $0 is CancellationError }.run() }
    }

    @Test("There is no plan for an unexpected rejection after an expected one")
    func rejectedTwice() {
        struct Declined: Error {}
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { state, event, _ in
                if event == 2, state == 1 { throw Declined() }
                return event == 1 ? [1, 3].publisher.eraseToAnyPublisher() : .none
            },
            apply: { (state: inout Int, effect: Int) in
                if effect == 3 { throw Rejection("three is optional") }
                state = effect
            })
        let exploration = Exploration(reducer, given: 0) { _ in }.events([1, 2])
        let second = #expect(throws: ExplorationFailure.self) { try exploration.allowingRefusals { $0 is Rejection }.run() }
        expectEqual(second?.name, "e0 e1")
        expectEqual(second?.plan, "")
        let first = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        expectEqual(first?.plan.contains("\n    .when(1)\n"), true)
    }

    @Test("A state that no event changes is a dead end, unless it is declared an end")
    func deadEnds() throws {
        let exploration = Exploration(door, given: .open) { _ in }.events([.open, .close, .lock])
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.noDeadEnds().run() }
        expectEqual(failure?.name, "e2")
        expectEqual(
            failure?.message, "\"there are no dead ends\" does not hold: nothing is live, and no event changes broken"
        )
        try expectEqual(exploration.noDeadEnds(except: { $0 == .broken }).run().states, 3)
    }

    @Test("A node in which the limit of events is reached is no dead end")
    func exhausted() throws {
        let report = try Exploration(door, given: .open) { _ in }.events([.close, .open], atMost: 2).noDeadEnds().run()
        expectEqual(report.states, 2)
    }

    @Test("A coverage lists the events that were tried in each state, and the effects that occurred")
    func coverage() throws {
        let report = try Exploration(door, given: .open) { _ in }.events([.open, .close]).covered().run()
        expectEqual(report.coverage?.states, ["closed", "open"])
        expectEqual(report.coverage?.effects.keys.sorted(), ["close", "open"])
        expectEqual(report.coverage?.count(of: "close", in: "open").taken, 1)
        expectEqual(report.coverage?.count(of: "open", in: "open").unchanged, 1)
    }

    @Test("A coverage lists the states in which no event is possible", arguments: [false, true])
    func coverageOfEnds(hasFeedback: Bool) throws {
        let feedback: (@Sendable (AnyPublisher<Mode, Never>, Void) -> [AnyPublisher<Action, Never>])? = { _, _ in [] }
        let report = try Exploration(door, given: .open, feedback: hasFeedback ? feedback : nil) { _ in }
            .events { $0 == .open ? [.lock] : [] }.covered().run()
        expectEqual(report.isByValues, !hasFeedback)
        expectEqual(report.coverage?.states, ["broken", "open"])
    }

    @Test("A coverage of states with a slot tells whether the slot is empty")
    func slots() throws {
        let toggle = Reducer<Hall, Action, Action, Void>(
            transform: { hall, event, _ in
                if event == .open { try hall.door.requireAbsent() } else { discard(try hall.door.require()) }
                return .just(event)
            },
            apply: { (hall: inout Hall, effect: Action) in
                if effect == .open { try hall.door.initialize(.open) } else { discard(try hall.door.deinitialize()) }
            })
        let report = try Exploration(toggle, given: Hall()) { _ in }.events([.open, .close], atMost: 2).allowingRefusals { _ in
            true
        }
        .covered().run()
        expectEqual(report.coverage?.states, ["door: none", "door: some"])
    }

    @Test("A violation of an exploration that is drawn has the picture so far, and the choices to highlight")
    func drawn() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(door, given: .open) { _ in }.events([.open, .close, .lock]).never("broken") { $0 == .broken }
                .drawn { "\($0)" }.run()
        }
        expectEqual(failure?.picture?.marked, [.init(source: "open", choice: "When lock", target: "broken")])
        expectEqual(failure?.picture?.states.first, "open")
    }
}
