/// Finds the fields in which two values differ.
struct StateComparison {
    private(set) var changes: [StateChange] = []
    /// The objects that are being looked into: one that refers to itself is looked into once.
    private var objects: Set<ObjectIdentifier> = []

    /// Compares two values at the same place.
    mutating func compare(_ before: Any, _ after: Any, at path: String, depth: Int = 0) {
        let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
        guard depth < ValueDescription.maxDepth, type(of: before) == type(of: after),
            old.displayStyle == new.displayStyle
        else { return add(before, after, path) }
        switch old.displayStyle {
        case .collection: compareLists(Array(old.children), Array(new.children), path, depth)
        case .dictionary: compareEntries(old, new, path, depth)
        case .set: compareSets(old, new, path)
        case .optional:
            if let a = old.children.first, let b = new.children.first {
                return compare(a.value, b.value, at: path, depth: depth)
            }
            add(before, after, path)
        case .enum: compareCases(before, after, old, new, path, depth)
        case .class: compareObjects(before, after, old, new, path, depth)
        case .struct where ValueDescription.describesItself(before) && isNew(before, after): add(before, after, path)
        case .struct, .tuple: compareFields(before, after, old, new, path, depth)
        default: add(before, after, path)
        }
    }

    private mutating func compareFields(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        if old.children.isEmpty || old.children.count != new.children.count { return add(before, after, path) }
        for (a, b) in zip(old.children, new.children) {
            // Elements of a tuple have labels as `.0`.
            let label = a.label.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 } ?? ""
            compare(a.value, b.value, at: join(path, label), depth: depth + 1)
        }
    }

    /// The same case is compared by what it carries.
    private mutating func compareCases(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        guard !ValueDescription.describesItself(before), let a = old.children.first, let b = new.children.first,
            let name = a.label, name == b.label
        else { return add(before, after, path) }
        compare(a.value, b.value, at: join(path, name), depth: depth + 1)
    }

    private mutating func compareObjects(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        let (a, b) = (ObjectIdentifier(before as AnyObject), ObjectIdentifier(after as AnyObject))
        guard a != b, objects.insert(a).inserted else { return }
        defer { objects.remove(a) }
        if ValueDescription.describesItself(before), isNew(before, after) { return add(before, after, path) }
        compareFields(before, after, old, new, path, depth)
    }

    /// Elements by position, but that what is alike at both ends is left out first: an element that was inserted or
    /// removed shows as one change.
    private mutating func compareLists(
        _ old: [Mirror.Child], _ new: [Mirror.Child], _ path: String, _ depth: Int
    ) {
        let (a, b) = (old.map { ValueDescription.part($0.value) }, new.map { ValueDescription.part($0.value) })
        let shorter = min(a.count, b.count)
        var start = 0
        while start < shorter, a[start] == b[start] { start += 1 }
        var tail = 0
        while tail < shorter - start, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
        for index in start..<max(a.count, b.count) - tail {
            let place = "\(path)[\(index)]"
            if index < a.count - tail, index < b.count - tail {
                compare(old[index].value, new[index].value, at: place, depth: depth + 1)
            } else {
                let gone = index < a.count - tail ? a[index] : nil
                changes.append(StateChange(path: place, before: gone, after: gone == nil ? b[index] : nil))
            }
        }
    }

    private mutating func compareEntries(_ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int) {
        let (before, after) = (entries(old), entries(new))
        for key in Set(before.keys).union(after.keys).sorted() {
            let place = "\(path)[\(key)]"
            if let a = before[key], let b = after[key] {
                compare(a, b, at: place, depth: depth + 1)
            } else {
                changes.append(
                    StateChange(
                        path: place, before: before[key].map(ValueDescription.part),
                        after: after[key].map(ValueDescription.part)))
            }
        }
    }

    private func entries(_ mirror: Mirror) -> [String: Any] {
        var entries: [String: Any] = [:]
        for child in mirror.children {
            let pair = Array(Mirror(reflecting: child.value).children)
            if pair.count == 2 { entries[ValueDescription.part(pair[0].value)] = pair[1].value }
        }
        return entries
    }

    private mutating func compareSets(_ old: Mirror, _ new: Mirror, _ path: String) {
        let before = Set(old.children.map { ValueDescription.part($0.value) })
        let after = Set(new.children.map { ValueDescription.part($0.value) })
        for gone in before.subtracting(after).sorted() {
            changes.append(StateChange(path: path, before: gone, after: nil))
        }
        for come in after.subtracting(before).sorted() {
            changes.append(StateChange(path: path, before: nil, after: come))
        }
    }

    private func isNew(_ before: Any, _ after: Any) -> Bool {
        ValueDescription.part(before) != ValueDescription.part(after)
    }

    private mutating func add(_ before: Any, _ after: Any, _ path: String) {
        let change = StateChange(
            path: path, before: ValueDescription.part(before), after: ValueDescription.part(after))
        if change.before != change.after { changes.append(change) }
    }

    private func join(_ path: String, _ label: String) -> String {
        path.isEmpty || label.isEmpty ? path + label : "\(path).\(label)"
    }
}
