/// A part of a tree that has changed.
package struct TreeChange: Equatable, Sendable {
    /// The names of the parts that lead to it, outermost first; empty for the whole.
    package let path: [String]
    /// What is there now; nil if it is gone.
    package let value: StateTree?

    package init(_ path: [String], _ value: StateTree?) { (self.path, self.value) = (path, value) }

    /// The path as one writes it in Swift: `user.name`, `lines[2]`, `prices["tea"]`.
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
    /// Returns what has to change to make another tree out of this one.
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
        let begun = changes.count
        if zip(parts, others).allSatisfy({ $0.name == $1.name }) {
            for (old, new) in zip(parts, others) { old.value.descend(old.name, new.value, &path, &changes) }
            // From the end, so that the places of the others in a list stay what they are.
            for gone in parts.dropFirst(others.count).reversed() { changes.append(.init(path + [gone.name], nil)) }
            for new in others.dropFirst(parts.count) { changes.append(.init(path + [new.name], new.value)) }
        } else if shape == .set || shape == .dictionary {
            compareNamed(parts, others, &path, &changes)
        } else {
            changes.append(.init(path, other))
            return
        }
        // Where most of it has changed, the whole is less to say; what stands at its end keeps its order that way, too.
        if changes.count - begun > max(4, others.count / 2) { changes.replaceSubrange(begun..., with: [.init(path, other)]) }
    }

    private func compareNamed(_ parts: [Part], _ others: [Part], _ path: inout [String], _ changes: inout [TreeChange]) {
        let old = Dictionary(parts.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let new = Set(others.map(\.name))
        for part in parts where !new.contains(part.name) { changes.append(.init(path + [part.name], nil)) }
        for part in others {
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

    /// Makes a change. A path that leads nowhere changes nothing.
    package mutating func apply(_ change: TreeChange) { apply(change.path[...], change.value) }

    private mutating func apply(_ path: ArraySlice<String>, _ value: StateTree?) {
        guard let name = path.first else {
            self = value ?? .leaf("nil")
            return
        }
        guard case .node(let shape, let head, var parts) = self else { return }
        // The tree lets go of its parts, so that they are changed in place.
        self = .leaf("")
        defer { self = .node(shape, head, parts) }
        let index = Self.index(of: name, in: parts, shape)
        if path.count > 1 {
            if let index { parts[index].value.apply(path.dropFirst(), value) }
        } else if let value {
            if let index {
                parts[index].value = value
            } else if shape == .set || shape == .dictionary {
                parts.insert(.init(name, value), at: parts.firstIndex { $0.name > name } ?? parts.count)
            } else {
                parts.append(.init(name, value))
            }
        } else if let index {
            parts.remove(at: index)
        }
    }

    private static func index(of name: String, in parts: [Part], _ shape: Shape) -> Int? {
        if shape == .list, let index = Int(name) { return parts.indices.contains(index) ? index : nil }
        return parts.firstIndex { $0.name == name }
    }
}
