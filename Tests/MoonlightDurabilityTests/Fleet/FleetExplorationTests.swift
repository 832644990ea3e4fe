import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// A model of two members, of which one may be awake and one may be woken at a time: three senders, sleep, the removal of a
/// member, failures of the log, a crash of the process, cancelled senders and a drain, in every order; after the crash, only
/// senders, sleep and the drain.
///
/// The residency is the library's. Shell, loops, writer and disk are modelled: each operation that takes time is a step of its
/// own.
@Suite("Exploration of members that wake and fall asleep")
struct FleetExplorationTests {
    /// A loop that owns a log, from reading the log until everything is written.
    struct Owner: Hashable {
        let place: FleetPlace
        /// The events in its state, and the number of synced ones.
        var events: [Int]
        var synced: Int
        /// True if its loop has ended, and it accepts no event.
        var hasEnded = false
        /// True if its log could not be written, and nothing more is synced.
        var hasFailed = false
        /// True if work is in flight, which prevents sleep.
        var isBusy = false
    }

    enum Sender: Hashable {
        case new, waiting
        case using(FleetPlace)
        /// Its event is in a state, and the sender has no answer yet.
        case sent(FleetPlace)
        case acknowledged, notDurable, refused, cancelled
        /// Its event was acknowledged, and removed with its member.
        case removed
        /// The loop had ended before it accepted the event, and the sender got no reason. This must not occur.
        case lost
    }

    enum Step: Hashable, Sendable {
        case send(Int)
        case cancel(Int)
        /// An admitted sender passes its event to the store that it received.
        case deliver(Int)
        /// A member's events are written and synced, and the waiting senders are answered.
        case sync(String)
        /// The log of a member cannot be written.
        case fail(String)
        /// A log has been read, or reading has failed.
        case woken(FleetPlace, isReadable: Bool)
        /// A member confirms the request to fall asleep.
        case answer(FleetPlace)
        /// The loop of a member has ended, and its log is complete.
        case close(String)
        case work(String)
        case finish(String)
        case remove(String)
        /// The log of a member has been removed.
        case removed(FleetPlace)
        case sweep
        case drain
        case crash
    }

    struct Machine: Hashable {
        var residency = FleetResidency(resident: 1, waking: 1, idle: 10)
        var senders: [Sender] = [.new, .new, .new]
        /// The events that are on the disk, by member.
        var disk: [String: [Int]] = [:]
        var owners: [String: [Owner]] = [:]
        var waking: [FleetPlace: String] = [:]
        var resting: Set<FleetPlace> = []
        var removing: [FleetPlace: String] = [:]
        /// The owners that were ended by the removal of their member.
        var cut: Set<FleetPlace> = []
        var hasRemoved = false
        var hasFailed = false
        var hasCrashed = false
        var hasWorked = false
        var hasBeenCancelled = false
        var wasUnreadable = false
        var isOver = false
        var wrong: [String] = []

        /// Two of the senders send to the same member.
        static func id(of sender: Int) -> String { sender == 2 ? "b" : "a" }

        // MARK: The shell

        mutating func `do`(_ actions: [FleetAction]) {
            for action in actions {
                switch action {
                case .wake(let place, let id): waking[place] = id
                case .rest(let place): resting.insert(place)
                case .end(let place):
                    change(place) { owner in owner.hasEnded = true }
                case .cut(let place):
                    cut.insert(place)
                    change(place) { ($0.hasEnded, $0.isBusy) = (true, false) }
                case .remove(let place, let id): removing[place] = id
                case .admit(let ticket, let place): senders[ticket] = .using(place)
                case .refuse(let ticket, _): senders[ticket] = .refused
                case .over:
                    isOver = true
                    if !owners.values.allSatisfy(\.isEmpty) { wrong.append("it is over, and a loop is left") }
                }
            }
        }

        mutating func change(_ place: FleetPlace, _ body: (inout Owner) -> Void) {
            for (id, list) in owners {
                for (index, owner) in list.enumerated() where owner.place == place {
                    var owner = owner
                    body(&owner)
                    owners[id]?[index] = owner
                }
            }
        }

        func owner(_ place: FleetPlace) -> Owner? { owners.values.joined().first { $0.place == place } }
        func owner(of id: String) -> Owner? { owners[id]?.first }

        mutating func leave(_ place: FleetPlace) {
            var actions: [FleetAction] = []
            residency.leave(place, at: 0, &actions)
            self.do(actions)
        }
    }

    // MARK: What can happen

