import MoonPresentation
import Moonlight
import Streams

/// All there is to fetch.
struct Downloads: Equatable, Sendable {
    /// In the order in which they were asked for.
    var files = IdentifiedList<Item.ID, Item>()
    /// How many may be at work at the same time.
    var limit = 3
    /// Whether more files may be asked for.
    var isOpen = false
    /// Which file the keys are for.
    var selected: Item.ID?

    /// The file whose turn it is, if there is one and there is room for it.
    var next: Item.ID? {
        var atWork = 0
        var waiting: Item.ID?
        for file in files {
            guard let download = file.download.state else {
                waiting = waiting ?? file.id
                continue
            }
            if download.isAtWork { atWork += 1 }
        }
        return atWork < limit ? waiting : nil
    }

    /// Whether nothing is left to do.
    var isOver: Bool { !isOpen && files.allSatisfy { $0.download.state.map { !$0.isAtWork } ?? false } }

    /// Whether all that was asked for is there.
    var isComplete: Bool { files.allSatisfy { $0.indicator == .ok } }
}

/// What may be asked for, by the user and by rules.
enum DownloadsEvent: Equatable, Sendable {
    case add(Source)
    case remove(Item.ID)
    case file(Item.ID, ItemEvent)
    /// Selects another file.
    case select(ListMove)
    /// Nothing more will be added.
    case close
    case report(Report)

    static let file = CasePath(DownloadsEvent.file) { if case .file(let id, let event) = $0 { (id, event) } else { nil } }
}

/// What happens to the list.
enum DownloadsEffect: Equatable, Sendable {
    case added(Item)
    case removed(Item.ID)
    case file(Item.ID, ItemEffect)
    case selected(Item.ID)
    case closed

    static let file = CasePath(DownloadsEffect.file) {
        if case .file(let id, let effect) = $0 { (id, effect) } else { nil }
    }
}

/// What the program needs of the world.
struct DownloadsEnvironment: Sendable {
    /// Tells the user of something.
    var report: @Sendable (Report) -> Void
    var item: ItemEnvironment
}

extension Downloads {
    /// The list, and each file in it as a child of its own.
    static let reducer = Reducer<Downloads, DownloadsEvent, DownloadsEffect, DownloadsEnvironment>(
        transform: { state, event, environment in
            switch event {
            case .add(let source):
                do throws(Source.Fault) {
                    let item = Item(id: try source.name(), source: source)
                    if state.files.contains(id: item.id) {
                        throw Source.Fault(reason: "\(item.id) is in the list already")
                    }
                    return Just(.added(item)).eraseToAnyPublisher()
                } catch {
                    throw Rejection(error.reason)
                }
            case .remove(let id):
                guard let file = state.files[id: id] else { throw Rejection("there is no \(id)") }
                if file.download.state?.isAtWork == true { throw Rejection("\(id) is at work: cancel it first") }
                return Just(.removed(id)).eraseToAnyPublisher()
            case .select(let move):
                guard !state.files.isEmpty else { throw Rejection("there is nothing to select") }
                let here = state.selected.flatMap { state.files.position(of: $0) } ?? 0
                let there = move.index(from: here, count: state.files.count)
                return Just(.selected(state.files.id(at: there))).eraseToAnyPublisher()
            case .close: return Just(.closed).eraseToAnyPublisher()
            case .report(let report):
                environment.report(report)
                return Empty().eraseToAnyPublisher()
            case .file: return Empty().eraseToAnyPublisher()
            }
        },
        apply: { (state: inout Downloads, effect: DownloadsEffect) in
            switch effect {
            case .added(let item):
                state.files.append(item)
                state.selected = state.selected ?? item.id
            case .removed(let id):
                let position = state.files.position(of: id) ?? 0
                state.files.remove(id)
                if state.selected == id {
                    state.selected =
                        state.files.isEmpty ? nil : state.files.id(at: min(position, state.files.count - 1))
                }
            case .selected(let id): state.selected = id
            case .closed: state.isOpen = false
            case .file: break
            }
        }
    )
    .combined(
        with: Item.reducer.scoped(
            toEach: \.files, event: DownloadsEvent.file, effect: DownloadsEffect.file, environment: \.item))
}
