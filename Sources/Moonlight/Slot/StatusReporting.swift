/// What a feature shows of itself, at a glance.
public enum StatusIndicator: String, Sendable, Hashable, CaseIterable, Comparable {
    /// All is well.
    case ok
    /// It is at work.
    case busy
    /// It is not there.
    case missing
    /// Something went wrong.
    case failed

    private var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// From the least to the most worth looking at.
    public static func < (one: StatusIndicator, other: StatusIndicator) -> Bool { one.weight < other.weight }
}

/// A state that shows what it is at.
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
    /// What the feature is called; the name of the type unless it says otherwise.
    static var title: String { get }
    /// What it shows.
    var indicator: StatusIndicator { get }
    /// A few words more; none unless it says otherwise.
    var detail: String { get }
}

extension StatusReporting {
    /// The name of the type.
    public static var title: String { String(describing: Self.self) }
    /// Nothing.
    public var detail: String { "" }
}

/// What one feature of a state shows.
public struct FeatureStatus: Sendable, Hashable, CustomStringConvertible {
    /// Where in the state the feature is: the properties on the way, joined by dots.
    public let path: String
    /// What it shows.
    public let indicator: StatusIndicator
    /// A few words more.
    public let detail: String

    /// `path: indicator detail`.
    public var description: String { "\(path): \(indicator)\(detail.isEmpty ? "" : " \(detail)")" }
}
