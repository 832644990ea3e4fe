import Moonlight
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
        .given { $0.id.isEmpty ? nil : $0.id }
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
            initialState: House(), environment: (),
            options: LoopOptions(journal: { record in
                if case .rule(let rule) = record.step { journal.withLock { $0.append("\(rule.path)/\(rule.name) \(rule.step)") } }
            }),
            feedback: { [Rule.events(of: rules, from: $0)] },
            transform: { (_, event: String, _) -> AnyPublisher<Int, Never> in
                if let index = Int(event) { return Just(index).eraseToAnyPublisher() }
                events.withLock { $0.append(event) }
                return Empty().eraseToAnyPublisher()
            },
            apply: { (house: inout House, index: Int) in effects[index](&house) })
        for index in effects.indices { store.send("\(index)") }
        return (events.withLock { $0 }, journal.withLock { $0 })
    }

    @Test("a rule of each child fires for the one that changes, in its place among the parent's rules")
    func each() {
        let (events, _) = Self.run([
            { $0.guests = [Guest(id: "ann"), Guest(id: "bob")] },
            { $0.guests.update("bob") { $0.isIn = true } },
            { $0.guests.append(Guest(id: "cid", isIn: true)) },
            { $0.guests.remove("bob") },
        ])
        #expect(events == ["now 2", "bob: hello bob", "cid: hello cid", "now 3", "now 2"])
    }

    @Test("of children that change together each has its own record with its path, whether its givens hold or not")
    func together() {
        let (events, journal) = Self.run([
            { $0.guests = [Guest(id: "", isIn: true), Guest(id: "ann", isIn: true), Guest(id: "bob", isIn: true)] },
            { $0.guests = [Guest(id: "cid"), Guest(id: "")] },
            { $0.guests.update("") { $0.isIn = true } },
        ])
        #expect(events == ["ann: hello ann", "bob: hello bob", "now 3", "now 2"])
        #expect(
            journal == [
                "guests[]/greet blocked(given: 1)", "guests[ann]/greet fired(events: 1)", "guests[bob]/greet fired(events: 1)",
                "/count fired(events: 1)", "/count fired(events: 1)", "guests[]/greet blocked(given: 1)",
            ])
    }

    @Test("a rule of a part that may not be there fires while it is, and anew when it comes back")
    func part() {
        let (events, journal) = Self.run([
            { $0.cook = Guest(id: "dan", isIn: true) },
            { $0.cook = nil },
            { $0.cook = Guest(id: "dan", isIn: true) },
        ])
        #expect(events == ["cook: hello dan", "cook: hello dan"])
        #expect(journal == ["cook/greet fired(events: 1)", "cook/greet fired(events: 1)"])
    }

    @Test("a rule of a child of children has the whole path, and each event is caused by its own child's rule")
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
            initialState: Screen.street(Street()), environment: (),
            options: LoopOptions(journal: { record in lines.withLock { $0.append("\(record)") } }),
            feedback: { [Rule.events(of: rules, from: $0).located(at: .root.child("town"))] },
            transform: { (_, event: String, _) in
                event == "come" ? Just(event).eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
            },
            apply: { (screen: inout Screen, _) in
                let guests: IdentifiedList = [Guest(id: "ann", isIn: true), Guest(id: "bob", isIn: true)]
                var street = Street()
                street.houses[id: 3] = House(guests: guests)
                screen = .street(street)
            })
        store.send("come")
        #expect(
            lines.withLock { $0 }.dropFirst(2).map { $0 } == [
                "3 <- 2  rule town.street.houses[3].guests[ann]/greet fired: 1 event",
                "4 <- 2  rule town.street.houses[3].guests[bob]/greet fired: 1 event",
                "5 <- 3  event 3 ann: hello ann", "6 <- 4  event 3 bob: hello bob",
            ])
    }

    @Test("of thousands of children only those that have changed are looked at, also while the list grows and shrinks")
    func many() {
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
            initialState: House(guests: IdentifiedList((0..<5000).map { Guest(id: "\($0)") })), environment: (),
            feedback: { [Rule.events(of: [rule.scoped(toEach: \.guests) { "\($0) \($1)" }], from: $0)] },
            transform: { (_, event: String, _) -> AnyPublisher<String, Never> in
                if event.contains(" ") {
                    changes.withLock { $0.append(event) }
                    return Empty().eraseToAnyPublisher()
                }
                return Just(event).eraseToAnyPublisher()
            },
            apply: { (house: inout House, id: String) in
                if id.hasPrefix("-") {
                    house.guests.remove(String(id.dropFirst()))
                } else {
                    house.guests[id: id] = Guest(id: id, isIn: true)
                }
            })
        #expect(looks.withLock { $0 } == 5000)
        let wanted = (0..<300).map { "\($0 * 37 % 5000)" } + (0..<300).map { "new\($0)" }
        for id in wanted {
            store.send(id)
            if id.hasPrefix("new") { store.send("-\(id.dropFirst(3))") }
        }
        #expect(changes.withLock { $0 } == wanted.map { "\($0) \($0)" })
        #expect(looks.withLock { $0 } == 5600)
    }
}
