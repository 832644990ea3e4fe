import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Shop: Equatable, Sendable {
    var user: String?
    var basket: [String] = []
    var stock = ["lamp": 1]
    var said: [String] = []
}

private enum Event: Sendable {
    case login(String)
    case logout
    case add(String)
    case say(String)
}

private struct SoldOut: Error { let item: String }

private let greet = Rule("greet")
    .when(.appearing { (shop: Shop) in shop.user })
    .given("the name is not empty") { name in !name.isEmpty }
    .then { name in Event.say("hello \(name.uppercased())") }

private let checkStock = Rule("check stock")
    .when(.changing { (shop: Shop) in shop.basket })
    .given("something was added") { change in change.to.count > change.from.count }
    .compactMap { change in change.to.last }
    .given("it is in stock") { item in if item == "moon" { throw SoldOut(item: item) } else { true } }
    .then { item in Event.say("\(item) is in stock") }

private let bye = Rule("bye")
    .when(.vanishing { (shop: Shop) in shop.user })
    .thenAll { name in [Event.say("bye \(name)"), Event.say("come again")] }

@Suite("Page: Rules")
struct RulesPage {
    @Test("The rules of a shop greet, check the stock and say goodbye")
    func shop() {
        let lines = Recorder<String>()
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: Event, _) in Just(event).eraseToAnyPublisher() },
                apply: { (shop: inout Shop, event: Event) in
                    switch event {
                    case .login(let name): shop.user = name
                    case .logout: shop.user = nil
                    case .add(let item): shop.basket.append(item)
                    case .say(let text): shop.said.append(text)
                    }
                }),
            initialState: Shop(), environment: (),
            options: LoopOptions(journal: { record in if case .rule = record.step { lines.append("\(record)") } }),
            feedback: { states in [Rule.events(of: [greet, checkStock, bye], from: states)] })
        for event in [Event.login("ann"), .add("lamp"), .add("moon"), .logout] { store.send(event) }
        store.send(.login(""))
        #expect(store.state.said == ["hello ANN", "lamp is in stock", "bye ann", "come again"])
        #expect(
            lines.all == [
                "3 <- 2  rule greet fired: 1 event", "8 <- 7  rule check stock fired: 1 event",
                "13 <- 12  rule check stock failed in \"it is in stock\": SoldOut(item: \"moon\")",
                "16 <- 15  rule bye fired: 2 events", "23 <- 22  rule greet blocked by: the name is not empty",
            ])
    }

    private struct Guest: Equatable, Sendable, Identifiable {
        let id: String
        var isIn = true
    }
    private struct House: Equatable, Sendable {
        var cook = Guest(id: "dan", isIn: false)
        var guests: IdentifiedList<String, Guest> = []
    }

    @Test("Rules of children fire with the path of their child")
    func children() {
        let welcome = Rule("welcome")
            .when(.becoming { (guest: Guest) in guest.isIn })
            .given("the guest has a name") { guest in !guest.id.isEmpty }
            .then { guest in "hello \(guest.id)" }

        let rules = [
            welcome.scoped(to: \House.cook) { line in "kitchen: \(line)" },
            welcome.scoped(toEach: \House.guests) { id, line in "room of \(id): \(line)" },
        ]
        let lines = Recorder<String>()
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) in
                    event == "open" ? Just(event).eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
                },
                apply: { (house: inout House, _: String) in
                    house = House(cook: Guest(id: "dan"), guests: [Guest(id: ""), Guest(id: "ann")])
                }),
            initialState: House(), environment: (),
            options: LoopOptions(journal: { record in if case .rule = record.step { lines.append("\(record)") } }),
            feedback: { states in [Rule.events(of: rules, from: states)] })
        store.send("open")
        #expect(
            lines.all == [
                "3 <- 2  rule cook/welcome fired: 1 event", "4 <- 2  rule guests[]/welcome blocked by: the guest has a name",
                "5 <- 2  rule guests[ann]/welcome fired: 1 event",
            ])
    }

    @Test("An observer of a store that subscribes late receives only later changes")
    func observer() {
        let lines = Recorder<String>()
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) in Just(event).eraseToAnyPublisher() },
                apply: { (shop: inout Shop, user: String) in shop.user = user }),
            initialState: Shop(user: "ann", basket: ["lamp"]), environment: ())
        let observing = Rule.events(
            of: [
                Rule("greet").when(.appearing { (shop: Shop) in shop.user }).then { user in "hello \(user)" }
            ], from: store.states, onlyChanges: true
        ).sink { line in lines.append(line) }
        store.send("bob")
        #expect(lines.all == ["hello bob"])
        observing.cancel()
    }

    @Test("A custom pattern matches the values that its function finds in two states")
    func ownPattern() {
        let doubled = RulePattern<Int, Int> { change in
            guard let before = change.before, change.after == 2 * before else { return nil }
            return change.after
        }
        let rule = Rule("doubled").when(doubled).then { "doubled to \($0)" }
        let said = Recorder<String>()
        let states = [1, 2, 3, 6].publisher.eraseToAnyPublisher()
        let subscription = Rule.events(of: [rule], from: states).sink { said.append($0) }
        #expect(said.all == ["doubled to 2", "doubled to 6"])
        subscription.cancel()
    }
}
