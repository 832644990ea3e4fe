import Moonlight
import MoonlightExploration
import Streams
import Testing

@testable import MoonlightRouting

/// Two routers, one of them a standby, and one partition with one member. Requests to the lease table, its answers and appends
/// take time and may be lost; routers may be suspended; the standby may be drained. All orders are explored.
///
/// The rules are those of the library; the table, the fleets, the log and the requests are modelled.
@Suite("Exploration of the rules")
struct RoutingExplorationTests {
    enum Request: Hashable {
        case asked
        case answered(LeaseAnswer)
    }

    enum Renewal: Hashable {
        case asked(term: Int, revision: UInt64)
        case answered(term: Int, UInt64?)
    }

    struct Fleet: Hashable {
        let term: Int
        /// The end of the member's log at the last read or append.
        var known: Int
        /// The events whose appends are in flight.
        var pending: [Int] = []
        var isEnding = false
    }

    enum Sender: Hashable {
        case new, waiting
        /// The request is in flight to a router.
        case asking(Int)
        /// The event is in a fleet, and its append is in flight.
        case handled(router: Int, term: Int)
        case acknowledged, refused
    }

    struct Router: Hashable {
        var rules: RoutingRules
        var take: Request?
        var renewal: Renewal?
        var releases: [UInt64] = []
        var fleets: [Fleet] = []
    }

    struct Key: Hashable {
        let holder: Int
        let expires: Int64
    }

    enum Step: Hashable, Sendable {
        case time
        case tick(Int)
        case send(Int)
        case arrive(Int)
        case append(Int)
        /// A sender's patience ends, and it looks up the owner again; its event stays in flight.
        case leave(Int)
        /// The table handles a request; its answer arrives or is lost.
        case take(Int)
        case taken(Int, isLost: Bool)
        case renew(Int)
        case renewed(Int, isLost: Bool)
        case release(Int)
        case end(Int)
        case drain
    }

    struct World: Hashable {
        static let keyLife: Int64 = 4
        static let end: Int64 = 5

        var time: Int64 = 0
        var key: Key?
        var routers = [1, 0].map { Router(rules: RoutingRules(RoutingTimes(keyLife: keyLife), partitions: 1, unasked: $0)) }
        var senders: [Sender] = [.new]
        var log: [Int] = []
        /// The number of answers that may still be lost.
        var losses: Int
        var mayDrain: Bool
        var wrong: [String] = []

        init(losses: Int, mayDrain: Bool) {
            self.losses = losses
            self.mayDrain = mayDrain
        }

        mutating func perform(_ actions: [RoutingRules.Action], of number: Int) {
            for action in actions {
                switch action {
                case .take: routers[number].take = .asked
                case .renew(_, let term, let revision): routers[number].renewal = .asked(term: term, revision: revision)
                case .release(_, let revision): routers[number].releases.append(revision)
                case .begin(_, let term):
                    if !routers[number].fleets.isEmpty { wrong.append("a term begins before the one before has ended") }
                    routers[number].fleets.append(Fleet(term: term, known: log.count))
                case .end(_, let term, _):
                    for place in routers[number].fleets.indices where routers[number].fleets[place].term == term {
                        routers[number].fleets[place].isEnding = true
                    }
                case .answer(let ticket, let answer): tell(answer, to: ticket, of: number)
                }
            }
        }

        /// Passes an event to a fleet, which starts to append it.
        mutating func handle(_ sender: Int, _ number: Int, _ term: Int) {
            senders[sender] = .handled(router: number, term: term)
            for place in routers[number].fleets.indices
            where routers[number].fleets[place].term == term && !routers[number].fleets[place].pending.contains(sender) {
                routers[number].fleets[place].pending.append(sender)
            }
        }

        mutating func tell(_ answer: RoutingRules.Answer, to sender: Int, of number: Int) {
            switch answer {
            case .here(let term): handle(sender, number, term)
            case .there(let holder): senders[sender] = .asking(Int(holder) ?? 0)
            case .nowhere: senders[sender] = .new
            case .refused: senders[sender] = .refused
            }
        }
    }

    private static func steps(_ world: World) -> [Step] {
        var steps: [Step] = []
        if world.time < World.end { steps.append(.time) }
        let mayLose = world.losses > 0
        for (number, sender) in world.senders.enumerated() {
            switch sender {
            case .new: steps.append(.send(number))
            case .asking: steps.append(.arrive(number))
            case .handled(let router, let term):
                let isAlive = world.routers[router].fleets.contains { $0.term == term }
                if mayLose || !isAlive { steps.append(.leave(number)) }
            default: break
            }
        }
        for (number, router) in world.routers.enumerated() {
            var (rules, actions) = (router.rules, [RoutingRules.Action]())
            rules.tick(at: world.time, &actions)
            if !actions.isEmpty { steps.append(.tick(number)) }
            switch router.take {
            case .asked:
                steps.append(.take(number))
                if mayLose { steps.append(.taken(number, isLost: true)) }
            case .answered:
                steps.append(.taken(number, isLost: false))
                if mayLose { steps.append(.taken(number, isLost: true)) }
            case nil: break
            }
            switch router.renewal {
            case .asked:
                steps.append(.renew(number))
                if mayLose { steps.append(.renewed(number, isLost: true)) }
            case .answered:
                steps.append(.renewed(number, isLost: false))
                if mayLose { steps.append(.renewed(number, isLost: true)) }
            case nil: break
            }
            if router.fleets.contains(where: { !$0.pending.isEmpty }) { steps.append(.append(number)) }
            if !router.releases.isEmpty { steps.append(.release(number)) }
            if router.fleets.contains(where: \.isEnding) { steps.append(.end(number)) }
        }
        if world.mayDrain, !world.routers[0].rules.isDraining { steps.append(.drain) }
        return steps
    }

