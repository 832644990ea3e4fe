/// A state and its tree, which is updated with each change.
struct TrackedState<State: Equatable> {
    private(set) var value: State
    private(set) var tree: StateTree
    /// The numbers of parts in the tree and of bytes of its texts, and whether some were omitted because there are too many.
    private var (count, text, isCut): (Int, Int, Bool)
    /// The maximal number of parts of a new tree, which may grow by an eighth.
    private let most: Int
    /// The maximal size of the texts of a new tree in bytes, which may grow by an eighth.
    private let mostText: Int

    init(_ value: State, most: Int = TreeMaker.mostParts, mostText: Int = RecordingFormat.mostText) {
        var maker = TreeMaker(most: most, mostText: mostText)
        self.value = value
        self.most = most
        self.mostText = mostText
        tree = maker.tree(of: value)
        (count, text, isCut) = (tree.count, tree.textSize, maker.isCut)
    }

    /// Changes the state.
    ///
    /// - Returns: The changes of the tree, in the order in which to apply them.
    mutating func change(to new: State) -> [TreeChange] {
        let difference = TreeDifference(in: tree, from: value, to: new, most: most, mostText: mostText)
        let changes = difference.changes
        value = new
        if difference.isCut { isCut = true }
        for change in changes {
            let (old, name) = (tree[change.path], change.path.last?.utf8.count ?? 0)
            count += (change.value?.count ?? 0) - (old?.count ?? 0)
            text += (change.value.map { $0.textSize + name } ?? 0) - (old.map { $0.textSize + name } ?? 0)
            tree.apply(change)
        }
        guard count > most + most / 8 || text > mostText + mostText / 8 else { return changes }
        self = TrackedState(new, most: most, mostText: mostText)
        return [TreeChange([], tree)]
    }

    /// Rebuilds a tree from which parts were omitted. Called occasionally.
    mutating func refresh() {
        if isCut { self = TrackedState(value, most: most, mostText: mostText) }
    }
}

/// The changes of a tree between an old and a new value. Equal parts are not visited: the cost is that of the changes, and of
/// a comparison of the rest by `==`.
struct TreeDifference {
    private(set) var changes: [TreeChange] = []
    /// True if parts were omitted because there are too many.
    private(set) var isCut = false
    private var path: [String] = []
    private let most: Int
    private let mostText: Int

    /// Finds the changes of the old value's tree that lead to that of the new one.
    ///
    /// Parts that were omitted from a tree that was too large remain omitted.
    ///
    /// - Parameters:
    ///   - tree: The tree of the old value.
    ///   - old: The old value.
    ///   - new: The new value.
    ///   - most: The maximal number of parts of a new part.
    ///   - mostText: The maximal size of the texts of a new part in bytes.
    init(in tree: StateTree, from old: Any, to new: Any, most: Int, mostText: Int) {
        self.most = most
        self.mostText = mostText
        compareParts(tree, old, new)
    }

    /// Returns the tree of a part below the path.
    private mutating func tree(of value: Any, _ levels: Int = 0) -> StateTree {
        var maker = TreeMaker(most: most, mostText: mostText)
        let tree = maker.tree(of: value, path.count + levels)
        if maker.isCut { isCut = true }
        return tree
    }

    private mutating func descend(_ name: String, _ tree: StateTree, _ old: Any, _ new: Any) {
        if tree == .cut || AnyEquality.isEqual(old, new) { return }
        path.append(name)
        compareParts(tree, old, new)
        path.removeLast()
    }

    /// Compares two values that are not equal.
    private mutating func compareParts(_ tree: StateTree, _ old: Any, _ new: Any) {
        let begun = changes.count
        if path.count < TreeMaker.deepest - 1, compareInside(tree, old, new) { return }
        changes.removeSubrange(begun...)
        let whole = self.tree(of: new)
        if whole != tree { changes.append(.init(path, whole)) }
    }

