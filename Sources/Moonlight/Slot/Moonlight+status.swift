extension Moonlight {
    /// What all features of a state show, in the order of its properties.
    ///
    /// A feature is what conforms to ``StatusReporting``, an optional of that, a ``Slot``, or a collection of these, which shows how
    /// many show what. Properties that are structs of features are looked into.
    public static func status(of state: Any) -> [FeatureStatus] { features(of: state, at: "") }

    /// What all features of a state show, on one line, for a terminal or a log.
    ///
    ///     download: busy 40 % · login: missing · rows: failed 3 ok, 1 failed
    public static func statusLine(of state: Any) -> String {
        status(of: state).map(\.description).joined(separator: " · ")
    }

    private static func features(of value: Any, at path: String) -> [FeatureStatus] {
        if let feature = (value as? any StatusHolder)?.shown ?? (value as? any StatusReporting).map(Shown.init) {
            return [
                FeatureStatus(path: path.isEmpty ? "state" : path, indicator: feature.indicator, detail: feature.detail)
            ]
        }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .optional else { return [] }
        return mirror.children.flatMap { child -> [FeatureStatus] in
            let name = mirror.displayStyle == .optional ? nil : child.label
            return features(of: child.value, at: [path, name ?? ""].filter { !$0.isEmpty }.joined(separator: "."))
        }
    }
}

/// What is shown.
struct Shown {
    let indicator: StatusIndicator
    let detail: String

    init(_ indicator: StatusIndicator, _ detail: String) { (self.indicator, self.detail) = (indicator, detail) }

    init(_ status: any StatusReporting) { self.init(status.indicator, status.detail) }

    /// What many show together: the one most worth looking at, and how many show what.
    init?(all: [Shown]) {
        guard let worst = all.map(\.indicator).max() else { return nil }
        let counts = StatusIndicator.allCases.compactMap { indicator in
            let count = all.count { $0.indicator == indicator }
            return count == 0 ? nil : "\(count) \(indicator)"
        }
        self.init(worst, counts.joined(separator: ", "))
    }
}

/// What holds features: shows what they show.
protocol StatusHolder {
    var shown: Shown? { get }
}

extension Optional: StatusHolder where Wrapped: StatusReporting {
    var shown: Shown? { map(Shown.init) ?? Shown(.missing, "") }
}

extension Slot: StatusHolder {
    var shown: Shown? {
        guard let state else { return Shown(.missing, "") }
        return (state as? any StatusReporting).map(Shown.init) ?? Shown(.ok, caseName(of: state))
    }
}

extension Array: StatusHolder {
    var shown: Shown? { Shown(all: compactMap(shownByElement)) }
}

extension Dictionary: StatusHolder {
    var shown: Shown? { Shown(all: values.compactMap(shownByElement)) }
}

extension IdentifiedList: StatusHolder {
    var shown: Shown? { Shown(all: compactMap(shownByElement)) }
}

private func shownByElement(_ element: Any) -> Shown? {
    (element as? any StatusHolder)?.shown ?? (element as? any StatusReporting).map(Shown.init)
}
