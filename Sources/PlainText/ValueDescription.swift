/// Describes values: like `String(describing:)`, but deterministic and within limits.
///
/// The elements of sets and dictionaries are sorted. Parts that are deeper than ``maxDepth``, or exceed the number ``Effort/most``,
/// are replaced by "…". So even a linked list of a hundred thousand nodes, or a value that contains the same parts many times, has
/// a description.
package enum ValueDescription {
    /// The depth down to which values are described.
    static var maxDepth: Int { 64 }

    /// Returns the description of a value. A string is returned as it is.
    package static func of(_ value: Any) -> String {
        if let text = value as? String { return text }
        var effort = Effort()
        return part(value, &effort)
    }

    /// Returns the description of a value inside another: strings are quoted, optionals unwrapped.
    static func part(_ value: Any, _ effort: inout Effort) -> String { describe(value, 0, &effort) }

    /// Returns whether a value's type provides its own description, so that its fields need not be visited.
    static func describesItself(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }

    /// Returns whether a value contains a set or a dictionary of several elements, which `String(describing:)` would describe in
    /// another order each time.
    static func hasRandomOrder(_ value: Any) -> Bool {
        var effort = Effort()
        return hasRandomOrder(value, 0, &effort)
    }

    private static func hasRandomOrder(_ value: Any, _ depth: Int, _ effort: inout Effort) -> Bool {
        guard depth < maxDepth, effort.spend() else { return false }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .set, .dictionary: if mirror.children.count > 1 { return true }
        case .collection, .tuple, .optional: break
        case .struct, .enum: if describesItself(value) { return false }
        default: return false
        }
        return mirror.children.contains { hasRandomOrder($0.value, depth + 1, &effort) }
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

    /// Describes a child of a value, at a depth.
    private typealias Description = (Mirror.Child, Int, inout Effort) -> String

    private static func list(
        _ open: String, _ mirror: Mirror, isSorted: Bool = false, _ depth: Int, _ effort: inout Effort, _ close: String,
        of describing: Description = { describe($0.value, $1, &$2) }
    ) -> String {
        var parts: [String] = []
        var isCut = false
        for child in mirror.children {
            isCut = !effort.spend()
            if isCut { break }
            parts.append(describing(child, depth + 1, &effort))
        }
        if isSorted { parts.sort() }
        if isCut { parts.append("…") }
        return open + parts.joined(separator: ", ") + close
    }

    private static func labelled(_ child: Mirror.Child, _ depth: Int, _ effort: inout Effort) -> String {
        // The labels of tuple elements without a name are numbers with a point: `.0`.
        let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 + ": " } ?? ""
        return label + describe(child.value, depth, &effort)
    }

    private static func entry(_ child: Mirror.Child, _ depth: Int, _ effort: inout Effort) -> String {
        var parts: [String] = []
        for part in Mirror(reflecting: child.value).children { parts.append(describe(part.value, depth, &effort)) }
        return parts.joined(separator: ": ")
    }
}

/// A budget of parts that may still be visited while a value is described or compared.
///
/// A limit on depth alone is not enough: where parts are shared, forty levels of two parts each are a million million parts.
struct Effort {
    /// The initial budget: the parts visited in one value, or in two values that are compared.
    static var most: Int { 100_000 }

    private var left = most
    /// Set if a part was left out because the budget did not suffice.
    private(set) var isSpent = false

    /// Takes parts from the budget.
    ///
    /// - Parameter count: The number of parts to visit.
    /// - Returns: Whether the budget sufficed. Once it has not, every further call returns false.
    mutating func spend(_ count: Int = 1) -> Bool {
        if isSpent || count > left {
            isSpent = true
        } else {
            left -= count
        }
        return !isSpent
    }

    /// Takes the cost of including a text from the budget: one part for each 64 bytes of UTF-8. Returns whether the budget
    /// sufficed.
    mutating func spend(on text: String) -> Bool { spend(text.utf8.count / 64) }

    /// Visits two values, each with half of what is left, so that equal values are cut at the same place.
    mutating func share<Result>(_ first: (inout Effort) -> Result, _ second: (inout Effort) -> Result) -> (Result, Result) {
        var one = self
        one.left = left / 2
        var other = one
        let results = (first(&one), second(&other))
        left -= left / 2 * 2 - one.left - other.left
        isSpent = one.isSpent || other.isSpent
        return results
    }
}
