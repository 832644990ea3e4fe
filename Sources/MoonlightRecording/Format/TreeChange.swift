/// A part of a tree that has changed.
package struct TreeChange: Equatable, Sendable {
    /// The names of the parts on the path, outermost first; empty for the whole.
    package let path: [String]
    /// The new value; nil if the part was removed.
    package let value: StateTree?

    package init(_ path: [String], _ value: StateTree?) {
        self.path = path
        self.value = value
    }

    /// Returns the path in Swift: `user.name`, `lines[2]`, `prices["tea"]`.
    package func title(in tree: StateTree) -> String { Self.title(of: path, in: tree) }

    package static func title(of path: [String], in tree: StateTree) -> String {
        var (title, place): (String, StateTree?) = ("", tree)
        for name in path {
            switch place {
            case .node(.list, _, _), .node(.set, _, _), .node(.dictionary, _, _): title += "[\(name)]"
            default: title += title.isEmpty ? name : ".\(name)"
            }
            place = place?.part(name)
        }
        return title
    }
}

extension StateTree {
    /// Returns the changes that turn this tree into another one.
    ///
    /// - Complexity: Linear in the size of the trees.
    package func changes(to other: StateTree) -> [TreeChange] {
        var changes: [TreeChange] = []
        var path: [String] = []
        compare(other, &path, &changes)
        return changes
    }

    private func compare(_ other: StateTree, _ path: inout [String], _ changes: inout [TreeChange]) {
        if self == other { return }
        guard case .node(let shape, let head, let parts) = self, case .node(let otherShape, let otherHead, let others) = other,
            shape == otherShape, head == otherHead
        else { return changes.append(.init(path, other)) }
        if shape == .set || shape == .dictionary { return compareNamed(parts, other, &path, &changes) }
        guard zip(parts, others).allSatisfy({ $0.name == $1.name }) else { return changes.append(.init(path, other)) }
        if shape == .list {
            // If most of it has changed, the whole is shorter.
            let differing = zip(parts, others).count { $0 != $1 } + abs(parts.count - others.count)
            if differing > max(4, others.count / 2) { return changes.append(.init(path, other)) }
        }
        for (old, new) in zip(parts, others) { old.value.descend(old.name, new.value, &path, &changes) }
        // From the end, so that the indices of the other elements stay the same.
        for gone in parts.dropFirst(others.count).reversed() { changes.append(.init(path + [gone.name], nil)) }
        for new in others.dropFirst(parts.count) { changes.append(.init(path + [new.name], new.value)) }
    }

    private func compareNamed(_ parts: [Part], _ other: StateTree, _ path: inout [String], _ changes: inout [TreeChange]) {
        let others = other.parts
        let old = Dictionary(parts.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let new = Set(others.map(\.name))
        let gone = parts.filter { !new.contains($0.name) }
        let differing = others.filter { old[$0.name] != $0.value }
        if gone.count + differing.count > max(4, others.count / 2) {
            return changes.append(.init(path, other))
        }
        for part in gone { changes.append(.init(path + [part.name], nil)) }
        for part in differing {
            if let before = old[part.name] {
                before.descend(part.name, part.value, &path, &changes)
            } else {
                changes.append(.init(path + [part.name], part.value))
            }
        }
    }

    private func descend(_ name: String, _ other: StateTree, _ path: inout [String], _ changes: inout [TreeChange]) {
        path.append(name)
        compare(other, &path, &changes)
        path.removeLast()
    }

    /// Applies a change. An invalid path changes nothing.
    package mutating func apply(_ change: TreeChange) { apply(change.path[...], change.value) }

    private mutating func apply(_ path: ArraySlice<String>, _ value: StateTree?) {
        guard let name = path.first else {
            self = value ?? .leaf("nil")
            return
        }
        guard case .node(let shape, let head, var parts) = self else { return }
        // The tree releases its parts, so that they are changed in place.
        self = .leaf("")
        defer { self = .node(shape, head, parts) }
        let index = Self.index(of: name, in: parts, shape)
        if path.count > 1 {
            if let index { parts[index].value.apply(path.dropFirst(), value) }
        } else if let value {
            if let index {
                parts[index].value = value
            } else if shape == .set || shape == .dictionary {
                parts.insert(.init(name, value), at: Self.place(of: name, in: parts))
            } else {
                parts.append(.init(name, value))
            }
        } else if let index {
            parts.remove(at: index)
        }
    }
}
