import IdentifiedLists
import PlainText

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

    init(_ indicator: StatusIndicator, _ detail: String, at path: String = "state") {
        self.path = path
        self.indicator = indicator
        self.detail = detail
    }

    init(_ status: any StatusReporting) { self.init(status.indicator, status.detail) }

    /// Creates the status of several features: the most noteworthy one, and the number of features in each. Nil if there are
    /// none.
    init?(all: [FeatureStatus]) {
        let counts = StatusIndicator.all.map { indicator in (indicator, all.count { $0.indicator == indicator }) }
            .filter { $0.1 > 0 }
        guard let worst = counts.last else { return nil }
        self.init(worst.0, counts.map { "\($0.1) \($0.0)" }.joined(separator: ", "))
    }

    /// Returns the status of a feature, or of a container of features; nil for any other value.
    static func of(_ value: Any) -> FeatureStatus? {
        (value as? any StatusHolder)?.status ?? (value as? any StatusReporting).map(FeatureStatus.init)
    }

    /// Returns the status of each feature of a value, in the order of its properties. Properties that are structs are searched.
    package static func all(of value: Any, at path: String = "") -> [FeatureStatus] {
        if let feature = of(value) {
            return [FeatureStatus(feature.indicator, feature.detail, at: path.isEmpty ? "state" : path)]
        }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .optional else { return [] }
        return mirror.children.flatMap { child -> [FeatureStatus] in
            let name = mirror.displayStyle == .optional ? nil : child.label
            return all(of: child.value, at: [path, name ?? ""].filter { !$0.isEmpty }.joined(separator: "."))
        }
    }

    /// `path: indicator detail`.
    public var description: String { "\(path): \(indicator)\(detail.isEmpty ? "" : " \(detail)")" }
}

/// A container of features, which reports their status.
protocol StatusHolder {
    /// The status; nil if there is none to report.
    var status: FeatureStatus? { get }
}

extension Optional: StatusHolder where Wrapped: StatusReporting {
    var status: FeatureStatus? { map(FeatureStatus.init) ?? FeatureStatus(.missing, "") }
}

extension Slot: StatusHolder {
    var status: FeatureStatus? {
        guard let state else { return FeatureStatus(.missing, "") }
        return (state as? any StatusReporting).map(FeatureStatus.init) ?? FeatureStatus(.ok, caseName(of: state))
    }
}

extension Array: StatusHolder {
    var status: FeatureStatus? { FeatureStatus(all: compactMap(FeatureStatus.of)) }
}

extension Dictionary: StatusHolder {
    var status: FeatureStatus? { FeatureStatus(all: values.compactMap(FeatureStatus.of)) }
}

extension IdentifiedList: StatusHolder {
    var status: FeatureStatus? { FeatureStatus(all: compactMap(FeatureStatus.of)) }
}
