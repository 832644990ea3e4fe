import Moonlight
import Streams

/// A file of the list.
struct Item: Equatable, Sendable, Identifiable {
    /// What the file is to be called.
    let id: String
    let source: Source
    var download = Slot<Download>()
}

/// What may be asked for.
enum ItemEvent: Equatable, Sendable {
    case start
    case cancel
    case retry
}

/// What happens to a file.
enum ItemEffect: Equatable, Sendable {
    case started
    case advanced(Progress)
    case completed
    case failed(FetchError)
    /// It waits for its turn again.
    case cleared
}

/// What a file needs of the world.
struct ItemEnvironment: Sendable {
    /// Fetches a file under a name; tells of its progress, at first and now and then, and ends when it is there.
    var fetch: @Sendable (Source, String) -> AnyPublisher<Progress, FetchError>
}

extension Item {
    /// The feature's life. A move that its state does not allow is refused by a guard: of an event in `transform`, before
    /// anything is done; of an effect in `apply`.
    static let reducer = Reducer<Item, ItemEvent, ItemEffect, ItemEnvironment>(
        transform: { item, event, environment in
            switch event {
            case .start:
                try item.download.requireAbsent()
                return environment.fetch(item.source, item.id)
                    .map(ItemEffect.advanced)
                    .append(.completed)
                    .catch { Just(.failed($0)) }
                    .prepend(.started)
                    .job("fetch")
                    .eraseToAnyPublisher()
            case .cancel:
                try item.download.require("one at work") { $0.isAtWork ? true : nil }
                return .cancelJob("fetch").append(.failed(.cancelled)).eraseToAnyPublisher()
            case .retry:
                try item.download.require(Download.failed)
                return Just(.cleared).eraseToAnyPublisher()
            }
        },
        apply: { (item: inout Item, effect: ItemEffect) in
            switch effect {
            case .started: try item.download.initialize(.starting)
            case .advanced(let progress) where item.download.state == .starting:
                try item.download.transition(from: Download.isStarting, into: .running(progress))
            case .advanced(let progress): try item.download.actualize(Download.running, to: progress)
            case .completed: try item.download.transition(from: Download.running) { .completed(bytes: $0.received) }
            case .failed(let error): try item.download.transition(into: .failed(error))
            case .cleared: try item.download.deinitialize(from: Download.failed)
            }
        })
}

extension Item: StatusReporting {
    var indicator: StatusIndicator {
        switch download.state {
        case nil: .missing
        case .starting, .running: .busy
        case .completed: .ok
        case .failed: .failed
        }
    }
}