    private static func after(_ step: Step, _ before: World) -> World {
        var world = before
        var actions: [RoutingRules.Action] = []
        let now = world.time
        switch step {
        case .time:
            world.time += 1
            // As early as possible.
            if let key = world.key, key.expires <= world.time { world.key = nil }
        case .tick(let number):
            world.routers[number].rules.tick(at: now, &actions)
            world.perform(actions, of: number)
        case .send(let number):
            let answer = world.routers[1].rules.find(0, ticket: number, at: now, &actions)
            if answer == nil { world.senders[number] = .waiting }
            world.perform(actions, of: 1)
            if let answer { world.tell(answer, to: number, of: 1) }
        case .arrive(let number):
            guard case .asking(let holder) = world.senders[number] else { return world }
            if let term = world.routers[holder].rules.serves(0, at: now) {
                world.handle(number, holder, term)
            } else {
                world.senders[number] = .new
                world.routers[1].rules.missed(0, holder: "\(holder)")
            }
        case .append(let number): append(number, &world)
        case .leave(let number):
            guard case .handled(let router, let term) = world.senders[number] else { return world }
            if world.routers[router].fleets.contains(where: { $0.term == term }) { world.losses -= 1 }
            if router != 1 { world.routers[1].rules.missed(0, holder: "\(router)") }
            world.senders[number] = .new
        case .take(let number):
            guard world.routers[number].take == .asked else { return world }
            if let key = world.key, key.holder != number {
                world.routers[number].take = .answered(.held(by: "\(key.holder)"))
            } else {
                world.key = Key(holder: number, expires: now + World.keyLife)
                world.routers[number].take = .answered(.granted(revision: 1))
            }
        case .taken(let number, let isLost):
            if isLost { world.losses -= 1 }
            var answer: LeaseAnswer?
            if case .answered(let said) = world.routers[number].take, !isLost { answer = said }
            world.routers[number].take = nil
            world.routers[number].rules.took(0, answer, at: now, &actions)
            world.perform(actions, of: number)
        case .renew(let number):
            guard case .asked(let term, _) = world.routers[number].renewal else { return world }
            if let key = world.key, key.holder == number {
                world.key = Key(holder: number, expires: now + World.keyLife)
                world.routers[number].renewal = .answered(term: term, 1)
            } else {
                world.routers[number].renewal = .answered(term: term, nil)
            }
        case .renewed(let number, let isLost):
            if isLost { world.losses -= 1 }
            switch world.routers[number].renewal {
            case .answered(let term, let revision):
                world.routers[number].rules.renewed(
                    0, term: term, isLost ? .failure(.init()) : .success(revision), at: now, &actions)
            case .asked(let term, _): world.routers[number].rules.renewed(0, term: term, .failure(.init()), at: now, &actions)
            case nil: break
            }
            world.routers[number].renewal = nil
            world.perform(actions, of: number)
        case .release(let number):
            world.routers[number].releases.removeFirst()
            if world.key?.holder == number { world.key = nil }
        case .end(let number):
            guard let place = world.routers[number].fleets.firstIndex(where: \.isEnding) else { return world }
            let fleet = world.routers[number].fleets.remove(at: place)
            // Appends in flight may still arrive before another router takes over: that is a separate, earlier step.
            world.routers[number].rules.ended(0, term: fleet.term, &actions)
            world.perform(actions, of: number)
        case .drain:
            world.routers[0].rules.drain(&actions)
            world.perform(actions, of: 0)
        }
        check(&world)
        return world
    }

    /// Delivers an append to the log, if the fleet is alive. Another owner may have appended since.
    private static func append(_ router: Int, _ world: inout World) {
        guard let place = world.routers[router].fleets.firstIndex(where: { !$0.pending.isEmpty }) else { return }
        let event = world.routers[router].fleets[place].pending.removeFirst()
        let isWaiting = world.senders[event] == .handled(router: router, term: world.routers[router].fleets[place].term)
        let isRefused = world.routers[router].fleets[place].known != world.log.count
        // An event with a known key is not applied again. After a conflict, the log is read again.
        if !isRefused, !world.log.contains(event) { world.log.append(event) }
        world.routers[router].fleets[place].known = world.log.count
        if isWaiting { world.senders[event] = isRefused ? .new : .acknowledged }
    }

    private static func check(_ world: inout World) {
        let owners = world.routers.indices.filter { world.routers[$0].rules.serves(0, at: world.time) != nil }
        if owners.count > 1 { world.wrong.append("two serve at once") }
        for owner in owners where world.key?.holder != owner { world.wrong.append("one serves without the key") }
        for (number, sender) in world.senders.enumerated() {
            let copies = world.log.count { $0 == number }
            if copies > 1 { world.wrong.append("an event is there twice") }
            if sender == .acknowledged, copies != 1 { world.wrong.append("an acknowledged event is not there") }
        }
    }

    private static let reducer = Reducer<World, Step, World, Void>(
        transform: { world, step, _ in .just(after(step, world)) },
        apply: { (world: inout World, next: World) in world = next })

    @Test(
        "One router serves a key at a time, and each acknowledged event is applied once, in any order of failures",
        arguments: [(losses: 1, mayDrain: false), (losses: 0, mayDrain: true)])
    func everything(_ losses: Int, _ mayDrain: Bool) throws {
        let report = try Exploration(Self.reducer, given: World(losses: losses, mayDrain: mayDrain)) { _ in }
            .events { Self.steps($0) }
            .always("one serves, and nothing is lost or there twice") { $0.wrong.isEmpty }
            .limited(nodes: 1_000_000)
            .run()
        #expect(report.extent == .exhaustive)
        #expect(report.states > 100_000, "\(report.states)")
    }
}
