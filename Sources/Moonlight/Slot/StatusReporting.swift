/// The status of a feature at a glance.
public enum StatusIndicator: Sendable, Hashable {
    /// The feature works normally.
    case ok
    /// The feature is busy.
    case busy
    /// The feature is absent.
    case missing
    /// The feature has failed.
    case failed

    /// All of them, from the least to the most noteworthy.
    static let all: [StatusIndicator] = [.ok, .busy, .missing, .failed]
}

/// A state that reports the status of its feature.
///
/// ```swift
/// extension Download: StatusReporting {
///     var indicator: StatusIndicator { if case .running = self { .busy } else { .ok } }
///     var detail: String { if case .running(let progress) = self { "\(progress.percent) %" } else { "" } }
/// }
///
/// Moonlight.statusLine(of: model)  // download: busy 40 % · login: missing
/// ```
public protocol StatusReporting {
    /// The name of the feature; by default, the name of the type.
    static var title: String { get }
    /// The status.
    var indicator: StatusIndicator { get }
    /// A few words about the status; empty by default.
    var detail: String { get }
}

extension StatusReporting {
    /// The name of the type.
    public static var title: String { String(describing: Self.self) }
    /// An empty string.
    public var detail: String { "" }
}

/// The status of one feature of a state.
public struct FeatureStatus: Sendable, Hashable, CustomStringConvertible {
    /// The path to the feature in the state: the names of the properties, joined by dots.
    public let path: String
    /// The status.
    public let indicator: StatusIndicator
    /// A few words about the status; may be empty.
    public let detail: String

    /// `path: indicator detail`.
    public var description: String { "\(path): \(indicator)\(detail.isEmpty ? "" : " \(detail)")" }
}
