/// A field of a state that changed.
public struct StateChange: Sendable, Hashable, CustomStringConvertible {
    /// The way to the field, as `user.name` or `lines[2]`; empty for a state that has no fields.
    public let path: String
    /// What was there, described; nil if it was not there.
    public let before: String?
    /// What is there now, described; nil if it is gone.
    public let after: String?

    /// The path and both values.
    public var description: String {
        let values = "\(before ?? "nothing") -> \(after ?? "nothing")"
        return path.isEmpty ? values : "\(path) \(values)"
    }

    /// The fields in which two values differ, found by reflection and in the order of declaration.
    ///
    /// Structs, tuples, arrays and dictionaries are compared part by part, all else by description. Linear in the size of
    /// the values.
    public static func between<Value>(_ before: Value, _ after: Value) -> [StateChange] {
        var changes: [StateChange] = []
        compare(before, after, at: "", into: &changes)
        return changes
    }

    private static func compare(_ before: Any, _ after: Any, at path: String, into changes: inout [StateChange]) {
        let old = Mirror(reflecting: before)
        let new = Mirror(reflecting: after)
        guard old.displayStyle == new.displayStyle, type(of: before) == type(of: after) else {
            return add(before, after, path, &changes)
        }
        switch old.displayStyle {
        case .struct, .tuple, .class:
            if old.children.isEmpty { return add(before, after, path, &changes) }
            for (a, b) in zip(old.children, new.children) {
                compare(a.value, b.value, at: join(path, a.label ?? ""), into: &changes)
            }
        case .collection:
            compareLists(Array(old.children), Array(new.children), path, &changes)
        case .dictionary:
            compareEntries(old, new, path, &changes)
        case .optional:
            if let a = old.children.first, let b = new.children.first {
                compare(a.value, b.value, at: path, into: &changes)
            } else {
                add(before, after, path, &changes)
            }
        default:
            add(before, after, path, &changes)
        }
    }

    /// Elements by position, but that what is alike at both ends is left out first: an element that was inserted or
    /// removed shows as one change.
    private static func compareLists(
        _ old: [Mirror.Child], _ new: [Mirror.Child], _ path: String, _ changes: inout [StateChange]
    ) {
        func isSame(_ a: Mirror.Child, _ b: Mirror.Child) -> Bool { describe(a.value) == describe(b.value) }
        var start = 0
        while start < min(old.count, new.count), isSame(old[start], new[start]) { start += 1 }
        var tail = 0
        while tail < min(old.count, new.count) - start, isSame(old[old.count - 1 - tail], new[new.count - 1 - tail]) {
            tail += 1
        }
        for index in start..<max(old.count, new.count, start + tail) - tail {
            let a = index < old.count - tail ? old[index].value : nil
            let b = index < new.count - tail ? new[index].value : nil
            let place = "\(path)[\(index)]"
            if let a, let b {
                compare(a, b, at: place, into: &changes)
            } else {
                changes.append(StateChange(path: place, before: a.map(describe), after: b.map(describe)))
            }
        }
    }

    private static func compareEntries(_ old: Mirror, _ new: Mirror, _ path: String, _ changes: inout [StateChange]) {
        let before = entries(old)
        let after = entries(new)
        for key in Set(before.keys).union(after.keys).sorted() {
            let place = "\(path)[\(key)]"
            if let a = before[key], let b = after[key] {
                compare(a, b, at: place, into: &changes)
            } else {
                changes.append(
                    StateChange(path: place, before: before[key].map(describe), after: after[key].map(describe)))
            }
        }
    }

    private static func entries(_ mirror: Mirror) -> [String: Any] {
        var entries: [String: Any] = [:]
        for child in mirror.children {
            let pair = Array(Mirror(reflecting: child.value).children)
            if pair.count == 2 { entries[describe(pair[0].value)] = pair[1].value }
        }
        return entries
    }

    private static func add(_ before: Any, _ after: Any, _ path: String, _ changes: inout [StateChange]) {
        let change = StateChange(path: path, before: describe(before), after: describe(after))
        if change.before != change.after { changes.append(change) }
    }

    private static func join(_ path: String, _ label: String) -> String { path.isEmpty ? label : "\(path).\(label)" }

    static func describe(_ value: Any) -> String {
        if let text = value as? String { return String(reflecting: text) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { describe($0.value) } ?? "nil" }
        return String(describing: value)
    }
}

extension JournalRecord {
    /// The fields of the state that an effect changed; none for any other record. Found anew at each call.
    public var changes: [StateChange] {
        guard case .effect(_, let before, let after) = step else { return [] }
        return StateChange.between(before, after)
    }

    /// The changes, a line each, beneath the record's own line.
    public var diff: String { ([description] + changes.map { "    \($0)" }).joined(separator: "\n") }
}
