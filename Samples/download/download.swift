// Several concurrent downloads with independent states. Each file is a child with a slot, whose transitions are guarded; a rule
// starts the next download when there is room.
//
//     swift run download             Up and Down select, c cancels, r tries again
import MoonPresentation
import Moonlight
import Streams

/// A download that has started. Before that, the slot is empty.
enum Download: Equatable {
    case running(percent: Int)
    case completed
    case failed(String)

    static let running = CasePath(Download.running) { if case .running(let percent) = $0 { percent } else { nil } }
    static let failed = CasePath(Download.failed) { if case .failed(let reason) = $0 { reason } else { nil } }
}

struct File: Equatable, Identifiable {
    let id: String
    var download = Slot<Download>()

    var line: StyledText {
        switch download.state {
        case nil: "\(id): waiting"
        case .running(let percent): "\(id): \(percent) %"
        case .completed: "\(id): done"
        case .failed(let reason): "\(id): \(reason)"
        }
    }
}

enum FileEvent {
    case start
    case cancel
    case retry
}

enum FileEffect {
    case advanced(Int)
    case completed
    case failed(String)
    case cleared
}

struct World: Sendable {
    /// Downloads a file, and sends the progress in percent.
    var fetch: @Sendable (String) -> AnyPublisher<Int, any Error>
}

let file = Reducer<File, FileEvent, FileEffect, World> { file, event, world in
    switch event {
    case .start:
        try file.download.requireAbsent()
        return world.fetch(file.id).map(FileEffect.advanced).append(.completed).effects({ $0 }, catch: { .failed("\($0)") })
            .prepend(.advanced(0)).job("fetch")
    case .cancel:
        if file.download[Download.running] == nil { throw Rejection("\(file.id) is not being downloaded") }
        return .cancelJob("fetch").append(.failed("cancelled"))
    case .retry:
        if file.download[Download.failed] == nil { throw Rejection("\(file.id) has not failed") }
        return .just(.cleared)
    }
} apply: { file, effect in
    switch effect {
    case .advanced(let percent) where file.download.isPresent: try file.download.actualize(Download.running, to: percent)
    case .advanced(let percent): try file.download.initialize(.running(percent: percent))
    case .completed: try file.download.transition(from: Download.running, into: .completed)
    case .failed(let reason): try file.download.transition(into: .failed(reason))
    case .cleared: try file.download.deinitialize(from: Download.failed)
    }
}

struct Downloads: Equatable {
    var files = IdentifiedList<File.ID, File>()
    var selected = 0

    /// The next file, if there is room for it.
    var next: File.ID? {
        let running = files.count { $0.download[Download.running] != nil }
        return running < 3 ? files.first { !$0.download.isPresent }?.id : nil
    }
}

enum Event {
    case select(ListMove)
    case file(File.ID, FileEvent)

    static let file = CasePath(Event.file) { if case .file(let id, let event) = $0 { (id, event) } else { nil } }
}

enum Effect {
    case selected(Int)
    case file(File.ID, FileEffect)

    static let file = CasePath(Effect.file) { if case .file(let id, let effect) = $0 { (id, effect) } else { nil } }
}

let downloads = Reducer<Downloads, Event, Effect, World> { state, event, _ in
    guard case .select(let move) = event else { return .none }
    return .just(.selected(move.index(from: state.selected, count: state.files.count)))
} apply: { state, effect in
    if case .selected(let index) = effect { state.selected = index }
}
.combined(with: file.scoped(toEach: \.files, event: Event.file, effect: Effect.file, environment: { $0 }))

let rules = [
    Rule("start the next file")
        .when(.appearing { (state: Downloads) in state.next })
        .then { id in Event.file(id, .start) }
]

func program(_ files: [File], _ world: World) -> Program<Downloads, Event, Effect, World> {
    Program(downloads, initialState: Downloads(files: IdentifiedList(files)), environment: world) { state, screen in
        screen.add(
            Rows {
                List(Array(state.files), selected: state.selected, select: Event.select, row: \.line).length(.share())
                Text(screen.notes.last ?? "c cancel  r retry  q quit", style: .dim)
            })
    }
    .keys(in: { state in
        let id = state.files.id(at: state.selected)
        return ["c": .file(id, .cancel), "r": .file(id, .retry)]
    })
    .keys([], quit: ["q"])
    .notes { if case .rejected(_, let error) = $0.step { "\(error)" } else { nil } }
    .feedback { states, _ in [Rule.events(of: rules, from: states)] }
}

extension World {
    /// Simulated downloads: each takes a while, and a name with a `?` cannot be found.
    static let live = World { name in
        AnyPublisher<Int, any Error>.run { send in
            for percent in stride(from: 0, to: 100, by: 5) {
                send(percent)
                try await Task.sleep(for: .milliseconds(5 * name.count))
                if percent == 50, name.contains("?") { throw SystemError(code: 2, attempt: "find \(name)") }
            }
        }
    }
}

@main struct Main {
    static func main() throws {
        let names = ["moon.map", "tides.csv", "phases.txt", "crater?.jpg", "apollo-11.log", "sea.mid"]
        try program(names.map { File(id: $0) }, .live).run()
    }
}