    /// Compares the parts of two values. Returns false if they have to be compared as wholes.
    private mutating func compareInside(_ tree: StateTree, _ old: Any, _ new: Any) -> Bool {
        let (before, now) = (Mirror(reflecting: old), Mirror(reflecting: new))
        guard case .node(let shape, let head, let parts) = tree, before.displayStyle == now.displayStyle,
            before.subjectType == now.subjectType
        else { return false }
        switch (now.displayStyle, shape) {
        case (.optional, _):
            guard let (_, old) = before.children.first, let (_, new) = now.children.first else { return false }
            return compareInside(tree, old, new)
        case (.struct, .structure), (.tuple, .tuple): return compareFields(parts, before, now)
        case (.enum, .enumeration):
            guard let (label, old) = before.children.first, let (newLabel, new) = now.children.first, label == newLabel,
                label ?? "" == head
            else { return false }
            let (before, now) = (Mirror(reflecting: old), Mirror(reflecting: new))
            if now.displayStyle == .tuple { return compareFields(parts, before, now) }
            guard parts.count == 1 else { return false }
            descend(parts[0].name, parts[0].value, old, new)
            return true
        case (.collection, .list): return compareElements(parts, before, now, old, new)
        case (.dictionary, .dictionary), (.set, .set):
            guard let change = (new as? any KeyedParts)?.change(from: old) else { return false }
            return compareKeyed(parts, change, shape)
        default: return false
        }
    }

    private mutating func compareFields(_ parts: [StateTree.Part], _ before: Mirror, _ now: Mirror) -> Bool {
        guard parts.count == before.children.count, parts.count == now.children.count else { return false }
        for (part, (old, new)) in zip(parts, zip(before.children, now.children)) {
            descend(part.name, part.value, old.value, new.value)
        }
        return true
    }

    /// Returns the maximal number of changed parts; with more, the whole is shorter.
    private static func manyChanges(of count: Int) -> Int { max(4, count / 2) }

    private mutating func compareElements(
        _ parts: [StateTree.Part], _ before: Mirror, _ now: Mirror, _ old: Any, _ new: Any
    ) -> Bool {
        let isCut = parts.last?.value == .cut
        let shown = isCut ? parts.count - 1 : parts.count
        let (oldCount, count) = (before.children.count, now.children.count)
        guard isCut || shown == oldCount else { return false }
        let both = min(shown, oldCount, count)
        let most = Self.manyChanges(of: count) - abs(count - shown)
        if let places = (new as? any ListParts)?.places(from: old, upTo: both) {
            if places.count > most, !isCut { return false }
            for (place, old, new) in places { descend(parts[place].name, parts[place].value, old, new) }
        } else {
            if most < 0 { return false }
            for (part, (old, new)) in zip(parts[..<both], zip(before.children, now.children)) {
                descend(part.name, part.value, old.value, new.value)
            }
        }
        // From the end, so that the indices of the other elements stay the same.
        if count < shown { for part in parts[count...].reversed() { changes.append(.init(path + [part.name], nil)) } }
        if count > shown, !isCut {
            for (place, element) in zip(shown..., now.children.dropFirst(shown)) {
                changes.append(.init(path + ["\(place)"], tree(of: element.value, 1)))
            }
        }
        return true
    }

    private mutating func compareKeyed(_ parts: [StateTree.Part], _ change: PartsChange, _ shape: StateTree.Shape) -> Bool {
        let isCut = parts.count != change.oldCount
        let node = StateTree.node(shape, "", parts)
        if change.count > Self.manyChanges(of: change.newCount), !isCut { return false }
        // By name, so that the order is the same in each process.
        for name in change.removed.map({ Self.name(of: $0, path.count) }).sorted() {
            guard let part = node.uniquePart(name) else {
                if isCut { continue }
                return false
            }
            changes.append(.init(path + [part.name], nil))
        }
        for (name, pair) in change.changed.map({ (Self.name(of: $0.key, path.count), $0) }).sorted(by: { $0.0 < $1.0 }) {
            guard let part = node.uniquePart(name) else {
                if isCut { continue }
                return false
            }
            descend(name, part.value, pair.old, pair.new)
        }
        if isCut { return true }
        for (name, pair) in change.added.map({ (Self.name(of: $0.key, path.count), $0) }).sorted(by: { $0.0 < $1.0 }) {
            guard node.part(name) == nil else { return false }
            changes.append(.init(path + [name], tree(of: pair.value, 1)))
        }
        return true
    }

    private static func name(of key: Any, _ depth: Int) -> String { TreeMaker.tree(of: key, depth: depth + 1).source }
}

extension StateTree {
    /// Returns the part with a name, if no other part has had the same name before numbers were appended.
    fileprivate func uniquePart(_ name: String) -> Part? {
        guard let value = part(name), part("\(name) #2") == nil else { return nil }
        return Part(name, value)
    }
}
