import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("Changes of one of many children")
struct ChildChangeTests {
    private typealias Rows = IdentifiedList<Int, Lamp>

    private static func levels(of table: Table<Rows>) -> [Int] { table.rows.map(\.level) }
    private static func sum(of table: Table<Rows>) -> Int { levels(of: table).reduce(0, +) }

    @Test("A state that an observer or reader retains does not change when a child changes")
    func keptStates() {
        let store = Store(reducer: tableOfList, initialState: tableOfLamps(100), environment: Lamp.World())
        let states = Recorder<Table<Rows>>()
        let subscription = store.states.sink { states.append($0) }
        var read: [Table<Rows>] = [store.state]
        for step in 0..<20 {
            store.send(.row(step * 5, .up(step + 1)))
            read.append(store.state)
        }
        let sums: [Int] = states.all.map(Self.sum)
        let expected: [Int] = (0...20).map { (step: Int) -> Int in step * (step + 1) / 2 }
        expectEqual(sums, expected)
        expectEqual(read, states.all)
        withExtendedLifetime(subscription) {}
    }

    @Test("A change of a child is published together with the other changes of its effect, and not before")
    func wholeStates() {
        // The parent counts the changes of its rows, before and after they make them.
        let counting = {
            TableReducer<Rows>(
                transform: { _, _, _ in Empty().eraseToAnyPublisher() }, apply: { $0.title += $1.isAdded ? "+" : "" })
        }
        for (each, reducer) in [
            (1, counting().combined(with: tableOfList)), (1, tableOfList.combined(with: counting())),
            (2, .combine(counting(), tableOfList, counting())),
        ] {
            let store = Store(reducer: reducer, initialState: tableOfLamps(20), environment: Lamp.World())
            let seen = Recorder<[Int]>()
            let subscription = store.states.sink { state in
                seen.append([state.title.count, Self.sum(of: state)])
            }
            for step in 1...5 { store.send(.row(step, .up(1))) }
            let expected: [[Int]] = (0...5).map { (step: Int) -> [Int] in [step * each, step] }
            expectEqual(seen.all, expected)
            withExtendedLifetime(subscription) {}
        }
    }

    /// Volumes between 0 and 10.
    private struct Radio: Equatable, Sendable {
        var level = 0
        var volume: Int {
            get { level }
            set { level = min(newValue, 10) }
        }
        var muted: Int? {
            get { level }
            set { level = min(newValue ?? 0, 10) }
        }
    }

    @Test("A change of a child that the setter of its computed property undoes is not sent to observers")
    func undoneBySetter() {
        let volume = Reducer<Int, Int, Int, Void>(transform: { _, event, _ in .just(event) }, apply: { $0 += $1 })
        let path = CasePath<Int, Int>.identity
        for radio in [
            volume.scoped(to: \Radio.volume, event: path, effect: path, environment: { $0 }),
            volume.scoped(toOptional: \Radio.muted, event: path, effect: path, environment: { $0 }),
        ] {
            let store = Store(reducer: radio, initialState: Radio(), environment: ())
            let levels = Recorder<Int>()
            let subscription = store.states.sink { levels.append($0.level) }
            for _ in 1...3 { store.send(7) }
            expectEqual(levels.all, [0, 7, 10])
            subscription.cancel()
        }
    }

    /// A list of children at several places of a state.
    private struct House: Equatable, Sendable {
        var stored: Table<Rows>
        var optional: Table<Rows>?
        var computed: Table<Rows> {
            get { stored }
            set { stored = newValue }
        }
        var computedOptional: Table<Rows>? {
            get { optional }
            set { optional = newValue }
        }
        var rows: Rows {
            get { stored.rows }
            set { stored.rows = newValue }
        }

        init() { (stored, optional) = (tableOfLamps(20), tableOfLamps(20)) }
    }
    private enum Room: Equatable, Sendable {
        case table(Table<Rows>)
        case empty
        static let table = CasePath(Room.table) { if case .table(let table) = $0 { table } else { nil } }
    }

    /// Checks that observers and readers see each change of row 7.
    private func check<Whole: Equatable & Sendable>(
        _ reducer: Reducer<Whole, TableEvent, TableEffect, Lamp.World>, _ whole: Whole, sees levels: [Int?] = [0, 2, 5],
        sourceLocation: SourceLocation = #_sourceLocation, _ level: @escaping @Sendable (Whole) -> Int?
    ) {
        let store = Store(reducer: reducer, initialState: whole, environment: Lamp.World())
        let (seen, read) = (Recorder<Int?>(), Recorder<Int?>())
        let subscription = store.states.sink { seen.append(level($0)) }
        read.append(level(store.state))
        for amount in 2...3 {
            store.send(.row(7, .up(amount)))
            read.append(level(store.state))
        }
        expectEqual(seen.all, levels, sourceLocation: sourceLocation)
        expectEqual(read.all, levels, sourceLocation: sourceLocation)
        withExtendedLifetime(subscription) {}
    }

