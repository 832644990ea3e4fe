import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Children by id")
struct EachTests {
    private typealias List = IdentifiedList<Int, Lamp>

    /// A table whose rows subscribe to subjects of the test.
    private func makeStore(
        rows: Int, notes: PassthroughSubject<String, Never>
    ) -> Store<Table<List>, TableEvent> {
        let lamps = IdentifiedList((0..<rows).map { ($0, Lamp()) }, id: { $0.0 })
        var list = List()
        for id in lamps.ids { list.append(Lamp(), id: id) }
        return Store(
            reducer: tableOfList, initialState: Table(rows: list),
            environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
    }

    @Test("After the list was reordered, an effect reaches its child, and each child receives its own events")
    func reordered() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(rows: 3, notes: notes)
        store.send(.row(1, .load))
        store.send(.row(2, .up(5)))
        store.send(.reverse)
        notes.send("here")
        expectEqual(store.state.rows.ids, [2, 1, 0])
        expectEqual(store.state.rows[id: 1], Lamp(note: "here"))
        expectEqual(store.state.rows[id: 2], Lamp(level: 5))
        expectEqual(store.state.rows[id: 0], Lamp())
    }

    @Test("An event for an absent child is refused, and the refusal names the child")
    func absent() async throws {
        let store = makeStore(rows: 1, notes: PassthroughSubject())
        guard case .failure(.rejected(let error)) = await store.send(.row(7, .up(1))) else {
            Issue.record("not refused")
            return
        }
        let rejection = try #require(error as? Rejection)
        expect(rejection.isForAbsentChild)
        expectEqual(rejection.path.description, "rows[7]")
    }

    @Test("A refusal by a child names the child")
    func refusing() async throws {
        let store = makeStore(rows: 1, notes: PassthroughSubject())
        guard case .failure(.rejected(let error)) = await store.send(.row(0, .refuse)) else {
            Issue.record("not refused")
            return
        }
        let rejection = try #require(error as? Rejection)
        expect(!rejection.isForAbsentChild)
        expect(String(reflecting: rejection).hasPrefix("rows[0]: the lamp is broken ("))
    }

