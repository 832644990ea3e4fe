/// A tree of items that can be expanded.
///
/// ```swift
/// Tree(state.folders, state: state.tree, move: Event.tree, open: .open)
/// ```
/// Its state is a ``TreeState``, its events are ``TreeMove``s. Right, Left and Space expand and collapse the selected item, as
/// does a click on its triangle. A frame takes time in proportion to the items that are not hidden.
public struct Tree<ID: Hashable & Sendable, Event: Sendable>: Widget {
    private let rows: [TreeState<ID>.Row]
    private let expanded: Set<ID>
    private let list: RowList<Event>

    /// Creates a tree.
    ///
    /// - Parameters:
    ///   - roots: The uppermost items.
    ///   - state: The expanded items and the selected one.
    ///   - look: The look of the selected row.
    ///   - scrollBar: True to show a scroll bar if not all rows are visible.
    ///   - move: Returns the event of a command.
    ///   - open: The event of Enter; nil to ignore Enter.
    public init(
        _ roots: [TreeNode<ID>], state: TreeState<ID>, look: SelectionLook = .marker, scrollBar: Bool = false,
        move: @escaping @Sendable (TreeMove) -> Event,
        open: Event? = nil
    ) {
        let rows = state.rows(of: roots)
        self.rows = rows
        expanded = state.expanded
        var list = RowList<Event>(
            count: rows.count, selected: rows.isEmpty ? nil : state.index(in: rows), select: { move(.select($0)) },
            open: open, showsScrollBar: scrollBar, look: look)
        list.extra = { input, row in
            switch input {
            case .key(.right): return [move(.expand)]
            case .key(.left): return [move(.collapse)]
            case .key(" "): return [move(.toggle)]
            case .mouse(let mouse):
                guard case .press(1) = mouse.action, let row else { return nil }
                let sign = look.indent + 2 * rows[row].depth
                guard (sign..<sign + 2).contains(mouse.point.column) else { return nil }
                return [move(.select(.to(row))), move(.toggle)]
            default: return nil
            }
        }
        self.list = list
    }

    /// Draws the visible items.
    func paint(on surface: inout Surface<Event>) {
        list.draw(on: &surface) { index, part in
            let row = rows[index]
            let sign = row.node.children.isEmpty ? " " : expanded.contains(row.node.id) ? "▾" : "▸"
            part.write(sign, at: Point(column: 2 * row.depth, row: 0))
            let start = 2 * row.depth + 2
            part.write(row.node.text.truncated(to: part.size.columns - start), at: Point(column: start, row: 0))
        }
    }
}

/// An item of a tree with its children.
public struct TreeNode<ID: Hashable & Sendable>: Sendable, Hashable {
    /// The id of the item in the whole tree.
    public var id: ID
    /// The text.
    package var text: StyledText
    /// The children.
    public var children: [TreeNode]

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - id: The id of the item in the whole tree.
    ///   - text: The text.
    ///   - children: The children.
    public init(_ id: ID, _ text: StyledText, children: [TreeNode] = []) {
        self.id = id
        self.text = text
        self.children = children
    }
}

/// A command for a tree, which ``TreeState/apply(_:to:)`` folds into the state.
public enum TreeMove: Hashable, Sendable {
    /// Moves the selection through the visible items.
    case select(ListMove)
    /// Expands the selected item, or selects its first child.
    case expand
    /// Collapses the selected item, or selects its parent.
    case collapse
    /// Expands or collapses the selected item.
    case toggle
}

/// The state of a ``Tree``: the expanded items and the selected one.
public struct TreeState<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The expanded items.
    public var expanded: Set<ID>
    /// The selected item; nil for the first one.
    public var selected: ID?

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - expanded: The expanded items.
    ///   - selected: The selected item; nil for the first one.
    public init(expanded: Set<ID> = [], selected: ID? = nil) {
        self.expanded = expanded
        self.selected = selected
    }

    /// Applies a command.
    ///
    /// - Parameters:
    ///   - move: The command.
    ///   - roots: The current uppermost items.
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

    /// The visible items, in order.
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

    /// The selected row; the first one if the selected item is hidden.
    func index(in rows: [Row]) -> Int { selected.flatMap { id in rows.firstIndex { $0.node.id == id } } ?? 0 }
}
