/// A field of a state that changed.
public struct StateChange: Sendable, Hashable, CustomStringConvertible {
    /// The way to the field, as `user.name` or `lines[2]`; empty for a state that has no fields; "…" if this ``isCut``.
    public let path: String
    /// What was there, described; nil if it was not there.
    public let before: String?
    /// What is there now, described; nil if it is gone.
    public let after: String?
    /// Whether this is no change, but the last of many that were too many to tell, or were found in values too large to be looked
    /// at as a whole: it says that there may be more.
    public var isCut: Bool { before == nil && after == nil }

    static let cut = StateChange(path: "…", before: nil, after: nil)

    /// The path and both values.
    public var description: String {
        if isCut { return "\(path) and more that was not looked at" }
        let values = "\(before ?? "nothing") -> \(after ?? "nothing")"
        return path.isEmpty ? values : "\(path) \(values)"
    }

    /// The fields in which two values differ, found by reflection and in the order of declaration.
    ///
    /// Structs, tuples, arrays, dictionaries, and what the same case of an enum carries, are compared part by part; sets by what
    /// has come and gone; all else, and what describes itself (`CustomStringConvertible`), by description. Values that
    /// describe themselves alike, as two NaNs do, count as equal. An object that is met again where the same other one stands is not
    /// compared again.
    ///
    /// - Complexity: Linear in the size of the values, within limits: it looks 64 levels deep and at 100,000 parts in all, and tells
    ///   a thousand changes. If that is not enough, a last one says so, which ``isCut``.
    public static func between<Value>(_ before: Value, _ after: Value) -> [StateChange] {
        var comparison = StateComparison()
        comparison.compare(before, after, at: "")
        return comparison.changes
    }
}

extension JournalRecord {
    /// The fields of the state that an effect changed; none for any other record. Found anew at each call.
    public var changes: [StateChange] {
        guard case .effect(_, let before, let after) = step else { return [] }
        return StateChange.between(before, after)
    }

    /// What happened on a line, and each change of the state on a line beneath it.
    public var diff: String {
        guard case .effect(let effect, _, _) = step else { return description }
        let head = "\(number)\(cause.map { " <- \($0)" } ?? "")  effect \(ValueDescription.of(effect))"
        return ([head] + changes.map { "    \($0)" }).map(ValueDescription.onOneLine).joined(separator: "\n")
    }
}
