import Moonlight
import MoonlightTestSupport
import Streams
import Testing

// These tests count work that must not grow: comparisons of unaffected parts, and look-ups of children.

private struct Field: Equatable, Sendable {
    var number = CountedNumber(0)
}

private enum Wrapped: Sendable {
    indirect case inner(Wrapped)
    case here(Int)
    static let inner = CasePath(Wrapped.inner) { if case .inner(let inner) = $0 { inner } else { nil } }
    static let here = CasePath(Wrapped.here) { if case .here(let number) = $0 { number } else { nil } }
}

private let field = Reducer<Field, Int, Int, Void>(
    transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
    apply: { $0.number.number += $1 })

@Suite("Costs of composition")
struct CostTests {
    @Test("An event to a child compares only that child, at any depth")
    func depth() {
        struct Level<Inner: Equatable & Sendable>: Equatable, Sendable {
            var inner: Inner
            var others = [CountedNumber](repeating: CountedNumber(1), count: 50)
        }
        let one = field.scoped(
            to: \Level<Field>.inner, event: Wrapped.here, effect: Wrapped.here, environment: { (_: Void) in })
        let two = one.scoped(
            to: \Level<Level<Field>>.inner, event: Wrapped.inner, effect: Wrapped.inner, environment: { (_: Void) in })
        let three = two.scoped(
            to: \Level<Level<Level<Field>>>.inner, event: Wrapped.inner, effect: Wrapped.inner,
            environment: { (_: Void) in })
        let shallow = Store(reducer: one, initialState: Level(inner: Field()), environment: ())
        let deep = Store(
            reducer: three, initialState: Level(inner: Level(inner: Level(inner: Field()))), environment: ())
        expectEqual(CountedNumber.comparisons { shallow.send(.here(1)) }, 1)
        expectEqual(CountedNumber.comparisons { deep.send(.inner(.inner(.here(1)))) }, 1)
        expectEqual(deep.state.inner.inner.inner.number, CountedNumber(1))
    }

    private struct Grid: Equatable, Sendable { var fields = IdentifiedList<Int, Field>() }
    private enum GridEvent: Sendable {
        case field(Int, Int)
        static let field = CasePath(GridEvent.field) {
            if case .field(let id, let number) = $0 { (id, number) } else { nil }
        }
    }

    @Test("An event to one of thousands of children compares as much as to one of ten", arguments: [10, 100, 5000])
    func width(count: Int) {
        var grid = Grid()
        for id in 0..<count { grid.fields.append(Field(), id: id) }
        let reducer = field.scoped(
            toEach: \Grid.fields, event: GridEvent.field, effect: GridEvent.field, environment: { (_: Void) in })
        let store = Store(reducer: reducer, initialState: grid, environment: ())
        expectEqual(CountedNumber.comparisons { store.send(.field(count / 2, 3)) }, 1)
        expectEqual(store.state.fields[id: count / 2]?.number, CountedNumber(3))
    }

    /// A dictionary that counts the look-ups of children.
    private struct Rows: ChildCollection, Sendable {
        var rows: [Int: Field]
        let asked: Counter

        subscript(id id: Int) -> Field? {
            asked.add()
            return rows[id]
        }
        mutating func update<Result>(id: Int, _ body: (inout Field) throws -> Result) rethrows -> Result? {
            guard let index = rows.index(forKey: id) else { return nil }
            return try body(&rows.values[index])
        }
        @discardableResult
        mutating func remove(id: Int) -> Field? { rows.removeValue(forKey: id) }
        static func == (one: Rows, other: Rows) -> Bool { one.rows == other.rows }
    }

    private struct Board: Equatable, Sendable {
        var title = 0
        var rows: Rows
    }
    private enum BoardEvent: Sendable {
        case row(Int, Int)
        case title(Int)
        static let row = CasePath(BoardEvent.row) { if case .row(let id, let number) = $0 { (id, number) } else { nil } }
        static let title = CasePath(BoardEvent.title) { if case .title(let number) = $0 { number } else { nil } }
    }

    @Test(
        "Children with effects in flight are looked up after effects of their parent or a sibling, not after their own"
    )
    func lookups() {
        let later = PassthroughSubject<Int, Never>()
        let waiting = Reducer<Field, Int, Int, Void>(
            transform: { _, event, _ in
                event == 0 ? later.eraseToAnyPublisher() : Just(event).eraseToAnyPublisher()
            },
            apply: { $0.number.number += $1 })
        let title = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 })
        let itself = Reducer<Board, BoardEvent, BoardEvent, Void>(
            transform: { _, event, _ in
                if case .title(-1) = event { Just(event).eraseToAnyPublisher() } else { Empty().eraseToAnyPublisher() }
            },
            apply: { if case .title(-1) = $1 { $0.rows.remove(id: 1) } })
        let board = Reducer.combine(
            itself,
            waiting.scoped(toEach: \.rows, event: BoardEvent.row, effect: BoardEvent.row, environment: { $0 }),
            title.scoped(to: \.title, event: BoardEvent.title, effect: BoardEvent.title, environment: { $0 }))
        let asked = Counter()
        let rows = Rows(rows: Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, Field()) }), asked: asked)
        let store = Store(reducer: board, initialState: Board(rows: rows), environment: ())
        for id in 0..<3 { store.send(.row(id, 0)) }
        let before = asked.value
        later.send(5)
        expectEqual(asked.value, before)
        // An effect of a sibling, and one of the parent's own.
        store.send(.title(4))
        expectEqual(asked.value, before + 3)
        store.send(.title(-1))
        expectEqual(asked.value, before + 6)
        later.send(5)
        expectEqual((0..<4).map { store.state.rows.rows[$0]?.number.number }, [10, nil, 10, 0])
    }

    @Test("Children with effects in flight are not looked up after an effect that changes two parts of one of them")
    func twoParts() {
        let later = PassthroughSubject<Int, Never>()
        let adding = Reducer<Field, Int, Int, Void>(
            transform: { _, event, _ in
                event == 0 ? later.eraseToAnyPublisher() : Just(event).eraseToAnyPublisher()
            },
            apply: { $0.number.number += $1 })
        let row = adding.combined(
            with: Reducer(transform: { _, _, _ in Empty().eraseToAnyPublisher() }, apply: { $0.number.number += $1 }))
        let board = Reducer.combine(
            Reducer(transform: { _, _, _ in Empty().eraseToAnyPublisher() }, apply: { _, _ in }),
            row.scoped(toEach: \Board.rows, event: BoardEvent.row, effect: BoardEvent.row, environment: { (_: Void) in }))
        let asked = Counter()
        let rows = Rows(rows: Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, Field()) }), asked: asked)
        let store = Store(reducer: board, initialState: Board(rows: rows), environment: ())
        for id in 0..<10 { store.send(.row(id, 0)) }
        let before = asked.value
        later.send(5)
        expectEqual(asked.value, before)
        expectEqual(store.state.rows.rows[3]?.number.number, 10)
    }
}
