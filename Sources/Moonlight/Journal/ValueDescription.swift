/// How the journal describes values: as `String(describing:)` does, but the same each time, and within limits.
///
/// What is in a set or a dictionary is sorted, and what lies deeper than ``maxDepth`` is left out: so a list that is linked
/// a hundred thousand times, or an object that refers to itself, can be told of.
enum ValueDescription {
    /// How deep values are looked into.
    static var maxDepth: Int { 64 }

    /// The value as text; a string as it is.
    static func of(_ value: Any) -> String { value as? String ?? describe(value, 0) }

    /// The value as text inside others: strings in quotes, an optional as what it holds.
    static func part(_ value: Any) -> String { describe(value, 0) }

    /// What must not break a line is escaped.
    static func onOneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            if isControl(scalar) {
                line += scalar.escaped(asASCII: true)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether a type says itself how its values are described, so that nobody need look inside.
    static func describesItself(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }

    private static func describe(_ value: Any, _ depth: Int) -> String {
        if let text = value as? String { return String(reflecting: text) }
        if depth == maxDepth { return "…" }
        let mirror = Mirror(reflecting: value)
        func list(_ open: String, _ parts: [String], _ close: String) -> String {
            open + parts.joined(separator: ", ") + close
        }
        func parts() -> [String] { mirror.children.map { describe($0.value, depth + 1) } }
        func labelled() -> [String] {
            mirror.children.map { child in
                let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 + ": " } ?? ""
                return label + describe(child.value, depth + 1)
            }
        }
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { describe($0.value, depth) } ?? "nil"
        case .collection: return list("[", parts(), "]")
        case .set: return list("[", parts().sorted(), "]")
        case .dictionary: return mirror.children.isEmpty ? "[:]" : list("[", entries(mirror, depth).sorted(), "]")
        case .tuple: return list("(", labelled(), ")")
        case .struct where !describesItself(value) && !mirror.children.isEmpty:
            return list("\(type(of: value))(", labelled(), ")")
        case .enum where !describesItself(value):
            guard let payload = mirror.children.first, let name = payload.label else { return "\(value)" }
            let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
            let text = describe(payload.value, depth + 1)
            return isTuple ? name + text : "\(name)(\(text))"
        default: return String(describing: value)
        }
    }

    private static func entries(_ mirror: Mirror, _ depth: Int) -> [String] {
        mirror.children.map { child in
            let pair = Mirror(reflecting: child.value).children.map { describe($0.value, depth + 1) }
            return pair.joined(separator: ": ")
        }
    }
}