    @Test("A change of a child is published if its list is stored, computed, optional or in an enum case")
    func places() {
        let (event, effect) = (
            CasePath<TableEvent, TableEvent>({ $0 }, extract: { $0 }), CasePath<TableEffect, TableEffect>({ $0 }, extract: { $0 })
        )
        let stored: @Sendable (House) -> Int? = { $0.stored.rows[id: 7]?.level }
        let optional: @Sendable (House) -> Int? = { $0.optional?.rows[id: 7]?.level }
        check(tableOfList.scoped(to: \House.stored, event: event, effect: effect, environment: { $0 }), House(), stored)
        check(tableOfList.scoped(to: \House.computed, event: event, effect: effect, environment: { $0 }), House(), stored)
        check(
            Lamp.reducer.scoped(toEach: \House.rows, event: TableEvent.row, effect: TableEffect.row, environment: { $0 }),
            House(), stored)
        check(
            tableOfList.scoped(toOptional: \House.optional, event: event, effect: effect, environment: { $0 }), House(), optional)
        check(
            tableOfList.scoped(toOptional: \House.computedOptional, event: event, effect: effect, environment: { $0 }), House(),
            optional)
        check(
            tableOfList.scoped(
                toOptional: \House.optional, event: event, effect: effect, environment: { $0 },
                result: { $0.rows[id: 7]?.level == 5 ? .reverse : nil }),
            House(), sees: [0, 2, nil], optional)
        check(
            tableOfList.scoped(toCase: Room.table, event: event, effect: effect, environment: { $0 }), .table(tableOfLamps(20))
        ) { Room.table.extract($0)?.rows[id: 7]?.level }
    }

    @Test("Changes of two lists by one effect are published together")
    func twoLists() {
        struct Pair: Equatable, Sendable {
            var one: Rows = tableOfLamps(20).rows
            var other: Rows = tableOfLamps(20).rows
        }
        let row = Lamp.reducer
        let reducer = row.scoped(
            toEach: \Pair.one, event: TableEvent.row, effect: TableEffect.row, environment: { (world: Lamp.World) in world }
        ).combined(
            with: row.scoped(toEach: \Pair.other, event: TableEvent.row, effect: TableEffect.row, environment: { $0 }))
        let store = Store(reducer: reducer, initialState: Pair(), environment: Lamp.World())
        let seen = Recorder<[Int?]>()
        let subscription = store.states.sink { seen.append([$0.one[id: 7]?.level, $0.other[id: 7]?.level]) }
        // Both respond to the event, and each applies both effects.
        store.send(.row(7, .up(2)))
        expectEqual(seen.all, [[0, 0], [2, 2], [4, 4]])
        withExtendedLifetime(subscription) {}
    }

    @Test("`store.state` during `apply`, on any thread, is the state before the effect")
    func readInside() {
        final class Place: Sendable {
            let read = Mutex<(@Sendable () -> Int)?>(nil)
            let seen = Recorder<Int>()
        }
        let place = Place()
        let row = Reducer<Lamp, Lamp.Event, Lamp.Effect, Lamp.World>(
            transform: Lamp.reducer.transform,
            apply: { lamp, effect in
                if let read = place.read.withLock({ $0 }) {
                    place.seen.append(read())
                    onThreads(1) { _ in place.seen.append(read()) }
                }
                if case .added(let amount) = effect { lamp.level += amount }
            })
        let reducer = row.scoped(
            toEach: \Table<Rows>.rows, event: TableEvent.row, effect: TableEffect.row,
            environment: { (world: Lamp.World) in world })
        let store = Store(reducer: reducer, initialState: tableOfLamps(50), environment: Lamp.World())
        place.read.withLock { $0 = { [weak store] in store?.state.rows[id: 7]?.level ?? -1 } }
        store.send(.row(7, .up(2)))
        store.send(.row(7, .up(3)))
        expectEqual(place.seen.all, [0, 0, 2, 2])
        expectEqual(store.state.rows[id: 7]?.level, 5)
    }

