/// A value that reports its own changes as verbs: a `Slot`, for example.
package protocol ChangeReporting {
    /// Returns the changes from this value to another one, in order: the verb of each, and what it applies to before and after.
    func changes(to after: Self) -> [(verb: String, before: Any?, after: Any?)]
}

extension ChangeReporting {
    /// Returns the changes to another value; nil if that is of another type.
    fileprivate func reported(to after: Any) -> [(verb: String, before: Any?, after: Any?)]? {
        (after as? Self).map { changes(to: $0) }
    }
}

/// Finds the fields in which two values differ.
///
/// However large the values are, and however often their parts are shared, it visits at most ``Effort/most`` parts and reports at
/// most ``most`` changes. A pair of objects that is met several times is reported once. Values that are nested too deeply
/// are compared by description; if that shows no difference, the comparison is incomplete.
struct StateComparison {
    /// True if changes of a `Slot` name the verb that led to them.
    private let namesVerbs: Bool
    /// The verb of the slot whose state is being compared.
    private var verb: String?

    /// The changes found so far.
    private var found: [StateChange] = []
    private var effort = Effort()
    /// Set if there were more than ``most`` changes.
    private var isFull = false

    /// Two objects that are compared with each other.
    private struct Pair: Hashable {
        let before: ObjectIdentifier
        let after: ObjectIdentifier
        init(_ before: Any, _ after: Any) {
            self.before = ObjectIdentifier(before as AnyObject)
            self.after = ObjectIdentifier(after as AnyObject)
        }
    }

    /// The pairs of objects that were compared, or are being compared.
    private var visited: Set<Pair> = []
    /// Set if changes may have been missed, because something was too deep.
    private var isIncomplete = false

    /// The largest number of changes that are reported.
    private let most: Int

    init(namesVerbs: Bool, most: Int = 1000) {
        self.namesVerbs = namesVerbs
        self.most = most
    }

    /// The changes found, with ``StateChange/cut`` at the end if the comparison is incomplete.
    var changes: [StateChange] { isFull || effort.isSpent || isIncomplete ? found + [.cut] : found }

