import Moonlight
import Streams

// A parent with children by id: a table of lamps.

struct Table<Rows: ChildCollection & Sendable>: Equatable, Sendable where Rows.Child == Lamp, Rows.ID == Int {
    var title = ""
    var rows: Rows
}

enum TableEvent: Equatable, Sendable {
    case row(Int, Lamp.Event)
    case add(Int)
    case remove(Int)
    case replace(Int)
    case reverse
    case rename(String)
    case finished(Int, String)

    static let row = CasePath(TableEvent.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } }
}

enum TableEffect: Equatable, Sendable {
    case row(Int, Lamp.Effect)
    case added(Int)
    case removed(Int)
    case replaced(Int)
    case reversed
    case renamed(String)

    static let row = CasePath(TableEffect.row) { if case .row(let id, let effect) = $0 { (id, effect) } else { nil } }
}

typealias TableReducer<Rows: ChildCollection & Sendable> = Reducer<Table<Rows>, TableEvent, TableEffect, Lamp.World>
where Rows.Child == Lamp, Rows.ID == Int

func tableItself<Rows>(
    _ change: @escaping @Sendable (inout Rows, TableEffect) -> Void
) -> TableReducer<Rows> {
    TableReducer<Rows>(
        transform: { _, event, _ in
            switch event {
            case .add(let id): Just(.added(id)).eraseToAnyPublisher()
            case .remove(let id): Just(.removed(id)).eraseToAnyPublisher()
            case .replace(let id): Just(.replaced(id)).eraseToAnyPublisher()
            case .reverse: Just(.reversed).eraseToAnyPublisher()
            case .rename(let title): Just(.renamed(title)).eraseToAnyPublisher()
            case .finished(let id, let note): Just(.renamed("\(id): \(note)")).eraseToAnyPublisher()
            case .row: Empty().eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            if case .renamed(let title) = effect { state.title = title } else { change(&state.rows, effect) }
        })
}

/// A table of a number of lamps, with ids from 0 on.
func tableOfLamps(_ count: Int) -> Table<IdentifiedList<Int, Lamp>> {
    var rows = IdentifiedList<Int, Lamp>()
    for id in 0..<count { rows.append(Lamp(), id: id) }
    return Table(rows: rows)
}

let tableOfList = tableItself { (rows: inout IdentifiedList<Int, Lamp>, effect) in
    switch effect {
    case .added(let id): rows.append(Lamp(), id: id)
    case .removed(let id): rows.remove(id: id)
    case .replaced(let id):
        rows.remove(id: id)
        rows.append(Lamp(), id: id)
    case .reversed: for id in rows.ids { rows.move(id: id, to: 0) }
    case .row, .renamed: break
    }
}
.combined(
    with: Lamp.reducer.scoped(toEach: \.rows, event: TableEvent.row, effect: TableEffect.row, environment: { $0 }))

let tableOfDictionary = tableItself { (rows: inout [Int: Lamp], effect) in
    switch effect {
    case .added(let id), .replaced(let id): rows[id] = Lamp()
    case .removed(let id): rows[id] = nil
    case .row, .renamed, .reversed: break
    }
}
.combined(
    with: Lamp.reducer.scoped(toEach: \.rows, event: TableEvent.row, effect: TableEffect.row, environment: { $0 }))
