import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Synchronization
import Testing

@testable import MoonlightExploration

private struct Calls: Sendable { var ask: @Sendable (Int) async throws -> Int }
private struct Failed: Error, Equatable {}
private let ask = Stub<Int, Int, any Error>("ask")

private final class Counter: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.wrappingAdd(1, ordering: .relaxed) }
}

/// Each event makes a call, and its answer is appended.
///
/// - Parameters:
///   - count: The number of events.
///   - events: The possible events.
///   - plays: Counts the environments, and so the plays.
///   - check: Called with each state and the answer that is appended to it.
private func asking(
    _ count: Int, of events: [Int] = [1, 2], plays: Counter = Counter(),
    check: @escaping @Sendable ([Int], Int) -> Void = { _, _ in }
) -> Exploration<[Int], Int, Int, Calls> {
    Exploration(
        Reducer(
            transform: { _, event, calls in
                .run { send in
                    send(try await calls.ask(event))
                } catch: { _ in
                    -event
                }
            },
            apply: { (state: inout [Int], effect: Int) in
                check(state, effect)
                state.append(effect)
            }), given: []
    ) {
        plays.add()
        return Calls(ask: $0.async(ask))
    }
    .events(events, atMost: count)
    .answers(ask) { .init([.answer($0), .failure(Failed())]) }
}

