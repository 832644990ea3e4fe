import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// A state of more than 2 KB is passed through the loop on a path of its own, without a copy.
@Suite("States of more than 2 KB, which are passed without a copy")
struct LargeStateTests {
    private struct Odd: Error {}
    private struct Padding: Equatable, Sendable {
        typealias Row = (Int, Int, Int, Int, Int, Int, Int, Int)
        var rows: (Row, Row, Row, Row) = (row, row, row, row)
        private static var row: Row { (0, 0, 0, 0, 0, 0, 0, 0) }
        static func == (left: Self, right: Self) -> Bool { left.rows.3.7 == right.rows.3.7 }
    }
    /// Compared by its first and last bytes; contains objects.
    private struct Wide: Equatable, Sendable {
        var token: Token?
        var number = 0
        var middle = (Padding(), Padding(), Padding(), Padding(), Padding(), Padding(), Padding(), Padding(), Padding())
        var words: [String] = []
        static func == (left: Self, right: Self) -> Bool { left.number == right.number && left.words == right.words }
        var described: String { "\(number) \(words.joined(separator: "-"))" }

        mutating func add(_ effect: Int) {
            number += effect
            if effect != 0 { words.append("\(effect)") }
        }

        func adding(_ effect: Int) -> Wide {
            var next = self
            next.add(effect)
            return next
        }
    }
    private let events = PassthroughSubject<Int, Never>()
    private let seen = Recorder<String>()
    private let observers = Keeper()

    private func observe(_ states: AnyPublisher<Wide, Never>) -> AnyPublisher<Int, Never> {
        observers.keep(states.sink { [seen] in seen.append($0.described) })
        return events.eraseToAnyPublisher()
    }

    /// Rejects odd numbers, and responds with half of a number and the state's value.
    @Sendable
    private static func transform(state: Wide, event: Int, bonus: Int) throws -> AnyPublisher<Int, Never> {
        guard event.isMultiple(of: 2) else { throw Odd() }
        return [event / 2, bonus * state.words.count].publisher.eraseToAnyPublisher()
    }

    @Test("The state in these tests is larger than 2 KB")
    func size() { expect(MemoryLayout<Wide>.size > 2048) }

    @Test("A large state reaches `transform`, `apply` and observers, and is sent only if it changes")
    func folding() {
        let loop = Moonlight.start(
            initialState: Wide(), environment: 10, feedback: observe, transform: Self.transform,
            apply: { state, effect in state.adding(effect) })
        for event in [2, 3, 4, 0] { events.send(event) }
        expectEqual(seen.all, ["0 ", "1 1", "3 1-2", "13 1-2-10", "43 1-2-10-30"])
        loop.cancel()
    }

    @Test("A large state can be changed in place")
    func inPlace() {
        let store = Store(
            reducer: Reducer(transform: Self.transform, apply: { (state: inout Wide, effect: Int) in state.add(effect) }),
            initialState: Wide(), environment: 10, feedback: { [observe($0)] })
        for event in [2, 3, 4, 0] { events.send(event) }
        expectEqual(seen.all, ["0 ", "1 1", "3 1-2", "13 1-2-10", "43 1-2-10-30"])
        store.cancel()
    }

    @Test("A large state is sent to an observer that subscribes late")
    func lateObserver() {
        let (loops, late) = (Keeper(), Recorder<String>())
        let states = Moonlight.start(
            initialState: Wide(), environment: 0, feedback: observe, transform: Self.transform,
            apply: { state, effect in state.adding(effect) }, store: { loops.keep($0) })
        events.send(2)
        let observer = states.sink { late.append($0.described) }
        events.send(4)
        expectEqual(late.all, ["1 1", "3 1-2"])
        observer.cancel()
        loops.cancel()
    }

    @Test("A large state that `apply` returns after a cancellation is not published")
    func cancelledWhileApplying() {
        let (keeper, seen, observers, events) = (Keeper(), seen, observers, events)
        keeper.keep(
            Moonlight.start(
                initialState: Wide(), environment: (),
                feedback: { states in
                    observers.keep(states.sink { seen.append($0.described) })
                    return events.eraseToAnyPublisher()
                },
                transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
                apply: { state, effect in
                    if effect == 2 { keeper.cancel() }
                    return state.adding(effect)
                }))
        for event in 1...3 { events.send(event) }
        expectEqual(seen.all, ["0 ", "1 1"])
    }

    /// A large state with children.
    private struct WideTable: Equatable, Sendable {
        var rows = IdentifiedList<Int, Lamp>()
        var middle = Wide()
    }

    @Test("A child in a large state that one effect removes and adds again is a new one, even if the states are equal")
    func replacedByAnEqualChild() {
        let levels = PassthroughSubject<Int, Never>()
        // Effects above 0 are those of lamp 7; 0 replaces the lamp.
        let lamp = CasePath<Int, (Int, Int)>({ $1 }, extract: { $0 > 0 ? (7, $0) : nil })
        let itself = Reducer<WideTable, Int, Int, Void>(
            transform: { _, event, _ in event == 0 ? .just(0) : .none },
            apply: { state, effect in
                if effect > 0 { return }
                state.rows.remove(id: 7)
                state.rows.append(Lamp(), id: 7)
            })
        let each = Reducer<Lamp, Int, Int, Void>(
            transform: { _, _, _ in levels.eraseToAnyPublisher() }, apply: { $0.level = $1 }
        ).scoped(toEach: \WideTable.rows, event: lamp, effect: lamp, environment: { (_: Void) in })
        var table = WideTable()
        table.rows.append(Lamp(), id: 7)
        let store = Store(reducer: itself.combined(with: each), initialState: table, environment: ())
        for event in [1, 0] { store.send(event) }
        expect(store.inFlight.isEmpty)
        levels.send(5)
        expectEqual(store.state.rows[id: 7], Lamp())
        store.cancel()
    }

    @Test("The journal receives large states before and after each effect")
    func journal() {
        let lines = Recorder<String>()
        let store = Store(
            reducer: Reducer(transform: Self.transform, apply: { $0.add($1) }),
            initialState: Wide(), environment: 10,
            options: LoopOptions(journal: { record in
                if case .effect(_, let before, let after) = record.step {
                    lines.append("\(before.described) -> \(after.described)")
                }
            }))
        store.send(2)
        store.send(1)
        expectEqual(lines.all, ["0  -> 1 1", "1 1 -> 1 1"])
    }

    @Test("Objects in a large state are retained as long as the state, and no longer")
    func release() {
        let census = Census()
        let loop = Moonlight.start(
            initialState: Wide(token: Token("0", in: census)), environment: (), feedback: observe,
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { state, effect in
                var next = state
                next.add(effect)
                next.token = Token("\(effect)", in: census)
                return next
            })
        expectEqual(census.alive, ["0"])
        for event in 1...3 {
            events.send(event)
            expectEqual(census.alive, ["\(event)"])
        }
        loop.cancel()
        expectEqual(census.alive, [])
    }
}
