/// The differences between the members of a collection and those of an older one.
struct PartsChange {
    let oldCount: Int
    let newCount: Int
    var removed: [Any] = []
    var changed: [(key: Any, old: Any, new: Any)] = []
    var added: [(key: Any, value: Any)] = []

    var count: Int { removed.count + changed.count + added.count }
}

/// Compares values whose type is not known statically.
enum AnyEquality {
    /// Returns whether two values are equal by their type's `==`; false if it has none.
    static func isEqual(_ one: Any, _ other: Any) -> Bool {
        // Looking up a conformance takes longer than comparing the common types.
        let type = type(of: one)
        if type == Int.self { return (other as? Int) == (one as? Int) }
        if type == String.self { return (other as? String) == (one as? String) }
        func compare<Value: Equatable>(_ one: Value) -> Bool { (other as? Value) == one }
        guard let one = one as? any Equatable else { return false }
        return compare(one)
    }
}

// The elements are compared with their static type, which is looked up once, and not for each of them.

/// A collection whose elements have an index.
protocol ListParts {
    /// Returns the indices among the first ones at which the elements differ; nil if the other collection has another type,
    /// or if the elements cannot be compared.
    func places(from old: Any, upTo count: Int) -> [(place: Int, old: Any, new: Any)]?
}

extension Array: ListParts {
    func places(from old: Any, upTo count: Int) -> [(place: Int, old: Any, new: Any)]? {
        func find<Value: Equatable>(_: Value.Type) -> [(place: Int, old: Any, new: Any)]? {
            guard let old = old as? [Value], let new = (self as Any) as? [Value] else { return nil }
            var places: [(Int, Any, Any)] = []
            for place in 0..<count where old[place] != new[place] { places.append((place, old[place], new[place])) }
            return places
        }
        guard let type = Element.self as? any Equatable.Type else { return nil }
        return find(type)
    }
}

/// A collection whose members have keys, or are keys themselves.
protocol KeyedParts {
    /// Returns the differences; nil if the other collection has another type, or if the members cannot be compared.
    func change(from old: Any) -> PartsChange?
}

extension Dictionary: KeyedParts {
    func change(from old: Any) -> PartsChange? {
        func find<Member: Equatable>(_: Member.Type) -> PartsChange? {
            guard let old = old as? [Key: Member], let new = (self as Any) as? [Key: Member] else { return nil }
            var change = PartsChange(oldCount: old.count, newCount: new.count)
            var kept = 0
            for (key, value) in new {
                guard let before = old[key] else {
                    change.added.append((key, value))
                    continue
                }
                kept += 1
                if before != value { change.changed.append((key, before, value)) }
            }
            if kept < old.count { for key in old.keys where new[key] == nil { change.removed.append(key) } }
            return change
        }
        guard let type = Value.self as? any Equatable.Type else { return nil }
        return find(type)
    }
}

extension Set: KeyedParts {
    func change(from old: Any) -> PartsChange? {
        guard let old = old as? Set<Element> else { return nil }
        var change = PartsChange(oldCount: old.count, newCount: count)
        for element in self where !old.contains(element) { change.added.append((element, element)) }
        if old.count + change.added.count > count {
            for element in old where !contains(element) { change.removed.append(element) }
        }
        return change
    }
}
