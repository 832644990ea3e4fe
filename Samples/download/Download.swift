import Moonlight

/// A download, once it has begun: the feature of UniFlow's example. While it is absent, its file waits for its turn.
enum Download: Equatable, Sendable {
    /// The source has been asked.
    case starting
    /// It comes.
    case running(Progress)
    /// It is there, whole.
    case completed(bytes: Int)
    /// It is not there, and will not be unless it is asked for again.
    case failed(FetchError)

    static let isStarting = CasePath(Download.starting) { $0 == .starting }
    static let running = CasePath(Download.running) { if case .running(let progress) = $0 { progress } else { nil } }
    static let completed = CasePath(Download.completed) { if case .completed(let bytes) = $0 { bytes } else { nil } }
    static let failed = CasePath(Download.failed, name: "failed") {
        if case .failed(let error) = $0 { error } else { nil }
    }

    /// Whether somebody works on it.
    var isAtWork: Bool {
        switch self {
        case .starting, .running: true
        case .completed, .failed: false
        }
    }
}

/// How far a download is.
struct Progress: Equatable, Sendable {
    var received = 0
    /// How many bytes there will be; nil if nobody has said.
    var total: Int?

    /// Between 0 and 100.
    var percent: Int? {
        guard let total else { return nil }
        return total == 0 ? 100 : min(100, Int(Double(received) / Double(total) * 100))
    }
}

/// Why there is no file.
enum FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody wants it any more.
    case cancelled
    /// What the source says.
    case source(String)
    /// What the folder says.
    case folder(String)

    var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .source(let reason): reason
        case .folder(let reason): "cannot be written: \(reason)"
        }
    }
}