private func failure<State, Event, Effect, Environment>(
    _ exploration: Exploration<State, Event, Effect, Environment>
) -> ExplorationFailure? { #expect(throws: ExplorationFailure.self) { try exploration.run() } }

extension Exploration {
    /// The exploration with each choice played from the beginning.
    fileprivate var withoutLookingAhead: Self { changed { $0.looksAhead = false } }
}

@Suite("Exploration: looking ahead")
struct StepsAheadTests {
    @Test("Looking ahead does not change the verdict, the coverage or the picture", arguments: [false, true])
    func same(cancels: Bool) throws {
        var exploration = asking(2).covered().drawn { "\($0.count)" }
            .eventually("it is answered", after: { $0.isEmpty }, until: { _ in true })
        if cancels { exploration = exploration.cancelsAnywhere() }
        let count = Budget.size(3, quick: 2)
        let others = [asking(2), asking(count).tryingAllOrders(), asking(count).limited(nodes: Budget.size(50, quick: 20))]
        for exploration in [exploration] + (cancels ? [] : others) {
            let (ahead, inTurn) = (try exploration.run(), try exploration.withoutLookingAhead.run())
            expectEqual(ahead.description, inTurn.description)
            expectEqual(ahead.levels, inTurn.levels)
            expectEqual(ahead.coverage?.description, inTurn.coverage?.description)
            expectEqual(ahead.picture?.text, inTurn.picture?.text)
            try expectEqual(exploration.onAllCores().run().description, inTurn.description)
        }
    }

    @Test("Looking ahead saves more than a third of the plays if several calls are open, or a quarter with a single event")
    func fewer() throws {
        let (ahead, inTurn) = (Counter(), Counter())
        // A single event is quicker to explore, and saves less.
        let (events, share) = Budget.isExhaustive ? ([1, 2], 2.0 / 3) : ([1], 3.0 / 4)
        let report = try asking(3, of: events, plays: ahead).tryingAllOrders().run()
        _ = try asking(3, of: events, plays: inTurn).withoutLookingAhead.tryingAllOrders().run()
        expect(inTurn.value >= report.transitions)
        expect(Double(ahead.value) < share * Double(inTurn.value))
        // Each node is reached by its own trace once, to verify it.
        expect(ahead.value >= report.nodes)
    }

    @Test("A violation found ahead is reported as without looking ahead, with the same counterexample")
    func wrong() {
        let exploration = asking(3).never("two failures") { $0.filter { $0 < 0 }.count == 2 }
        let (ahead, inTurn) = (failure(exploration), failure(exploration.withoutLookingAhead))
        expectEqual(ahead?.description, inTurn?.description)
        expectEqual(ahead?.name.split(separator: " ").count, 4)
    }

    // Waits twice for the time that a choice may take.
    @Test(
        "An endless loop while looking ahead is reported with the shortest counterexample", .enabled(if: Budget.isExhaustive)
    )
    func stuck() {
        let found = failure(
            asking(2) { state, effect in
                while state == [1] && effect == -2 { _ = Counter().value }
            }.limited(choice: .seconds(2)))
        expectEqual(found?.name.split(separator: " ").count, 4)
        expectEqual(found?.message.contains("this has not ended within 2.0 seconds"), true)
    }

    @Test("Looking ahead does not go beyond the depth limit")
    func depth() throws {
        let deepest = Mutex(0)
        _ = try asking(3) { state, _ in deepest.withLock { $0 = max($0, state.count + 1) } }.limited(depth: 3).run()
        // At most one of three choices is an answer: an event, its answer, and another event. A fourth would be another
        // answer.
        expectEqual(deepest.withLock { $0 }, 1)
    }

    @Test("Looking ahead is only used for equal states, so a violation is the same if the key omits something")
    func keys() {
        let reducer = Reducer<[Int], Int, Int, Calls>(
            transform: { _, event, calls in
                .run { send in
                    send(try await calls.ask(event))
                } catch: { _ in
                    -event
                }
            },
            apply: { (state: inout [Int], effect: Int) in state.append(effect) })
        let exploration = Exploration(reducer, given: [], key: { $0.map(abs).sorted() }) { Calls(ask: $0.async(ask)) }
            .events([1, 2], atMost: 2)
            .answers(ask) { .init([.answer($0), .failure(Failed())]) }
        for state in [[-1, 2], [2, -1], [1, -2], [1, 2]] {
            let exploration = exploration.never("here") { $0 == state }
            expectEqual(
                (try? exploration.run())?.description, (try? exploration.withoutLookingAhead.run())?.description)
        }
    }

    @Test("Looking ahead does not hide that a program has memory outside its state")
    func memory() {
        let hidden = Counter()
        let reducer = Reducer<Int, Int, Int, Calls>(
            transform: { _, event, calls in
                hidden.add()
                let add = hidden.value % 7
                return .run { send in
                    send(try await calls.ask(event) + add)
                } catch: { _ in
                    -event
                }
            }, apply: { (state: inout Int, effect: Int) in state += effect })
        let unstable = Exploration(reducer, given: 0) { Calls(ask: $0.async(ask)) }
            .events([1, 2], atMost: 3).answers(ask) { .init([.answer($0)]) }
        expectEqual(failure(unstable)?.message.contains("is not deterministic"), true)
    }
}

@Suite("Exploration: the store of steps that were played ahead")
struct StepsAheadStoreTests {
    private typealias Store = StepsAhead<Int, Int, Int, Void>

    private func node(_ state: Int) -> NodeKey {
        NodeKey(
            state: AnyHashable(state), events: [], effects: [], jobs: [], timers: [], followUps: [],
            isOvertaken: false, isEnded: false)
    }

    private func step(_ choice: Choice, at state: Int, before: Int? = nil) -> Store.Step {
        Store.Step(
            choice: choice, packed: 0, start: node(state), before: before ?? state, key: node(state + 1), print: 0,
            state: state + 1, facts: nil, finding: nil, goesOn: true, wasSilent: false, mayBeHeld: false, title: "", covered: nil,
            effects: [], outcome: .taken)
    }

    @Test("Steps are taken once, without violations")
    func taken() {
        let store = Store()
        store.add(.step(step(.event(1), at: 5)), of: .event(1), at: 9)
        store.add(.wrong, of: .event(2), at: 9)
        expectEqual(Set(store.known(at: 9).keys), [.event(1), .event(2)])
        expect(store.known(at: 8).isEmpty)
        expectEqual(Array(store.take(at: node(5), print: 9, in: 5).keys), [.event(1)])
        expect(store.known(at: 9).isEmpty)
        expect(store.take(at: node(5), print: 9, in: 5).isEmpty)
    }

    @Test("Steps of another node with the same fingerprint, or of another state, are not taken")
    func others() {
        let store = Store()
        store.add(.step(step(.event(1), at: 5)), of: .event(1), at: 9)
        store.add(.step(step(.event(2), at: 6, before: 5)), of: .event(2), at: 9)
        store.add(.step(step(.event(3), at: 5, before: 6)), of: .event(3), at: 9)
        expectEqual(Array(store.take(at: node(5), print: 9, in: 5).keys), [.event(1)])
    }
}