    /// Compares two values that are at the same path.
    mutating func compare(_ before: Any, _ after: Any, at path: String, depth: Int = 0) {
        var (before, after) = (before, after)
        var (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
        while !isFull, effort.spend() {
            guard type(of: before) == type(of: after), old.displayStyle == new.displayStyle else {
                add(before, after, path)
                return
            }
            if namesVerbs, old.displayStyle == .optional, let slot = before as? any ChangeReporting,
                let changes = slot.reported(to: after)
            {
                return report(changes, path, depth)
            }
            guard old.displayStyle == .optional, let a = old.children.first, let b = new.children.first else {
                if depth >= ValueDescription.maxDepth { return compareTooDeep(before, after, old, path) }
                return compareContents(before, after, old, new, path, depth)
            }
            (before, after) = (a.value, b.value)
            (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
        }
    }

    /// Reports the changes of a slot.
    private mutating func report(
        _ changes: [(verb: String, before: Any?, after: Any?)], _ path: String, _ depth: Int
    ) {
        let outer = verb
        defer { verb = outer }
        for change in changes {
            verb = change.verb
            if change.verb == "actualized", let before = change.before, let after = change.after {
                compare(before, after, at: path, depth: depth)
                continue
            }
            let (old, new) = effort.share(
                { effort in change.before.map { ValueDescription.part($0, &effort) } ?? "absent" },
                { effort in change.after.map { ValueDescription.part($0, &effort) } ?? "absent" })
            report(StateChange(path: path, before: old, after: new))
        }
    }

    private mutating func compareContents(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        switch old.displayStyle {
        case .collection: compareLists(Array(old.children), Array(new.children), path, depth)
        case .dictionary, .set: compareEntries(old, new, path, depth)
        case .tuple: compareFields(before, after, old, new, path, depth)
        case .enum where old.children.first?.label == new.children.first?.label && !ValueDescription.describesItself(before):
            compareFields(before, after, old, new, path, depth)
        case .struct, .class:
            if old.displayStyle == .class {
                // Marked before the comparison, so that an object that refers back to this one does not recurse.
                let pair = Pair(before, after)
                guard pair.before != pair.after, visited.insert(pair).inserted else { return }
            }
            // A value that describes itself is compared field by field only if the descriptions are equal.
            if ValueDescription.describesItself(before), add(before, after, path) { return }
            compareFields(before, after, old, new, path, depth)
        default: add(before, after, path)
        }
    }

    /// Compares two values that are too deep for their parts to be visited by description. Equal descriptions do not show whether
    /// the parts of an object, or of a value that describes itself, are equal.
    private mutating func compareTooDeep(_ before: Any, _ after: Any, _ old: Mirror, _ path: String) {
        if add(before, after, path) || !Self.hasFields(old) { return }
        if old.displayStyle == .class {
            let pair = Pair(before, after)
            if pair.before == pair.after || visited.contains(pair) { return }
        }
        isIncomplete = true
    }

    private mutating func compareFields(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        // Those that an object inherits come first.
        if let above = old.superclassMirror, let newAbove = new.superclassMirror, Self.hasFields(above) {
            compareFields(before, after, above, newAbove, path, depth)
            if old.children.isEmpty { return }
        }
        if old.children.isEmpty || old.children.count != new.children.count {
            add(before, after, path)
            return
        }
        for (a, b) in zip(old.children, new.children) {
            // The labels of tuple elements begin with a point: `.0`.
            let label = a.label.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 } ?? ""
            compare(a.value, b.value, at: join(path, label), depth: depth + 1)
        }
    }

    /// Returns whether a value has fields, including those that an object inherits.
    private static func hasFields(_ mirror: Mirror) -> Bool {
        !mirror.children.isEmpty || mirror.superclassMirror.map(hasFields) ?? false
    }

    /// Compares elements by position. If their number differs, skips the equal ones at both ends, so that an element that was inserted
    /// or removed shows as one change.
    private mutating func compareLists(
        _ old: [Mirror.Child], _ new: [Mirror.Child], _ path: String, _ depth: Int
    ) {
        let shorter = min(old.count, new.count)
        var start = 0
        var tail = 0
        if old.count != new.count {
            while start < shorter, areSame(old[start], new[start], depth + 1) { start += 1 }
            while tail < shorter - start, areSame(old[old.count - 1 - tail], new[new.count - 1 - tail], depth + 1) { tail += 1 }
        }
        for index in start..<max(old.count, new.count) - tail {
            if isFull || effort.isSpent { return }
            let place = "\(path)[\(index)]"
            if index < old.count - tail, index < new.count - tail {
                compare(old[index].value, new[index].value, at: place, depth: depth + 1)
            } else {
                let gone = index < old.count - tail ? text(old[index].value) : nil
                report(StateChange(path: place, before: gone, after: gone == nil ? text(new[index].value) : nil))
            }
        }
    }

    /// Returns whether no change is found between two elements.
    private mutating func areSame(_ before: Mirror.Child, _ after: Mirror.Child, _ depth: Int) -> Bool {
        var probe = StateComparison(namesVerbs: namesVerbs, most: 0)
        probe.effort = effort
        probe.compare(before.value, after.value, at: "", depth: depth)
        effort = probe.effort
        isIncomplete = isIncomplete || probe.isIncomplete
        return !probe.isFull
    }

    /// Compares the entries of dictionaries, or the members of sets.
    private mutating func compareEntries(_ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int) {
        let before = entries(old)
        let after = entries(new)
        if effort.isSpent { return }
        let isSet = old.displayStyle == .set
        let keys = before.merging(after) { $1 }.keys.map { (key: $0, name: text($0.base)) }.sorted { $0.name < $1.name }
        for (key, name) in keys {
            if isFull { return }
            let place = isSet ? path : "\(path)[\(name)]"
            if let a = before[key], let b = after[key] {
                if !isSet { compare(a, b, at: place, depth: depth + 1) }
            } else {
                report(StateChange(path: place, before: before[key].map { text($0) }, after: after[key].map { text($0) }))
            }
        }
    }

    /// Returns the values of a dictionary by key, or the members of a set by themselves; the first ones if the budget runs out.
    private mutating func entries(_ mirror: Mirror) -> [AnyHashable: Any] {
        var entries: [AnyHashable: Any] = [:]
        for child in mirror.children {
            guard effort.spend() else { break }
            let pair = mirror.displayStyle == .set ? [child, child] : Array(Mirror(reflecting: child.value).children)
            if pair.count == 2, let key = pair[0].value as? AnyHashable { entries[key] = pair[1].value }
        }
        return entries
    }

    private mutating func text(_ value: Any) -> String { ValueDescription.part(value, &effort) }

    /// Reports two values as a change if their types or descriptions differ.
    ///
    /// - Returns: Whether they do.
    @discardableResult
    private mutating func add(_ before: Any, _ after: Any, _ path: String) -> Bool {
        let (old, new) = effort.share({ ValueDescription.part(before, &$0) }, { ValueDescription.part(after, &$0) })
        if old == new, type(of: before) == type(of: after) { return false }
        report(StateChange(path: path, before: old, after: new))
        return true
    }

    private mutating func report(_ change: StateChange) {
        let change = StateChange(path: change.path, before: change.before, after: change.after, verb: verb)
        if found.count < most { found.append(change) } else { isFull = true }
    }

    private func join(_ path: String, _ label: String) -> String {
        path.isEmpty || label.isEmpty ? path + label : "\(path).\(label)"
    }
}