    @Test("Removing a child cancels its effects and jobs, and no others")
    func removing() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(rows: 3, notes: notes)
        for id in 0..<3 {
            store.send(.row(id, .load))
            store.send(.row(id, .watch))
        }
        expectEqual(Set(store.jobs.map(\.id.description)), ["rows[0]/watch", "rows[1]/watch", "rows[2]/watch"])
        store.send(.remove(1))
        expectEqual(Set(store.jobs.map(\.id.description)), ["rows[0]/watch", "rows[2]/watch"])
        store.send(.add(1))
        notes.send("x")
        expectEqual(store.state.rows[id: 1]?.note, "")
        expectEqual(store.state.rows[id: 0]?.note, "x")
        expectEqual(store.state.rows[id: 2]?.note, "x")
    }

    @Test("The effects of a removed child are cancelled in the order in which they began")
    func order() {
        let (begun, cancelled) = (Counter(), Recorder<Int>())
        let notes: @Sendable () -> AnyPublisher<String, Never> = {
            let number = begun.add()
            return Empty(completeImmediately: false)
                .handleEvents(receiveCancel: { cancelled.append(number) }).eraseToAnyPublisher()
        }
        let store = Store(reducer: tableOfList, initialState: tableOfLamps(1), environment: Lamp.World(notes: notes))
        for _ in 1...20 { store.send(.row(0, .load)) }
        store.send(.remove(0))
        expectEqual(cancelled.all, Array(1...20))
    }

    @Test("Jobs with the same id in two children are independent")
    func jobs() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(rows: 2, notes: notes)
        store.send(.row(0, .watch))
        store.send(.row(1, .watch))
        store.send(.row(0, .stop))
        expectEqual(store.jobs.map(\.id), [JobID("watch", path: .root.child("rows", id: 1))])
        store.cancelJob("watch")
        expectEqual(store.jobs.count, 1)
        store.cancelJob("watch", of: .root.child("rows", id: 1))
        expect(store.jobs.isEmpty)
    }

    @Test("A child that one effect removes and adds again is a new one, which earlier streams do not reach")
    func replaced() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(rows: 3, notes: notes)
        for id in 0..<3 { store.send(.row(id, .load)) }
        // The first look-up searches everywhere, the second begins where the last one ended.
        store.send(.rename("a"))
        store.send(.replace(1))
        store.send(.replace(1))
        notes.send("old")
        expectEqual(store.state.rows.map(\.note), ["old", "old", ""])
    }

    @Test("A child that one effect removes and adds again is a new one, even if the list is then equal to the old one")
    func replacedByAnEqualOne() {
        let notes = PassthroughSubject<String, Never>()
        let shown = Counter()
        let store = makeStore(rows: 3, notes: notes)
        let observer = store.states.sink { _ in shown.add() }
        for id in 1...2 { store.send(.row(id, .watch)) }
        store.send(.replace(2))
        expectEqual(store.inFlight.map(\.path.description), ["rows[1]"])
        notes.send("old")
        expectEqual(store.state.rows.map(\.note), ["", "old", ""])
        expectEqual(shown.value, 2)
        observer.cancel()
    }

    private struct Hall: Equatable, Sendable { var table = tableOfLamps(2) }

    @Test(
        "A child of a child that is replaced by an equal one is a new one for each reducer that has it as a child",
        arguments: [false, true])
    func replacedDeeperByAnEqualOne(isAlsoOfTable: Bool) {
        let notes = PassthroughSubject<String, Never>()
        let replacing = tableItself { (rows: inout List, effect) in
            guard case .replaced(let id) = effect else { return }
            rows.remove(id: id)
            rows.append(Lamp(), id: id)
        }
        let inner = (isAlsoOfTable ? tableOfList : replacing).scoped(
            to: \Hall.table, event: CasePath<TableEvent, TableEvent>.identity,
            effect: CasePath<TableEffect, TableEffect>.identity, environment: { (world: Lamp.World) in world })
        // The rows are children of the hall, with streams of their own.
        let outer = Lamp.reducer.scoped(
            toEach: \Hall.table.rows, event: TableEvent.row, effect: TableEffect.row,
            environment: { (world: Lamp.World) in world })
        let store = Store(
            reducer: inner.combined(with: outer), initialState: Hall(),
            environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        for id in 0...1 { store.send(.row(id, .load)) }
        store.send(.replace(1))
        expectEqual(
            store.inFlight.map(\.path.description).sorted(), isAlsoOfTable ? ["rows[0]", "table.rows[0]"] : ["rows[0]"])
        notes.send("old")
        expectEqual(store.state.table.rows.map(\.note), ["old", ""])
    }

    @Test("A new child is removed, with its job, when an effect restores an older version of the list")
    func putBack() {
        let notes = PassthroughSubject<String, Never>()
        var old = List()
        old.append(Lamp(), id: 0)
        let reducer = tableItself { [old] (rows: inout List, effect) in
            switch effect {
            case .added(let id): rows.append(Lamp(), id: id)
            case .reversed: rows = old
            default: break
            }
        }.combined(
            with: Lamp.reducer.scoped(toEach: \.rows, event: TableEvent.row, effect: TableEffect.row, environment: { $0 }))
        let store = Store(
            reducer: reducer, initialState: Table(rows: old),
            environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        store.send(.row(0, .watch))
        store.send(.add(1))
        store.send(.row(1, .watch))
        store.send(.rename("a"))
        store.send(.reverse)
        expectEqual(store.jobs.map(\.id.description), ["rows[0]/watch"])
        store.send(.add(1))
        notes.send("late")
        expectEqual(store.state.rows.map(\.note), ["late", ""])
    }

    @Test("A child that its stream's first effect replaces receives no other effect of that stream")
    func replacedAtOnce() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(rows: 3, notes: notes)
        store.send(.row(1, .load))
        store.send(.replace(1))
        notes.send("old")
        expectEqual(store.state.rows.map(\.note), ["", "", ""])
    }

    @Test("A pending effect is dropped when its child is removed, and does not reach a new child with the same id")
    func waitingBehind() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(rows: 2, notes: notes)
        store.send(.row(0, .load))
        store.send(.row(1, .load))
        let watch = store.states.first { $0.title == "now" }.sink { [weak store] _ in
            // The loop is busy, so all of these wait.
            store?.send(.remove(0))
            store?.send(.add(0))
            notes.send("late")
        }
        store.send(.rename("now"))
        expectEqual(store.state.rows[id: 0]?.note, "")
        expectEqual(store.state.rows[id: 1]?.note, "late")
        withExtendedLifetime(watch) {}
    }

    @Test("The last effect of a finished stream is dropped if its child is replaced before")
    func waitingLast() {
        let notes = PassthroughSubject<String, Never>()
        let store = makeStore(rows: 2, notes: notes)
        store.send(.row(0, .load))
        store.send(.row(1, .load))
        let watch = store.states.first { $0.title == "now" }.sink { [weak store] _ in
            store?.send(.replace(0))
            notes.send("last")
            notes.send(completion: .finished)
        }
        store.send(.rename("now"))
        expectEqual(store.state.rows[id: 0]?.note, "")
        expectEqual(store.state.rows[id: 1]?.note, "last")
        withExtendedLifetime(watch) {}
    }

    @Test("Synchronous effects of an event after the one that removes their child are dropped")
    func readyEffects() {
        // The parent replaces a lamp by a new one when it is lit.
        let strict = tableItself { (rows: inout IdentifiedList<Int, Lamp>, effect) in
            if case .row(let id, .added) = effect {
                rows.remove(id: id)
                rows.append(Lamp(), id: id)
            }
        }
        .combined(
            with: Lamp.reducer.scoped(
                toEach: \.rows, event: TableEvent.row, effect: TableEffect.row, environment: { $0 }))
        var list = List()
        list.append(Lamp(), id: 0)
        let store = Store(reducer: strict, initialState: Table(rows: list), environment: Lamp.World())
        store.send(.row(0, .twice))
        expectEqual(store.state.rows[id: 0]?.level, 1)
    }

    @Test("Removing a child from a dictionary cancels its effects")
    func dictionary() {
        let notes = PassthroughSubject<String, Never>()
        let store = Store(
            reducer: tableOfDictionary, initialState: Table(rows: [1: Lamp(), 2: Lamp()]),
            environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        store.send(.row(1, .load))
        store.send(.row(2, .load))
        store.send(.remove(1))
        store.send(.add(1))
        notes.send("x")
        expectEqual(store.state.rows, [1: Lamp(), 2: Lamp(note: "x")])
    }

    @Test("A child with a result is removed from its list, and no other child is")
    func resultOfOne() {
        struct Pin: Identifiable, Equatable, Sendable {
            let id: Int
            var hits = 0
        }
        struct Lane: Equatable, Sendable {
            var pins: IdentifiedList<Int, Pin>
            var fallen: [Int] = []
        }
        enum Hit: Sendable {
            case pin(Int, Int)
            case fell(Int)
        }
        let hit = CasePath(Hit.pin) { if case .pin(let id, let hits) = $0 { (id, hits) } else { nil } }
        let pin = Reducer<Pin, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { $0.hits += $1 })
        let lane = Reducer<Lane, Hit, Hit, Void>(
            transform: { _, event, _ in if case .fell = event { .just(event) } else { .none } },
            apply: { lane, effect in if case .fell(let id) = effect { lane.fallen.append(id) } })
        let whole = lane.combined(
            with: pin.scoped(
                toEach: \Lane.pins, event: hit, effect: hit, environment: { (_: Void) in },
                result: { id, pin in pin.hits > 1 ? .fell(id) : nil }))
        let store = Store(reducer: whole, initialState: Lane(pins: [Pin(id: 4), Pin(id: 9), Pin(id: 2)]), environment: ())
        store.send(.pin(9, 1))
        store.send(.pin(9, 1))
        expectEqual(store.state, Lane(pins: [Pin(id: 4), Pin(id: 2)], fallen: [9]))
    }

    @Test("A child with a result is removed with its effects, and its parent receives the result once")
    func result() {
        let notes = PassthroughSubject<String, Never>()
        let reducer = tableItself { (rows: inout List, effect) in }
            .combined(
                with: Lamp.reducer.scoped(
                    toEach: \.rows, event: TableEvent.row, effect: TableEffect.row, environment: { $0 },
                    result: { id, lamp in lamp.level > 1 ? .finished(id, lamp.note) : nil }))
        var list = List()
        for id in 0..<2 { list.append(Lamp(note: "n\(id)"), id: id) }
        let store = Store(
            reducer: reducer, initialState: Table(rows: list),
            environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        store.send(.row(1, .watch))
        store.send(.row(1, .up(1)))
        expectEqual(store.state.rows.count, 2)
        store.send(.row(1, .up(1)))
        expectEqual(store.state.rows.ids, [0])
        expectEqual(store.state.title, "1: n1")
        expect(store.jobs.isEmpty)
    }

    @Test("A child with a result is removed with its effects even if its parent ignores the result")
    func unansweredResult() {
        let notes = PassthroughSubject<String, Never>()
        let reducer = Lamp.reducer.scoped(
            toEach: \Table<List>.rows, event: TableEvent.row, effect: TableEffect.row,
            environment: { (world: Lamp.World) in world }, result: { id, lamp in lamp.level > 0 ? .rename("\(id)") : nil })
        var list = List()
        for id in 0..<2 { list.append(Lamp(), id: id) }
        let store = Store(
            reducer: reducer, initialState: Table(rows: list),
            environment: Lamp.World(notes: { notes.eraseToAnyPublisher() }))
        for id in 0..<2 { store.send(.row(id, .watch)) }
        store.send(.row(1, .up(1)))
        expectEqual(store.state.rows.ids, [0])
        expectEqual(store.jobs.map(\.id.description), ["rows[0]/watch"])
    }
}
