import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import LoopValues
@testable import Moonlight

/// A feature with a case without payload, one with a number, and two with equal payloads.
private enum Lamp: Hashable {
    case off
    case on(Int)
    case broken(Int)

    static let isOff = CasePath(Lamp.off) { $0 == .off }
    static let on = CasePath(Lamp.on) { if case .on(let light) = $0 { light } else { nil } }

    var name: String {
        switch self {
        case .off: "off"
        case .on: "on"
        case .broken: "broken"
        }
    }
}

/// The operations of a reducer on a slot.
private enum Verb: Hashable {
    case initialize(Lamp)
    case actualize(Int)
    case actualizeAny(Lamp)
    case transitionFromOn(Lamp)
    case transition(Lamp, reentering: Bool)
    case deinitialize
    case deinitializeFromOn
    /// The feature ends and is initialized again.
    case replace(Lamp)
    case set(Lamp?)

    static let all: [Verb] =
        [Lamp.off, .on(1), .on(2), .broken(1)].flatMap { lamp -> [Verb] in
            [
                .initialize(lamp), .actualizeAny(lamp), .transitionFromOn(lamp), .transition(lamp, reentering: false),
                .transition(lamp, reentering: true), .replace(lamp), .set(lamp),
            ]
        } + [.actualize(1), .actualize(2), .deinitialize, .deinitializeFromOn, .set(nil)]
}

extension Slot<Lamp> {
    fileprivate mutating func perform(_ verb: Verb) throws {
        switch verb {
        case .initialize(let lamp): try initialize(lamp)
        case .actualize(let light): try actualize(Lamp.on, to: light)
        case .actualizeAny(let lamp): try actualize { $0 = lamp }
        case .transitionFromOn(let lamp): try transition(from: Lamp.on, into: lamp)
        case .transition(let lamp, let reentering): try transition(into: lamp, reentering: reentering)
        case .deinitialize: try deinitialize()
        case .deinitializeFromOn: try deinitialize(from: Lamp.on)
        case .replace(let lamp):
            try deinitialize()
            try initialize(lamp)
        case .set(let lamp): state = lamp
        }
    }
}

/// A slot, the result of the last operation, and the state as the reported changes reproduce it.
private struct Room: Equatable {
    var slot = Slot<Lamp>()
    var verb: Verb?
    var before: Lamp?
    var reported: Lamp?
    var changes: [SlotChange<Lamp>] = []
    /// True if an impossible change was reported, such as the end of an absent feature.
    var isMisreported = false

    /// Everything except the number of times that the slot was entered.
    struct Key: Hashable {
        let state: Lamp?
        let verb: Verb?
        let before: Lamp?
        let reported: Lamp?
        let isMisreported: Bool
        let changes: [String]
    }
    var key: Key {
        Key(
            state: slot.state, verb: verb, before: before, reported: reported, isMisreported: isMisreported,
            changes: changes.map { "\($0)" })
    }

    mutating func perform(_ verb: Verb) throws {
        let old = slot
        try slot.perform(verb)
        self.verb = verb
        before = old.state
        changes = SlotChange.between(old, slot)
        for change in changes { hear(change) }
    }

    private mutating func hear(_ change: SlotChange<Lamp>) {
        if reported != change.before { isMisreported = true }
        reported = change.after
        switch change.verb {
        case .initialized: if change.before != nil { isMisreported = true }
        case .actualized: if change.before?.name != change.after?.name { isMisreported = true }
        case .transitioned: break
        case .deinitialized: if change.after != nil { isMisreported = true }
        }
    }

    /// True if the last operation was allowed in the state before it.
    var isAllowed: Bool {
        switch (verb, before) {
        case (nil, _), (.set, _), (.initialize, nil): true
        case (.actualize, .on), (.transitionFromOn, .on), (.deinitializeFromOn, .on): true
        case (.actualizeAny(let new), let old?): new.name == old.name
        case (.transition(let new, let reentering), let old?): reentering || new.name != old.name
        case (.deinitialize, .some), (.replace, .some): true
        default: false
        }
    }

    /// The state of the feature after the last operation.
    var goal: Lamp? {
        switch verb {
        case nil, .deinitialize, .deinitializeFromOn: nil
        case .actualize(let light): .on(light)
        case .initialize(let lamp), .actualizeAny(let lamp), .transitionFromOn(let lamp), .transition(let lamp, _),
            .replace(let lamp):
            lamp
        case .set(let lamp): lamp
        }
    }
}

private let verbs = Reducer<Room, Verb, Verb, Void>(
    transform: { _, verb, _ in .just(verb) }, apply: { (room: inout Room, verb: Verb) in try room.perform(verb) })

private enum Fetching: Hashable {
    case running
    case failed(Int)

    static let failed = CasePath(Fetching.failed) { if case .failed(let attempts) = $0 { attempts } else { nil } }
}