    private static func steps(_ machine: Machine) -> [Step] {
        var steps: [Step] = []
        for (number, sender) in machine.senders.enumerated() {
            switch sender {
            case .new: steps.append(.send(number))
            case .waiting: if !machine.hasBeenCancelled, !machine.hasCrashed { steps.append(.cancel(number)) }
            case .using: steps.append(.deliver(number))
            default: break
            }
        }
        for id in ["a", "b"] {
            guard let owner = machine.owner(of: id) else { continue }
            if owner.synced < owner.events.count, !owner.hasFailed { steps.append(.sync(id)) }
            if !machine.hasFailed, !machine.hasCrashed, owner.synced < owner.events.count { steps.append(.fail(id)) }
            if owner.hasEnded, owner.hasFailed || owner.synced == owner.events.count { steps.append(.close(id)) }
            // One of the two has work, once.
            if owner.isBusy {
                steps.append(.finish(id))
            } else if id == "a", !owner.hasEnded, !machine.hasWorked, !machine.hasCrashed {
                steps.append(.work(id))
            }
        }
        for place in machine.waking.keys.sorted(by: { $0.number < $1.number }) {
            steps.append(.woken(place, isReadable: true))
            if !machine.wasUnreadable, !machine.hasCrashed { steps.append(.woken(place, isReadable: false)) }
        }
        for place in machine.resting.sorted(by: { $0.number < $1.number }) { steps.append(.answer(place)) }
        for place in machine.removing.keys.sorted(by: { $0.number < $1.number }) { steps.append(.removed(place)) }
        // Only at the beginning, to bound the number of orders; its consequences may happen later.
        let isEarly = !machine.hasCrashed && !machine.hasWorked && !machine.hasBeenCancelled && !machine.wasUnreadable
        if isEarly, !machine.hasRemoved, !machine.residency.isDraining { steps.append(.remove("a")) }
        if machine.residency.nextSweep != nil { steps.append(.sweep) }
        if !machine.residency.isDraining { steps.append(.drain) }
        if !machine.hasCrashed { steps.append(.crash) }
        return steps
    }

    private static func after(_ step: Step, _ before: Machine) -> Machine {
        var machine = before
        var actions: [FleetAction] = []
        switch step {
        case .send(let number):
            switch machine.residency.enter(Machine.id(of: number), ticket: number, &actions) {
            case .use(let place): machine.senders[number] = .using(place)
            case .wait: machine.senders[number] = .waiting
            case .refused: machine.senders[number] = .refused
            }
        case .cancel(let number):
            machine.hasBeenCancelled = true
            if machine.residency.giveUp(Machine.id(of: number), ticket: number) { machine.senders[number] = .cancelled }
        case .deliver(let number):
            guard case .using(let place) = machine.senders[number] else { return machine }
            if let owner = machine.owner(place), !owner.hasEnded {
                machine.change(place) { $0.events.append(number) }
                machine.senders[number] = .sent(place)
            } else if machine.cut.contains(place), !(machine.owner(place)?.hasFailed ?? false) {
                // The event is sent again, to the new member.
                machine.senders[number] = .new
                machine.leave(place)
            } else {
                machine.senders[number] = machine.owner(place)?.hasFailed ?? machine.hasFailed ? .notDurable : .lost
                machine.leave(place)
            }
        case .sync(let id): sync(id, &machine)
        case .fail(let id):
            guard let owner = machine.owner(of: id) else { return machine }
            machine.hasFailed = true
            machine.change(owner.place) { ($0.hasFailed, $0.hasEnded, $0.isBusy) = (true, true, false) }
            machine.residency.ends(owner.place)
            answer(owner.events[owner.synced...], .notDurable, &machine)
        case .woken(let place, let isReadable):
            guard let id = machine.waking.removeValue(forKey: place) else { return machine }
            if isReadable {
                let events = machine.disk[id] ?? []
                machine.owners[id, default: []].append(Owner(place: place, events: events, synced: events.count))
                machine.residency.woke(place, at: 0, &actions)
            } else {
                machine.wasUnreadable = true
                machine.residency.failed(place, &actions)
            }
        case .answer(let place):
            machine.resting.remove(place)
            if machine.owner(place)?.isBusy ?? false {
                machine.residency.stays(place, at: 0, &actions)
            } else {
                machine.change(place) { $0.hasEnded = true }
                machine.residency.ends(place)
            }
        case .close(let id):
            guard let owner = machine.owner(of: id) else { return machine }
            machine.owners[id]?.removeAll { $0.place == owner.place }
            machine.residency.ends(owner.place)
            machine.residency.ended(owner.place, &actions)
        case .work(let id):
            machine.hasWorked = true
            if let place = machine.owner(of: id)?.place { machine.change(place) { $0.isBusy = true } }
        case .finish(let id): if let place = machine.owner(of: id)?.place { machine.change(place) { $0.isBusy = false } }
        case .remove(let id):
            machine.hasRemoved = true
            _ = machine.residency.remove(id, &actions)
        case .removed(let place):
            guard let id = machine.removing.removeValue(forKey: place) else { return machine }
            machine.disk[id] = nil
            for (number, sender) in machine.senders.enumerated() where sender == .acknowledged && Machine.id(of: number) == id {
                machine.senders[number] = .removed
            }
            machine.residency.removed(place, &actions)
        case .sweep: machine.residency.sweep(at: 100, most: 1, &actions)
        case .drain: machine.residency.drain(&actions)
        case .crash:
            machine.hasCrashed = true
            (machine.residency, machine.owners, machine.waking, machine.resting) = (Machine().residency, [:], [:], [])
            (machine.removing, machine.cut) = ([:], [])
            machine.isOver = false
            for (number, sender) in machine.senders.enumerated() {
                switch sender {
                case .waiting, .using, .sent: machine.senders[number] = .cancelled
                default: break
                }
            }
        }
        machine.do(actions)
        check(&machine)
        return machine
    }