    @Test("An observer that subscribes during `apply` receives the state before the effect, and then the change")
    func subscribingInside() {
        final class Place: Sendable {
            let subscribe = Mutex<(@Sendable () -> Void)?>(nil)
        }
        let place = Place()
        let row = Reducer<Lamp, Lamp.Event, Lamp.Effect, Lamp.World>(
            transform: Lamp.reducer.transform,
            apply: { lamp, effect in
                place.subscribe.withLock { $0.take() }?()
                if case .added(let amount) = effect { lamp.level += amount }
            })
        let reducer = row.scoped(
            toEach: \Table<Rows>.rows, event: TableEvent.row, effect: TableEffect.row,
            environment: { (world: Lamp.World) in world })
        let store = Store(reducer: reducer, initialState: tableOfLamps(50), environment: Lamp.World())
        let (seen, held) = (Recorder<Int>(), Recorder<AnyCancellable>())
        place.subscribe.withLock {
            $0 = { [weak store] in
                guard let store else { return }
                onThreads(1) { _ in held.append(store.states.sink { seen.append($0.rows[id: 7]?.level ?? -1) }) }
            }
        }
        store.send(.row(7, .up(2)))
        store.send(.row(7, .up(3)))
        expectEqual(seen.all, [0, 2, 5])
    }

    @Test("A change by an `apply` that cancels its loop is not published")
    func cancelledInside() {
        let handle = Mutex<AnyCancellable?>(nil)
        let row = Reducer<Lamp, Lamp.Event, Lamp.Effect, Lamp.World>(
            transform: Lamp.reducer.transform,
            apply: { lamp, effect in
                handle.withLock { $0.take() }?.cancel()
                if case .added(let amount) = effect { lamp.level += amount }
            })
        let reducer = row.scoped(
            toEach: \Table<Rows>.rows, event: TableEvent.row, effect: TableEffect.row,
            environment: { (world: Lamp.World) in world })
        let (events, seen) = (PassthroughSubject<TableEvent, Never>(), Recorder<Int>())
        var observer: AnyCancellable?
        let store = Store(
            reducer: reducer, initialState: tableOfLamps(10), environment: Lamp.World(),
            feedback: { states in
                observer = states.sink { seen.append($0.rows[id: 3]?.level ?? -1) }
                return [events.eraseToAnyPublisher()]
            })
        handle.withLock { $0 = AnyCancellable(store) }
        events.send(.row(3, .up(4)))
        expectEqual(seen.all, [0])
        withExtendedLifetime(observer) {}
    }

    @Test("Readers on other threads see complete states while many events change children")
    func manyReaders() {
        let store = Store(reducer: tableOfList, initialState: tableOfLamps(64), environment: Lamp.World())
        let rounds: Int = Budget.rounds(2_000, least: 200)
        onThreads(3) { (thread: Int) in
            var last = 0
            for step in 0..<rounds {
                if thread == 0 {
                    store.send(.row(step % 64, .up(1)))
                } else {
                    last = Self.checkLevels(of: store.state, noLessThan: last)
                }
            }
        }
        expectEqual(Self.sum(of: store.state), rounds)
    }

    /// Levels only increase, one at a time, from the first row on.
    private static func checkLevels(of table: Table<Rows>, noLessThan last: Int) -> Int {
        let all: [Int] = levels(of: table)
        let sum: Int = all.reduce(0, +)
        expect(sum >= last)
        expectEqual(all, all.sorted(by: >))
        expect(all[0] - all[all.count - 1] <= 1)
        return sum
    }

    @Test("An object that a change releases can read the new state in its `deinit`")
    func lastBreath() {
        final class Guest: Sendable, Equatable {
            let name: String
            let leaves: @Sendable () -> Void
            init(_ name: String, _ leaves: @escaping @Sendable () -> Void) {
                self.name = name
                self.leaves = leaves
            }
            deinit { leaves() }
            static func == (one: Guest, other: Guest) -> Bool { one === other }
        }
        struct House: Equatable, Sendable { var guest: Guest? }
        let place = Mutex<(@Sendable () -> Void)?>(nil)
        let read: @Sendable () -> Void = { place.withLock { $0 }?() }
        let store = Store(
            reducer: Reducer(
                transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
                apply: { (house: inout House, effect: String) in house = House(guest: effect.isEmpty ? nil : Guest(effect, read))
                }),
            initialState: House(guest: Guest("Ann", read)), environment: ())
        let seen = Recorder<String>()
        place.withLock { $0 = { [weak store] in if let store { seen.append(store.state.guest?.name ?? "nobody") } } }
        store.send("Bob")
        store.send("")
        expectEqual(seen.all, ["Bob", "nobody"])
    }
}

extension TableEffect {
    fileprivate var isAdded: Bool { if case .row(_, .added) = self { true } else { false } }
}
