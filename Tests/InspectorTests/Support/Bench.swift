import MoonPresentation
import Moonlight
import MoonlightRecording
import MoonlightTesting
import Streams

@testable import MoonlightInspector

/// The program in front of a test: keys go in, frames come out, and what runs on tasks has happened when a key has returned.
final class Bench {
    let pilot: Pilot<Inspector, InspectorEvent>
    let news = PassthroughSubject<News, Never>()
    private let time = VirtualTimeScheduler()
    private let executor: ManualExecutor

    init(_ steps: Steps, isFollowing: Bool = false, _ columns: Int = 100, _ rows: Int = 24) throws {
        executor = ManualExecutor(time)
        let (news, executor) = (news, executor)
        pilot = try TaskPlace.$executor.withValue(executor) {
            try Inspector(steps, isFollowing: isFollowing)
                .program(title: "bug.moon", .live(news: { news.eraseToAnyPublisher() }))
                .pilot(size: Size(columns: columns, rows: rows))
        }
        time.advance(by: 0)
    }

    var state: Inspector { pilot.state }

    private func perform(_ act: () -> Void) {
        TaskPlace.$executor.withValue(executor) {
            act()
            time.advance(by: 0)
        }
    }

    @discardableResult
    func press(_ keys: Key...) -> Bench {
        for key in keys { perform { pilot.press(key) } }
        return self
    }

    @discardableResult
    func type(_ text: String) -> Bench {
        for character in text { perform { pilot.press(.character(character)) } }
        return self
    }

    @discardableResult
    func tell(_ news: News) -> Bench {
        perform { self.news.send(news) }
        return self
    }

    @discardableResult
    func resize(_ columns: Int, _ rows: Int) -> Bench {
        perform { pilot.resize(to: Size(columns: columns, rows: rows)) }
        return self
    }

    /// The rows of the frame, without blanks at their ends.
    var rows: [String] {
        let frame = pilot.frame
        return (0..<frame.size.rows).map { row in
            let text = (0..<frame.size.columns).map { frame.text(at: Point(column: $0, row: row)) ?? "" }.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    var bottom: String { rows.last ?? "" }

    /// Whether a row contains a text.
    func shows(_ text: String) -> Bool { rows.contains { $0.contains(text) } }
}
