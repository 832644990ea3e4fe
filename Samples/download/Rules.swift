import Moonlight
import Streams

/// Something that the user is told.
enum Report: Equatable, Sendable {
    case file(Item.ID, News)
    /// Nothing is left to do.
    case over(isComplete: Bool)

    /// What there is to tell of a file.
    enum News: Equatable, Sendable {
        case begun
        case percent(Int)
        case completed(bytes: Int)
        case failed(FetchError)
    }
}

extension Downloads {
    /// What follows from changes of the list, in this order: so the end is told of after what led to it.
    static let rules: [Rule.Complete<Downloads, DownloadsEvent>] =
        Item.rules.map { rule in rule.scoped(toEach: \.files) { id, news in .report(.file(id, news)) } } + [
            Rule("start the next")
                .when(.appearing { (state: Downloads) in state.next })
                .then { id in .file(id, .start) },
            Rule("report the end")
                .when(.becoming { (state: Downloads) in state.isOver })
                .then { state in .report(.over(isComplete: state.isComplete)) },
        ]
}

extension Item {
    /// What follows from changes of a file.
    static let rules: [Rule.Complete<Item, Report.News>] = [
        Rule("report the beginning")
            .when(.transitioned(\.download, from: Download.isStarting, into: Download.running))
            .then { _ in .begun },
        Rule("report progress")
            .when(.actualized(\.download, in: Download.running))
            .compactMap { change in change.to.percent }
            .given("the file is not complete") { percent in percent < 100 }
            .then { percent in .percent(percent) },
        Rule("report completion")
            .when(.set(\.download, into: Download.completed))
            .then { bytes in .completed(bytes: bytes) },
        Rule("report failure")
            .when(.set(\.download, into: Download.failed))
            .then { error in .failed(error) },
    ]
}
