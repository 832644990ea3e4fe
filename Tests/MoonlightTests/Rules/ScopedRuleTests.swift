import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("Rules of children")
struct ScopedRuleTests {
    struct Guest: Equatable, Sendable, Identifiable {
        let id: String
        var isIn = false
    }
    struct House: Equatable, Sendable {
        var guests: IdentifiedList<String, Guest> = []
        var cook: Guest?
    }

    private static let greet = Rule("greet")
        .when(.becoming { (guest: Guest) in guest.isIn })
        .compactMap { $0.id.isEmpty ? nil : $0.id }
        .then { "hello \($0)" }

    private static func run(_ effects: [@Sendable (inout House) -> Void]) -> (events: [String], journal: [String]) {
        let events = Mutex<[String]>([])
        let journal = Mutex<[String]>([])
        let rules: [Rule.Complete<House, String>] = [
            greet.scoped(toEach: \.guests) { id, event in "\(id): \(event)" },
            greet.scoped(to: \.cook) { "cook: \($0)" },
            Rule("count").when(.changing { (house: House) in house.guests.count }).then { "now \($0.to)" },
        ]
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) -> AnyPublisher<Int, Never> in
                    if let index = Int(event) { return Just(index).eraseToAnyPublisher() }
                    events.withLock { $0.append(event) }
                    return Empty().eraseToAnyPublisher()
                }, apply: { (house: inout House, index: Int) in effects[index](&house) }),
            initialState: House(), environment: (),
            options: LoopOptions(journal: { record in
                if case .rule(let rule) = record.step { journal.withLock { $0.append("\(rule.path)/\(rule.name) \(rule.step)") } }
            }),
            feedback: { [Rule.events(of: rules, from: $0)] })
        for index in effects.indices { store.send("\(index)") }
        return (events.withLock { $0 }, journal.withLock { $0 })
    }

    @Test("A rule of each child fires for the one that changes, in its position among the parent's rules")
    func each() {
        let (events, _) = Self.run([
            { $0.guests = [Guest(id: "ann"), Guest(id: "bob")] },
            { $0.guests.update(id: "bob") { $0.isIn = true } },
            { $0.guests.append(Guest(id: "cid", isIn: true)) },
            { $0.guests.remove(id: "bob") },
        ])
        expectEqual(events, ["now 2", "bob: hello bob", "cid: hello cid", "now 3", "now 2"])
    }

    @Test("Children that change together each have a record with their path, whether the givens hold or not")
    func together() {
        let (events, journal) = Self.run([
            { $0.guests = [Guest(id: "", isIn: true), Guest(id: "ann", isIn: true), Guest(id: "bob", isIn: true)] },
            { $0.guests = [Guest(id: "cid"), Guest(id: "")] },
            { $0.guests.update(id: "") { $0.isIn = true } },
        ])
        expectEqual(events, ["ann: hello ann", "bob: hello bob", "now 3", "now 2"])
        expectEqual(
            journal,
            [
                "guests[]/greet blocked(by: given 1)", "guests[ann]/greet fired(events: 1)", "guests[bob]/greet fired(events: 1)",
                "/count fired(events: 1)", "/count fired(events: 1)", "guests[]/greet blocked(by: given 1)",
            ])
    }

    @Test("A rule of an optional part fires while the part is present, and again when it returns")
    func part() {
        let (events, journal) = Self.run([
            { $0.cook = Guest(id: "dan", isIn: true) },
            { $0.cook = nil },
            { $0.cook = Guest(id: "dan", isIn: true) },
        ])
        expectEqual(events, ["cook: hello dan", "cook: hello dan"])
        expectEqual(journal, ["cook/greet fired(events: 1)", "cook/greet fired(events: 1)"])
    }

    @Test("A rule of a grandchild is recorded with the whole path, and is the cause of its own child's events")
    func deep() {
        struct Street: Equatable, Sendable { var houses = IdentifiedList<Int, House>() }
        enum Screen: Equatable, Sendable { case street(Street) }
        let rules: [Rule.Complete<Screen, String>] = [
            Self.greet.scoped(toEach: \House.guests) { "\($0): \($1)" }
                .scoped(toEach: \Street.houses) { "\($0) \($1)" }
                .scoped(to: { if case .street(let street) = $0 { street } else { nil } }, event: { $0 }, name: "street")
        ]
        let lines = Mutex<[String]>([])
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) in
                    event == "come" ? Just(event).eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
                },
                apply: { (screen: inout Screen, _) in
                    let guests: IdentifiedList = [Guest(id: "ann", isIn: true), Guest(id: "bob", isIn: true)]
                    var street = Street()
                    street.houses[id: 3] = House(guests: guests)
                    screen = .street(street)
                }),
            initialState: Screen.street(Street()), environment: (),
            options: LoopOptions(journal: { record in lines.withLock { $0.append("\(record)") } }),
            feedback: { [Rule.events(of: rules, from: $0).located(at: .root.child("town"))] })
        store.send("come")
        expectEqual(
            lines.withLock { $0 }.dropFirst(2).map { $0 },
            [
                "3 <- 2  rule town.street.houses[3].guests[ann]/greet fired: 1 event",
                "4 <- 2  rule town.street.houses[3].guests[bob]/greet fired: 1 event",
                "5 <- 3  event 3 ann: hello ann", "6 <- 4  event 3 bob: hello bob",
            ])
    }

    @Test("A rule of thousands of children evaluates only those that have changed, also while the list grows and shrinks")
    func many() {
        let (children, changed): (Int, Int) = (Budget.size(5000, quick: 1000), Budget.size(300, quick: 60))
        let looks = Mutex(0)
        let rule = Rule("look")
            .when(
                RulePattern { (change: Transition<Guest>) -> String? in
                    looks.withLock { $0 += 1 }
                    return change.after.isIn ? change.after.id : nil
                }
            )
            .then { $0 }
        let changes = Mutex<[String]>([])
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) -> AnyPublisher<String, Never> in
                    if event.contains(" ") {
                        changes.withLock { $0.append(event) }
                        return Empty().eraseToAnyPublisher()
                    }
                    return Just(event).eraseToAnyPublisher()
                },
                apply: { (house: inout House, id: String) in
                    if id.hasPrefix("-") {
                        house.guests.remove(id: String(id.dropFirst()))
                    } else {
                        house.guests[id: id] = Guest(id: id, isIn: true)
                    }
                }),
            initialState: House(guests: IdentifiedList((0..<children).map { Guest(id: "\($0)") })), environment: (),
            feedback: { [Rule.events(of: [rule.scoped(toEach: \.guests) { "\($0) \($1)" }], from: $0)] })
        expectEqual(looks.withLock { $0 }, children)
        let old: [String] = (0..<changed).map { (number: Int) -> String in "\(number * 37 % children)" }
        let new: [String] = (0..<changed).map { (number: Int) -> String in "new\(number)" }
        let wanted: [String] = old + new
        for id in wanted {
            store.send(id)
            if id.hasPrefix("new") { store.send("-\(id.dropFirst(3))") }
        }
        expectEqual(changes.withLock { $0 }, wanted.map { "\($0) \($0)" })
        expectEqual(looks.withLock { $0 }, children + 2 * changed)
    }
}
