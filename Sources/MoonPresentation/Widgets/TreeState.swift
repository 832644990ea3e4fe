/// An item of a tree, with those below it.
public struct TreeNode<ID: Hashable & Sendable>: Sendable, Hashable, Identifiable {
    /// The id of the item in the whole tree.
    public var id: ID
    /// Its text.
    public var text: StyledText
    /// The items below it.
    public var children: [TreeNode]

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - id: What identifies it among all of the tree.
    ///   - text: Its text.
    ///   - children: The items below it.
    public init(_ id: ID, _ text: StyledText, children: [TreeNode] = []) {
        self.id = id
        self.text = text
        self.children = children
    }
}

/// A command for a tree, which ``TreeState/apply(_:to:)`` folds into the state.
public enum TreeMove: Hashable, Sendable {
    /// Moves the selection through the items that can be seen.
    case select(ListMove)
    /// Shows the items below the selected one; if they are shown, selects the first of them.
    case expand
    /// Hides the items below the selected one; if there are none, selects the one above it.
    case collapse
    /// Shows what is hidden below the selected item, or hides what is shown.
    case toggle
}

/// The state of a ``Tree``: which items are expanded, and which one is selected.
public struct TreeState<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The items whose children are shown.
    public var expanded: Set<ID>
    /// The item that is selected; nil for the first one.
    public var selected: ID?

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - expanded: The items whose children are shown.
    ///   - selected: The item that is selected; nil for the first one.
    public init(expanded: Set<ID> = [], selected: ID? = nil) {
        self.expanded = expanded
        self.selected = selected
    }

    /// Does what a command asks for.
    ///
    /// - Parameters:
    ///   - move: The command.
    ///   - roots: The items of the tree now.
    public mutating func apply(_ move: TreeMove, to roots: [TreeNode<ID>]) {
        let rows = rows(of: roots)
        guard !rows.isEmpty else { return }
        let index = index(in: rows)
        let row = rows[index]
        switch move {
        case .select(let move): selected = rows[move.index(from: index, count: rows.count)].node.id
        case .expand:
            guard !row.node.children.isEmpty else { return }
            if !expanded.insert(row.node.id).inserted { selected = rows[index + 1].node.id }
        case .collapse:
            if !row.node.children.isEmpty, expanded.remove(row.node.id) != nil { return }
            guard let parent = rows[..<index].lastIndex(where: { $0.depth < row.depth }) else { return }
            selected = rows[parent].node.id
        case .toggle:
            guard !row.node.children.isEmpty else { return }
            if expanded.remove(row.node.id) == nil { expanded.insert(row.node.id) }
        }
    }

    struct Row {
        let node: TreeNode<ID>
        let depth: Int
    }

    /// The items that can be seen, in order.
    func rows(of roots: [TreeNode<ID>]) -> [Row] {
        var rows: [Row] = []
        var rest = roots.reversed().map { Row(node: $0, depth: 0) }
        while let row = rest.popLast() {
            rows.append(row)
            guard expanded.contains(row.node.id) else { continue }
            for child in row.node.children.reversed() { rest.append(Row(node: child, depth: row.depth + 1)) }
        }
        return rows
    }

    /// The row that is selected; the first one if that one cannot be seen.
    func index(in rows: [Row]) -> Int { selected.flatMap { id in rows.firstIndex { $0.node.id == id } } ?? 0 }
}
