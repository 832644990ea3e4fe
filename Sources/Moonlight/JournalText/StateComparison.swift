/// A value that reports its own changes for the journal, as verbs: a ``Slot``, for example.
protocol ChangeReporting {
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
/// most ``mostChanges`` changes. A pair of objects that is met several times is reported once. Values that are nested too deeply
/// are compared by description; if that shows no difference, the comparison is incomplete.
struct StateComparison {
    /// The largest number of changes that are reported.
    static var mostChanges: Int { 1000 }

    /// True if changes of a ``Slot`` name the verb that led to them.
    private let namesVerbs: Bool
    /// The verb of the slot whose state is being compared.
    private var verb: String?

    /// The changes found so far.
    private var found: [StateChange] = []
    private var effort = Effort()
    /// Set if there were more than ``mostChanges`` changes.
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

    init(namesVerbs: Bool = false) { self.namesVerbs = namesVerbs }

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

    /// Reports what was done to a slot.
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
        case .dictionary: compareEntries(old, new, path, depth)
        case .set: compareSets(before, after, old, new, path)
        case .enum: compareCases(before, after, old, new, path, depth)
        case .class: compareObjects(before, after, old, new, path, depth)
        case .struct: compareParts(before, after, old, new, path, depth)
        case .tuple: compareFields(before, after, old, new, path, depth)
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

    /// Compares two values by description, if they describe themselves and the descriptions differ; otherwise field by field.
    private mutating func compareParts(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        if ValueDescription.describesItself(before), add(before, after, path) { return }
        compareFields(before, after, old, new, path, depth)
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

    /// Compares two enum values: by payload if they have the same case.
    private mutating func compareCases(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        guard !ValueDescription.describesItself(before), let a = old.children.first, let b = new.children.first,
            let name = a.label, name == b.label
        else {
            add(before, after, path)
            return
        }
        compare(a.value, b.value, at: join(path, name), depth: depth + 1)
    }

    private mutating func compareObjects(
        _ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int
    ) {
        // Marked before the comparison, so that an object that refers back to this one does not recurse.
        let pair = Pair(before, after)
        guard pair.before != pair.after, visited.insert(pair).inserted else { return }
        compareParts(before, after, old, new, path, depth)
    }

    /// Compares elements by position, after skipping the equal elements at both ends, so that an element that was inserted or
    /// removed shows as one change. If equal descriptions hide the fields of objects, those at both ends are compared, too.
    private mutating func compareLists(
        _ old: [Mirror.Child], _ new: [Mirror.Child], _ path: String, _ depth: Int
    ) {
        let (a, b) = effort.share({ Self.parts(old, &$0) }, { Self.parts(new, &$0) })
        if effort.isSpent { return }
        let hidesFields = effort.hidesFields
        let shorter = min(a.count, b.count)
        var start = 0
        while start < shorter, a[start] == b[start] { start += 1 }
        var tail = 0
        while tail < shorter - start, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
        noteCut(in: a.prefix(start))
        noteCut(in: a.suffix(tail))
        if hidesFields {
            for index in 0..<start { compare(old[index].value, new[index].value, at: "\(path)[\(index)]", depth: depth + 1) }
        }
        for index in start..<max(a.count, b.count) - tail {
            let place = "\(path)[\(index)]"
            if index < a.count - tail, index < b.count - tail {
                compare(old[index].value, new[index].value, at: place, depth: depth + 1)
            } else {
                let gone = index < a.count - tail ? a[index] : nil
                report(StateChange(path: place, before: gone, after: gone == nil ? b[index] : nil))
            }
            if isFull { return }
        }
        for back in (0..<(hidesFields ? tail : 0)).reversed() {
            let (index, place) = (old.count - 1 - back, new.count - 1 - back)
            compare(old[index].value, new[place].value, at: "\(path)[\(place)]", depth: depth + 1)
        }
    }

    private mutating func compareEntries(_ old: Mirror, _ new: Mirror, _ path: String, _ depth: Int) {
        let (before, after) = effort.share({ Self.entries(old, &$0) }, { Self.entries(new, &$0) })
        if effort.isSpent { return }
        noteCut(in: before.keys)
        if effort.hidesFields { isIncomplete = true }
        for key in Set(before.keys).union(after.keys).sorted() {
            let place = "\(path)[\(key)]"
            if let a = before[key], let b = after[key] {
                compare(a, b, at: place, depth: depth + 1)
            } else {
                let gone = before[key].map { ValueDescription.part($0, &effort) }
                report(
                    StateChange(
                        path: place, before: gone, after: after[key].map { ValueDescription.part($0, &effort) }))
            }
            if isFull { return }
        }
    }

    private mutating func compareSets(_ before: Any, _ after: Any, _ old: Mirror, _ new: Mirror, _ path: String) {
        let (a, b) = effort.share({ Self.parts(old.children, &$0) }, { Self.parts(new.children, &$0) })
        if effort.isSpent { return }
        // Members do not have places by which their fields could be compared.
        if effort.hidesFields, before as? AnyHashable != after as? AnyHashable { isIncomplete = true }
        let (gone, come) = (Set(a).subtracting(b), Set(b).subtracting(a))
        noteCut(in: Set(a).intersection(b))
        for gone in gone.sorted() { report(StateChange(path: path, before: gone, after: nil)) }
        for come in come.sorted() { report(StateChange(path: path, before: nil, after: come)) }
    }

    /// Returns the descriptions of all children, or of the first ones if the budget runs out.
    private static func parts(_ children: some Sequence<Mirror.Child>, _ effort: inout Effort) -> [String] {
        var parts: [String] = []
        for child in children {
            guard effort.spend() else { break }
            parts.append(ValueDescription.part(child.value, &effort))
        }
        return parts
    }

    private static func entries(_ mirror: Mirror, _ effort: inout Effort) -> [String: Any] {
        var entries: [String: Any] = [:]
        for child in mirror.children {
            guard effort.spend() else { break }
            let pair = Array(Mirror(reflecting: child.value).children)
            if pair.count == 2 { entries[ValueDescription.part(pair[0].value, &effort)] = pair[1].value }
        }
        return entries
    }

    /// Notes that changes may have been missed, if one of these descriptions, which are equal in both values, leaves out what was
    /// too deep to be described.
    private mutating func noteCut(in equal: some Sequence<String>) {
        if effort.isTooDeep, equal.contains(where: { $0.contains("…" as Character) }) { isIncomplete = true }
    }

    /// Reports two values as a change if their descriptions differ.
    ///
    /// - Returns: Whether the descriptions differ.
    @discardableResult
    private mutating func add(_ before: Any, _ after: Any, _ path: String) -> Bool {
        let (old, new) = effort.share({ ValueDescription.part(before, &$0) }, { ValueDescription.part(after, &$0) })
        if old != new { report(StateChange(path: path, before: old, after: new)) } else { noteCut(in: [old]) }
        return old != new
    }

    private mutating func report(_ change: StateChange) {
        let change = StateChange(path: change.path, before: change.before, after: change.after, verb: verb)
        if found.count < Self.mostChanges { found.append(change) } else { isFull = true }
    }

    private func join(_ path: String, _ label: String) -> String {
        path.isEmpty || label.isEmpty ? path + label : "\(path).\(label)"
    }
}
