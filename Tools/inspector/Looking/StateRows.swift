import MoonlightRecording

/// A state as rows: a part of it each, with those below it if it is open.
package struct StateRows: Equatable, Sendable {
    /// How a part differs from what it was.
    package enum Mark: Sendable {
        case same
        /// Something in it has changed.
        case inside
        case changed
        case added
    }

    /// A part of the state.
    package struct Row: Equatable, Sendable {
        package let path: [String]
        package let tree: StateTree
        package let mark: Mark
        package let isOpen: Bool

        package var depth: Int { max(0, path.count - 1) }
        /// Its name; empty for a state without parts.
        package var name: String { path.last ?? "" }
    }

    package private(set) var rows: [Row] = []

    /// Makes rows of no state.
    package init() {}

    /// Makes rows of a state.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - changes: What is marked.
    ///   - folding: What the user has opened or closed. Of the rest, what has changed is open, and what is too long for a row, unless it
    ///     is deep or has many parts.
    /// - Complexity: Linear in the rows.
    package init(_ state: StateTree, changes: [Look.Change], folding: [[String]: Bool]) {
        var marks: [[String]: Mark] = [:]
        for change in changes {
            for length in 0..<change.path.count { marks[Array(change.path[..<length])] = .inside }
        }
        for change in changes where change.after != nil { marks[change.path] = change.before == nil ? .added : .changed }
        let top = marks[[]] ?? .same
        if state.parts.isEmpty {
            rows = [Row(path: [], tree: state, mark: top, isOpen: false)]
        } else {
            var path: [String] = []
            add(state.parts, &path, marks, folding, inherited: top == .inside ? .same : top)
        }
    }

    private mutating func add(
        _ parts: [StateTree.Part], _ path: inout [String], _ marks: [[String]: Mark], _ folding: [[String]: Bool], inherited: Mark
    ) {
        for part in parts {
            path.append(part.name)
            defer { path.removeLast() }
            let mark = inherited == .same ? marks[path] ?? .same : inherited
            let isOpen = !part.value.parts.isEmpty && (folding[path] ?? Self.isOpen(part.value, mark, depth: path.count))
            rows.append(Row(path: path, tree: part.value, mark: mark, isOpen: isOpen))
            if isOpen { add(part.value.parts, &path, marks, folding, inherited: mark == .inside ? .same : mark) }
        }
    }

    private static func isOpen(_ tree: StateTree, _ mark: Mark, depth: Int) -> Bool {
        mark == .inside || depth <= 2 && tree.parts.count <= 40 && !tree.fits(in: 40)
    }

    /// The index of a part; if it has no row, that of the nearest part that contains it and has one.
    package func index(of path: [String]) -> Int {
        var (best, length) = (0, -1)
        for (index, row) in rows.enumerated() where row.path.count > length && path.starts(with: row.path) {
            (best, length) = (index, row.path.count)
            if length == path.count { break }
        }
        return best
    }
}