    private static func sync(_ id: String, _ machine: inout Machine) {
        guard let owner = machine.owner(of: id) else { return }
        let new = owner.events[owner.synced...]
        // A storage checks the expected position in the same way.
        if machine.disk[id] ?? [] != Array(owner.events[..<owner.synced]) {
            machine.wrong.append("two have written the log of \(id)")
        }
        machine.disk[id] = owner.events
        machine.change(owner.place) { $0.synced = $0.events.count }
        answer(new, .acknowledged, &machine)
    }

    private static func answer(_ events: ArraySlice<Int>, _ answer: Sender, _ machine: inout Machine) {
        for event in events {
            guard case .sent(let place) = machine.senders[event] else { continue }
            machine.senders[event] = answer
            machine.leave(place)
        }
    }

    private static func check(_ machine: inout Machine) {
        for (id, list) in machine.owners where list.count > 1 { machine.wrong.append("\(id) has two owners") }
        for (place, id) in machine.waking where !(machine.owners[id] ?? []).isEmpty {
            machine.wrong.append("\(id) is woken at \(place.number) while it is owned")
        }
        for id in machine.removing.values {
            if !(machine.owners[id] ?? []).isEmpty { machine.wrong.append("\(id) is removed while it is owned") }
            if machine.waking.values.contains(id) { machine.wrong.append("\(id) is removed while it is woken") }
        }
        if Set(machine.waking.values).count < machine.waking.count { machine.wrong.append("one is woken twice") }
        if machine.waking.count > 1 { machine.wrong.append("more are woken than may be") }
        for (number, sender) in machine.senders.enumerated() {
            let copies = (machine.disk[Machine.id(of: number)] ?? []).filter { $0 == number }.count
            switch sender {
            case .acknowledged: if copies != 1 { machine.wrong.append("an acknowledged event is there \(copies) times") }
            case .lost: machine.wrong.append("an event met a loop that had ended")
            case .refused where !machine.residency.isDraining && !machine.wasUnreadable && !machine.hasCrashed:
                machine.wrong.append("an event was refused for no reason")
            case .using(let place) where machine.owner(place) == nil && !machine.hasFailed && !machine.cut.contains(place):
                machine.wrong.append("a sender uses a member that is not there")
            default: if copies > 1 { machine.wrong.append("an event is there \(copies) times") }
            }
        }
    }

    private static let reducer = Reducer<Machine, Step, Machine, Void>(
        transform: { machine, step, _ in .just(after(step, machine)) },
        apply: { (machine: inout Machine, next: Machine) in machine = next })

    /// Returns whether each sender has an answer.
    private static func isAnswered(_ machine: Machine) -> Bool {
        machine.senders.allSatisfy { sender in
            switch sender {
            case .new, .waiting, .using, .sent, .lost: false
            default: true
            }
        }
    }

    @Test(
        "A member has one owner, and no event is lost or meets a loop that has ended, in every order",
        .enabled(if: Budget.isExhaustive))
    func everything() throws {
        let report = try Exploration(Self.reducer, given: Machine()) { _ in }
            .events { Self.steps($0) }
            .always("there is one owner, and nothing is lost") { $0.wrong.isEmpty }
            .canAlways("everybody is answered") { Self.isAnswered($0) }
            .canAlways("a drained fleet comes to its end") { !$0.residency.isDraining || $0.isOver }
            .run()
        expectEqual(report.extent, .exhaustive)
        expect(report.states > 40_000, "\(report.states)")
    }

    @Test(
        "A member has one owner, and no event is lost or meets a loop that has ended, in a random order",
        .enabled(if: !Budget.isExhaustive), arguments: Budget.seeds(100, least: 100))
    func randomOrder(seed: Int) {
        let run = RandomRun<Machine, Step>(
            Machine(), seed: seed, steps: Self.steps,
            isRare: { step in
                switch step {
                case .drain, .crash: true
                default: false
                }
            },
            after: Self.after, isWrong: { !$0.wrong.isEmpty })
        expectEqual(run.machine.wrong, [], "\(run.steps)")
        expect(run.isOver && Self.isAnswered(run.machine) && run.machine.isOver, "\(run.steps)")
    }
}