/// A feature that is fetched, and the changes that its rules have reported.
private struct Fetch: Equatable {
    var slot = Slot<Fetching>()
    var reported: [String] = []
}

private enum FetchEvent: Hashable {
    case start, giveUp
    case report(String)
}
private enum FetchEffect: Equatable {
    case began, failed, ended
    case reported(String)
}
private struct Calls: Sendable { var fetch: @Sendable () -> AnyPublisher<Int, Offline> }
private struct Offline: Error, Equatable {}
private let fetch = Stub<Void, Int, Offline>("fetch")

private let fetching = Reducer<Fetch, FetchEvent, FetchEffect, Calls>(
    transform: { state, event, calls in
        switch event {
        case .start:
            if state.slot.isPresent { try state.slot.require(Fetching.failed) }
            return calls.fetch().map { _ in FetchEffect.ended }.catch { _ in Just(.failed) }.prepend(.began).job("fetch")
                .eraseToAnyPublisher()
        case .giveUp:
            try state.slot.require()
            return AnyPublisher<FetchEffect, Never>.cancelJob("fetch").append(.ended).eraseToAnyPublisher()
        case .report(let what): return .just(.reported(what))
        }
    },
    apply: { (state: inout Fetch, effect: FetchEffect) in
        switch effect {
        case .began where state.slot.isPresent: try state.slot.transition(from: Fetching.failed, into: .running)
        case .began: try state.slot.initialize(.running)
        case .failed: try state.slot.transition(into: .failed(1))
        case .ended: try state.slot.deinitialize()
        case .reported(let what): state.reported.append(what)
        }
    })

@Suite("Exploration: slots")
struct SlotExplorationTests {
    @Test(
        "Each operation of a slot does its work where it is allowed and nothing elsewhere, and the reported changes are complete")
    func verbsAndChanges() throws {
        let report = try Exploration(verbs, given: Room(), key: \.key) { _ in }
            .events(Verb.all)
            .allowingRefusals { $0 is Rejection }
            .always("a verb is performed only where it is allowed") { $0.isAllowed }
            .always("a verb leads where it says") { $0.slot.state == $0.goal }
            .always("the reported changes reproduce the state") { $0.reported == $0.slot.state && !$0.isMisreported }
            .always("a feature that stays is changed at most once, and the end of a replaced one is reported") { room in
                switch room.verb {
                case .replace: room.changes.count == 2
                case .transition(_, true), .transitionFromOn:
                    if let old = room.before, let new = room.goal {
                        room.changes == [SlotChange(verb: .transitioned, before: old, after: new)]
                    } else {
                        false
                    }
                default: room.changes.count == (room.before == room.slot.state ? 0 : 1)
                }
            }
            .canAlways("be absent") { !$0.slot.isPresent }
            .canAlways("be on") { $0.slot.state == .on(1) }
            .run()
        expectEqual(report.extent, .exhaustive)
        expect(report.isByValues)
    }

    @Test("Rules report each change of a fetched slot, in order, for all outcomes of the calls")
    func rules() throws {
        let report = try Exploration(
            fetching, given: Fetch(),
            key: { [$0.slot.description] + $0.reported },
            feedback: { states, _ in
                [
                    Rule.events(
                        of: [
                            Rule("the beginning").when(.initialized(\Fetch.slot)).then { _ in FetchEvent.report("began") },
                            Rule("a transition").when(.transitioned(\Fetch.slot)).then { change in
                                FetchEvent.report("\(change.to)")
                            },
                            Rule("the end").when(.deinitialized(\Fetch.slot)).then { _ in FetchEvent.report("ended") },
                        ], from: states)
                ]
            }
        ) { Calls(fetch: $0.publisher(fetch)) }
        .events(atMost: 3) { state in
            switch state.slot.state {
            case nil: [.start]
            case .running: [.giveUp]
            case .failed: [.start, .giveUp]
            }
        }
        .answers(fetch, with: [1], failing: [Offline()])
        .always("the reports are a life cycle: it begins, changes, and ends") { state in
            zip([""] + state.reported, state.reported).allSatisfy { last, next in
                switch next {
                case "began": last == "" || last == "ended"
                case "failed(1)": last == "began" || last == "running"
                case "running": last == "failed(1)"
                case "ended": last != "" && last != "ended"
                default: false
                }
            }
        }
        .whenQuiet("the last report is the current state") { state in
            switch state.slot.state {
            case nil: state.reported.isEmpty || state.reported.last == "ended"
            case .running: false
            case .failed: state.reported.last == "failed(1)"
            }
        }
        .eventually("it ends or fails", after: { $0.slot.state == .running }, until: { $0.slot.state != .running })
        .run()
        expectEqual(report.extent, .exhaustive)
    }
}
