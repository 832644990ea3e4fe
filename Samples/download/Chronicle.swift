import Moonlight
import Synchronization

/// What the user is told of the loop's journal: all of it, or only what was refused.
final class Chronicle: Sendable {
    /// Whether anything was refused.
    var hasRefusals: Bool { refusals.load(ordering: .relaxed) > 0 }

    private let isWhole: Bool
    private let refusals = Atomic(0)

    /// - Parameter isWhole: Whether to tell of everything.
    init(isWhole: Bool) { self.isWhole = isWhole }

    /// The line for a record, if there is any; called by the loop, in order.
    func line(_ record: JournalRecord<Downloads, DownloadsEvent, DownloadsEffect>) -> String? {
        guard case .rejected(let event, let error) = record.step else { return isWhole ? record.description : nil }
        refusals.add(1, ordering: .relaxed)
        return isWhole ? record.description : "refused: \(event): \(Self.reason(error))"
    }

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
        case .select(let move): "select \(move)"
        case .close: "close"
        case .report(.over): "report the end"
        case .report(.file(let name, let news)): "report \(name) \(news)"
        }
    }
}
