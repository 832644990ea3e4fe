import Moonlight
import Streams
import Testing

private struct Shop: Equatable, Sendable {
    var user: String?
    var basket: [String] = []
    var stock = ["lamp": 1]
    var said: [String] = []
}

private enum Event: Sendable { case login(String), logout, add(String), say(String) }

private struct SoldOut: Error { let item: String }

private let greet = Rule("greet")
    .when(.appearing { (shop: Shop) in shop.user })
    .given { name in name.isEmpty ? nil : name.uppercased() }
    .then { name in Event.say("hello \(name)") }

private let checkStock = Rule("check stock")
    .when(.changing { (shop: Shop) in shop.basket })
    .given { change in change.to.count > change.from.count ? change.to.last : nil }
    .given { item in if item == "moon" { throw SoldOut(item: item) } else { item } }
    .then { item in Event.say("\(item) is in stock") }

private let bye = Rule("bye")
    .when(.vanishing { (shop: Shop) in shop.user })
    .then { name in [Event.say("bye \(name)"), Event.say("come again")] }

@Suite("Page: Rules")
struct RulesPage {
    @Test("rules of a shop")
    func shop() {
        let lines = Recorder<String>()
        let store = Store(
            initialState: Shop(), environment: (),
            options: LoopOptions(journal: { record in if case .rule = record.step { lines.append("\(record)") } }),
            feedback: { states in [Rule.events(of: [greet, checkStock, bye], from: states)] },
            transform: { (_, event: Event, _) in Just(event).eraseToAnyPublisher() },
            apply: { (shop: inout Shop, event: Event) in
                switch event {
                case .login(let name): shop.user = name
                case .logout: shop.user = nil
                case .add(let item): shop.basket.append(item)
                case .say(let text): shop.said.append(text)
                }
            })
        for event in [Event.login("ann"), .add("lamp"), .add("moon"), .logout] { store.send(event) }
        #expect(store.state.said == ["hello ANN", "lamp is in stock", "bye ann", "come again"])
        #expect(
            lines.all == [
                "3 <- 2  rule greet fired: 1 event", "8 <- 7  rule check stock fired: 1 event",
                "13 <- 12  rule check stock failed in given 2: SoldOut(item: \"moon\")",
                "16 <- 15  rule bye fired: 2 events",
            ])
    }

    @Test("a pattern of one's own")
    func ownPattern() {
        let doubled = Pattern<Int, Int> { change in
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
