import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// If a loop calls several closures of the user in a row, and one of them cancels it, the others are not called.
@Suite("Guarantee 7: a loop that is cancelled between two closures does not call the second")
struct ManyClosuresTests {
    private let log = Recorder<String>()
    private let keeper = Keeper()

    /// A loop with rules for the events that it is sent; `end` cancels it.
    private func follow(_ rules: [Rule.Complete<Int, Int>], _ first: Int = 1) {
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { [log] _, event, _ in
                    log.append("event \(event)")
                    return Just(event).eraseToAnyPublisher()
                }, apply: { $0 = $1 }),
            initialState: 0, environment: (), feedback: { [Rule.events(of: rules, from: $0)] })
        keeper.keep(AnyCancellable { store.cancel() })
        store.send(first)
        keeper.drop()
    }

    private func end(_ name: String) {
        log.append(name)
        keeper.cancel()
    }

    private func rule(_ name: String, ends: Bool = false) -> Rule.Complete<Int, Int> {
        Rule(name).when(.becoming { (state: Int) in state > 0 })
            .given { [self] (_: Int) -> Bool in
                if ends { end(name) } else { log.append(name) }
                return true
            }.then { $0 + 1 }
    }

    @Test("Rules are evaluated in order while the loop runs")
    func control() {
        follow([rule("one"), rule("two")])
        expectEqual(log.all, ["event 1", "one", "two", "event 2", "event 2"])
    }

    @Test("A rule after one that cancels the loop is not evaluated, and sends no event")
    func nextRule() {
        follow([rule("one"), rule("two", ends: true), rule("three")])
        expectEqual(log.all, ["event 1", "one", "two"])
    }

    @Test("The pattern of a rule after one that cancels the loop is not evaluated")
    func nextPattern() {
        let other = Rule("other").when(
            RulePattern<Int, Int> { [log] change in
                if change.after > 0 { log.append("pattern") }
                return nil
            }
        ).then { $0 }
        follow([rule("one", ends: true), other])
        expectEqual(log.all, ["event 1", "one"])
    }

    @Test("The given of a rule whose pattern cancels the loop is not evaluated")
    func pattern() {
        let ending = Rule("ending").when(
            RulePattern<Int, Int> { [self] change in
                if change.after > 0 { end("pattern") }
                return change.after
            }
        ).given { [log] in
            if $0 > 0 { log.append("given") }
            return true
        }.then { $0 }
        follow([ending])
        expectEqual(log.all.filter { $0 != "event 0" }, ["event 1", "pattern"])
    }

    @Test("A given after one that cancels the loop is not evaluated")
    func nextGiven() {
        let both = Rule("both").when(.becoming { (state: Int) in state > 0 })
            .given { [self] (_: Int) -> Bool in
                end("first")
                return true
            }
            .compactMap { [log] (found: Int) -> Int? in
                log.append("second")
                return found
            }
            .then { $0 }
        follow([both])
        expectEqual(log.all, ["event 1", "first"])
    }

    @Test("A rule whose given cancels the loop sends no events")
    func events() {
        let ending = Rule("ending").when(.becoming { (state: Int) in state > 0 })
            .given { [self] (_: Int) -> Bool in
                end("given")
                return true
            }
            .then { [log] (found: Int) -> Int in
                log.append("then")
                return found
            }
        follow([ending])
        expectEqual(log.all, ["event 1", "given"])
    }

    private struct House: Equatable, Sendable {
        var guests = IdentifiedList<Int, Int>()
        var isOpen = false
    }

    /// Adds four guests to a house with a rule.
    private func enterFour(_ rule: Rule.Complete<House, House>) {
        let store = Store<House, House>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 }),
            initialState: House(), environment: (), feedback: { [Rule.events(of: [rule], from: $0)] })
        keeper.keep(AnyCancellable { store.cancel() })
        var house = House()
        for guest in 1...4 { house.guests.append(guest, id: guest) }
        store.send(house)
        keeper.drop()
    }

    @Test("A rule of many children that cancels the loop is not evaluated for the next child")
    func children() {
        let arriving = RulePattern<Int, Int> { [log] change in
            log.append("sees \(change.after)")
            return change.after
        }
        let greet = Rule("greet").when(arriving)
            .given { [self] (guest: Int) -> Bool in
                log.append("greets \(guest)")
                if guest == 2 { keeper.cancel() }
                return true
            }.then { $0 }
        enterFour(greet.scoped(toEach: \House.guests, event: { _, _ in House() }))
        expectEqual(log.all, ["sees 1", "greets 1", "sees 2", "greets 2"])
    }

    @Test("A rule of many children whose event cancels the loop does not create the event of the next match")
    func nextMatch() {
        let greet = Rule("greet").when(.becoming { (guest: Int) in guest > 0 }).then { $0 }
            .scoped(toEach: \House.guests, event: { _, guest in guest })
            .scoped(
                to: { (house: House) -> House? in house },
                event: { [self] guest in
                    log.append("guest \(guest)")
                    if guest == 2 { keeper.cancel() }
                    return House()
                })
        enterFour(greet)
        expectEqual(log.all, ["guest 1", "guest 2"])
    }

    @Test("The part of a child is not read for a rule after one that cancels the loop")
    func scoped() {
        let child = Rule("child").when(RulePattern<Int, Int> { _ in nil }).then { $0 }
            .scoped(
                to: { [log] (state: Int) -> Int? in
                    if state > 0 { log.append("part") }
                    return state
                }, event: { $0 })
        follow([rule("one", ends: true), child])
        expectEqual(log.all, ["event 1", "one"])
    }

    @Test("Rules outside a loop are all evaluated")
    func outside() {
        let states = PassthroughSubject<Int, Never>()
        let events = Recorder<Int>()
        let following = Rule.events(of: [rule("one"), rule("two")], from: states.eraseToAnyPublisher())
            .sink { events.append($0) }
        states.send(1)
        expectEqual(log.all, ["one", "two"])
        expectEqual(events.all, [2, 2])
        withExtendedLifetime(following) {}
    }

    @Test("A keyed reaction that cancels the loop does not create the stream of the next key")
    func keys() {
        let store = Store<[Int], [Int]>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 }),
            initialState: [], environment: (),
            feedback: { [self] states in
                [
                    states.react(toEach: { $0 }) { [self] key -> Empty<[Int], Never> in
                        log.append("\(key)")
                        if key == 2 { keeper.cancel() }
                        return Empty(completeImmediately: false)
                    }
                ]
            })
        keeper.keep(AnyCancellable { store.cancel() })
        store.send([1, 2, 3, 4])
        keeper.drop()
        expectEqual(log.all, ["1", "2"])
        expect(store.reactions.isEmpty)
    }

    private func reducer(_ name: String, ends: Bool = false) -> Reducer<Int, Int, Int, Void> {
        Reducer(
            transform: { [self] _, _, _ in
                if ends { end(name) } else { log.append(name) }
                return Empty().eraseToAnyPublisher()
            }, apply: { $0 += $1 })
    }

    private func run(_ reducer: Reducer<Int, Int, Int, Void>) {
        let store = Store(reducer: reducer, initialState: 0, environment: ())
        keeper.keep(AnyCancellable { store.cancel() })
        store.send(1)
        keeper.drop()
    }

    @Test("A combined reducer after one that cancels the loop is not called")
    func combined() {
        run(.combine(reducer("one"), reducer("two", ends: true), reducer("three"), reducer("four")))
        expectEqual(log.all, ["one", "two"])
    }

    @Test("Middleware that cancels the loop and then calls its reducer does not run it", arguments: [false, true])
    func middleware(hasChildren: Bool) {
        struct Room: Equatable, Sendable {
            var count = 0
            var guest: Int?
        }
        let inner = Reducer<Room, Int, Int, Void>(
            transform: { [log] _, _, _ in
                log.append("inner")
                return Just(1).eraseToAnyPublisher()
            }, apply: { (room: inout Room, effect: Int) in room.count += effect })
        let child = Reducer<Int, Int, Int, Void>(
            transform: { _, _, _ in Empty().eraseToAnyPublisher() }, apply: { (state: inout Int, effect: Int) in state += effect }
        ).scoped(
            toOptional: \Room.guest, event: CasePath({ $0 }, name: "guest") { _ in nil }, effect: .identity,
            environment: { (_: Void) in })
        let whole = hasChildren ? inner.combined(with: child) : inner
        let reducer = whole.middleware { [self] state, event, environment, next in
            let first = try next(state, event, environment)
            end("around")
            let second = try next(state, event, environment)
            return first.combined(with: second)
        }
        let store = Store(reducer: reducer, initialState: Room(), environment: ())
        keeper.keep(AnyCancellable { store.cancel() })
        store.send(1)
        keeper.drop()
        expectEqual(log.all, ["inner", "around"])
        expectEqual(store.state, Room())
    }

    @Test("All combined reducers are called while the loop runs, and outside a loop")
    func combinedControl() throws {
        let all = Reducer.combine(reducer("one"), reducer("two"), reducer("three"))
        run(all)
        _ = try all.transform(0, 1, ())
        expectEqual(log.all, ["one", "two", "three", "one", "two", "three"])
    }

    @Test("A runaway loop that its journal cancels is not reported again")
    func runaway() {
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 }),
            initialState: 0, environment: (),
            options: LoopOptions(
                journal: { [self] record in
                    if case .runaway = record.step { end("journal") }
                }, stepLimit: 1, onRunaway: { [log] _ in log.append("runaway") }),
            feedback: { states in [states.filter { $0 > 0 }.map { $0 + 1 }.prefix(3).eraseToAnyPublisher()] })
        keeper.keep(AnyCancellable { store.cancel() })
        store.send(1)
        keeper.drop()
        expectEqual(log.all, ["journal"])
    }
}
