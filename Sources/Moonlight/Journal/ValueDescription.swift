/// How the journal describes values: as `String(describing:)` does, but the same each time, and within limits.
///
/// What is in a set or a dictionary is sorted. What lies deeper than ``maxDepth``, and what is more than ``Effort/most``
/// parts, is left out, with "…" in its place: so a list that is linked a hundred thousand times, or a value that holds
/// the same parts again and again, can be told of.
enum ValueDescription {
    /// How deep values are looked into.
    static var maxDepth: Int { 64 }

    /// The value as text; a string as it is.
    static func of(_ value: Any) -> String {
        if let text = value as? String { return text }
        var effort = Effort()
        return part(value, &effort)
    }

    /// The value as text inside others: strings in quotes, an optional as what it holds.
    static func part(_ value: Any, _ effort: inout Effort) -> String { describe(value, 0, &effort) }

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

    private static func describe(_ value: Any, _ depth: Int, _ effort: inout Effort) -> String {
        var (value, mirror) = (value, Mirror(reflecting: value))
        while mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first else { return "nil" }
            guard effort.spend() else { return "…" }
            (value, mirror) = (wrapped.value, Mirror(reflecting: wrapped.value))
        }
        if let text = value as? String { return effort.spend(on: text) ? String(reflecting: text) : "…" }
        if depth == maxDepth { return "…" }
        let isOpaque = describesItself(value)
        switch mirror.displayStyle {
        case .collection: return list("[", mirror, depth, &effort, "]")
        case .set: return list("[", mirror, isSorted: true, depth, &effort, "]")
        case .dictionary where mirror.children.isEmpty: return "[:]"
        case .dictionary: return list("[", mirror, isSorted: true, depth, &effort, "]", of: entry)
        case .tuple: return list("(", mirror, depth, &effort, ")", of: labelled)
        case .struct where !isOpaque && !mirror.children.isEmpty:
            return list("\(type(of: value))(", mirror, depth, &effort, ")", of: labelled)
        case .enum where !isOpaque:
            guard let payload = mirror.children.first, let name = payload.label else { return "\(value)" }
            let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
            let text = effort.spend() ? describe(payload.value, depth + 1, &effort) : "…"
            return isTuple ? name + text : "\(name)(\(text))"
        default:
            let text = String(describing: value)
            return effort.spend(on: text) ? text : "…"
        }
    }

    /// How a part of a value is told, at a depth.
    private typealias Telling = (Mirror.Child, Int, inout Effort) -> String

    private static func list(
        _ open: String, _ mirror: Mirror, isSorted: Bool = false, _ depth: Int, _ effort: inout Effort, _ close: String,
        of telling: Telling = { describe($0.value, $1, &$2) }
    ) -> String {
        var parts: [String] = []
        var isCut = false
        for child in mirror.children {
            isCut = !effort.spend()
            if isCut { break }
            parts.append(telling(child, depth + 1, &effort))
        }
        if isSorted { parts.sort() }
        if isCut { parts.append("…") }
        return open + parts.joined(separator: ", ") + close
    }

    private static func labelled(_ child: Mirror.Child, _ depth: Int, _ effort: inout Effort) -> String {
        // Elements of a tuple that have no name have a number, as `.0`.
        let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 + ": " } ?? ""
        return label + describe(child.value, depth, &effort)
    }

    private static func entry(_ child: Mirror.Child, _ depth: Int, _ effort: inout Effort) -> String {
        var parts: [String] = []
        for part in Mirror(reflecting: child.value).children { parts.append(describe(part.value, depth, &effort)) }
        return parts.joined(separator: ": ")
    }
}
