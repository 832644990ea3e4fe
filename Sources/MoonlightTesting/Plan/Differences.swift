import Moonlight

/// Describes the differences between two values: one line per field, with its path; long values are shortened.
package enum Differences {
    /// Returns a line for each field that changed, such as `count: 1 → 2`.
    package static func change<Value>(from before: Value, to after: Value) -> [String] {
        StateChange.between(before, after).map { change in
            if change.isCut { return change.description }
            return """
                \(change.path.isEmpty ? "" : "\(change.path.escapingControls): ")\(ValueText.shown(change.before)) → \
                \(ValueText.shown(change.after))
                """
        }
    }

    /// Returns a line for each field that differs, such as `count: expected 1, got 2`. `name` is the path of the whole value.
    static func failure<Value>(_ name: String, expected: Value, got: Value) -> [String] {
        let changes = StateChange.between(expected, got)
        guard !changes.isEmpty else {
            // The values are unequal but have the same description.
            let type = String(describing: Value.self)
            let shown = ValueText.shown(ValueText.describe(expected))
            return ["\(name): expected \(shown), got another \(type) with the same description"]
        }
        return changes.map { change in
            if change.isCut { return change.description }
            return """
                \(join(name, change.path).escapingControls): expected \(ValueText.shown(change.before)), \
                got \(ValueText.shown(change.after))
                """
        }
    }

    /// Returns a line for each field of a value, such as `count is 1`.
    package static func fields(of value: Any) -> [String] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .class, !mirror.children.isEmpty else {
            return [ValueText.shown(ValueText.describe(value))]
        }
        return mirror.children.map { "\($0.label ?? "it") is \(ValueText.shown(ValueText.describe($0.value)))" }
    }

    /// Returns the title of a step that checks effects.
    static func title(of effects: [some Any]) -> String {
        if effects.isEmpty { return "Then there is no effect" }
        return "Then the effects are \(effects.map { ValueText.describe($0) }.joined(separator: ", "))"
    }

    private static func join(_ name: String, _ path: String) -> String {
        if name.isEmpty || path.isEmpty { return name + path }
        return path.hasPrefix("[") ? name + path : "\(name).\(path)"
    }

    /// Returns the lines in which two texts differ, as `- 3: expected` and `+ 3: actual` with the number of the line.
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
    /// The properties on the path, such as `user.name`. A property without a name at run time, such as a computed one, is
    /// represented by its type: `tasks.<Int>`.
    var propertyNames: String {
        let parts = namesAndTypes
        return parts.isEmpty ? "state" : parts.joined(separator: ".")
    }

    /// Returns the name that a reducer scoped by this key path gives to the child: the name of the last property. If the
    /// property has no name at run time, it is the child's type and a number, which is omitted here.
    func scopeName<Child>(of type: Child.Type) -> String {
        guard let name = namesAndTypes.last, name != "self", !name.hasPrefix("<") else { return "\(Child.self)#" }
        return name
    }

    /// The components of the key path, without the root type.
    ///
    /// A key path describes a computed property as `\State.tasks.<computed 0x00007f… (Int)>`. The address, which differs between
    /// builds, is removed.
    private var namesAndTypes: [String] {
        var (parts, depth): ([String], Int) = ([""], 0)
        for character in String(describing: self) {
            switch character {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            default: break
            }
            if character == ".", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.dropFirst().map { part in
            guard part.hasPrefix("<"), let open = part.firstIndex(of: "("), let close = part.lastIndex(of: ")") else {
                return part
            }
            return "<\(part[part.index(after: open)..<close])>\(part.drop { $0 != ">" }.dropFirst())"
        }
    }
}
