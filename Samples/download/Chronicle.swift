import Moonlight
import Streams
import Synchronization

/// What the user is told of the loop's journal: all of it, or only what was refused.
final class Chronicle: Sendable {
    /// The last lines.
    let lines = CurrentValueSubject<[String], Never>([])
    /// Whether anything was refused.
    var hasRefusals: Bool { refusals.load(ordering: .relaxed) > 0 }

    private let isWhole: Bool
    private let write: @Sendable (String) -> Void
    private let refusals = Atomic(0)

    /// - Parameters:
    ///   - isWhole: Whether to tell of everything.
    ///   - write: Given each line.
    init(isWhole: Bool, write: @escaping @Sendable (String) -> Void) { (self.isWhole, self.write) = (isWhole, write) }

    /// Takes a record; called by the loop, in order.
    func take(_ record: JournalRecord<Downloads, DownloadsEvent, DownloadsEffect>) {
        var line: String?
        if case .rejected(let event, let error) = record.step {
            refusals.add(1, ordering: .relaxed)
            line = "refused: \(event): \(Self.reason(error))"
        }
        if isWhole { line = record.description }
        guard let line else { return }
        write(line)
        lines.send((lines.value + [line]).suffix(100))
    }
}

extension Chronicle {
    private static func reason(_ error: any Error) -> String {
        guard let rejection = error as? Rejection else { return "\(error)" }
        return rejection.kind == .absentChild ? "there is no such file" : rejection.reason
    }
}

extension DownloadsEvent: CustomStringConvertible {
    /// As the user would say it.
    var description: String {
        switch self {
        case .add(let source): "add \(source)"
        case .remove(let name): "remove \(name)"
        case .file(let name, let event): "\(event) \(name)"
        case .select(let distance): "select \(distance)"
        case .close: "close"
        case .report(.over): "report the end"
        case .report(.file(let name, let news)): "report \(name) \(news)"
        }
    }
}
