import Moonlight

/// How two values differ, for people to read: a line for each field, with its path, long values shortened.
enum Differences {
    /// `count: 1 → 2`, for each field that has changed.
    static func change<Value>(from before: Value, to after: Value) -> [String] {
        StateChange.between(before, after).map { change in
            "\(change.path.isEmpty ? "" : "\(change.path): ")\(shown(change.before)) → \(shown(change.after))"
        }
    }

    /// `count: expected 1, got 2`, for each field that is not as expected; `name` is the path of the whole.
    static func failure<Value>(_ name: String, expected: Value, got: Value) -> [String] {
        let changes = StateChange.between(expected, got)
        guard !changes.isEmpty else {
            // Unequal, though they look the same.
            let type = String(describing: Value.self)
            return ["\(name): expected \(shown(describe(expected))), got another \(type) that looks the same"]
        }
        return changes.map { change in
            "\(join(name, change.path)): expected \(shown(change.before)), got \(shown(change.after))"
        }
    }

    /// `count is 1`, for each field of a value.
    static func fields(of value: Any) -> [String] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .class, !mirror.children.isEmpty else {
            return [shown(describe(value))]
        }
        return mirror.children.map { "\($0.label ?? "it") is \(shown(describe($0.value)))" }
    }

    static func title(of effects: [some Any]) -> String {
        if effects.isEmpty { return "Then there is no effect" }
        return "Then the effects are \(effects.map { describe($0) }.joined(separator: ", "))"
    }

    /// A value on one line, shortened if it is long.
    static func describe(_ value: Any) -> String {
        if let text = value as? String { return String(reflecting: text) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { describe($0.value) } ?? "nil" }
        return String(describing: value)
    }

    static func shown(_ value: String?) -> String {
        guard let value else { return "nothing" }
        let limit = 120
        let line = value.contains("\n") ? value.split(separator: "\n").joined(separator: "⏎") : value
        guard line.count > limit else { return line }
        return "\(line.prefix(limit / 2))…\(line.suffix(limit / 2)) (\(line.count) characters)"
    }

    private static func join(_ name: String, _ path: String) -> String {
        if name.isEmpty || path.isEmpty { return name + path }
        return path.hasPrefix("[") ? name + path : "\(name).\(path)"
    }

    /// The lines of two texts that differ, as `- expected` and `+ actual`, with the number of the first.
    static func lines(expected: String, actual: String) -> [String] {
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let difference = new.difference(from: old)
        var shown: [(line: Int, text: String)] = []
        for change in difference {
            switch change {
            case .remove(let line, let text, _): shown.append((line, "- \(line + 1): \(text)"))
            case .insert(let line, let text, _): shown.append((line, "+ \(line + 1): \(text)"))
            }
        }
        return shown.sorted { ($0.line, $1.text) < ($1.line, $0.text) }.map(\.text)
    }
}

extension AnyKeyPath {
    /// The properties that it leads through, as `user.name`.
    var propertyNames: String {
        let text = String(describing: self)
        guard let dot = text.firstIndex(of: ".") else { return "state" }
        return String(text[text.index(after: dot)...])
    }
}
