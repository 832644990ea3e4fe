/// Items with others below them, which can be shown and hidden.
///
/// ```swift
/// Tree(state.folders, state: state.tree, move: Event.tree, open: .open)
/// ```
/// Its state is a ``TreeState``, its events are ``TreeMove``s. The arrows to the right and left show and hide what is below the selected
/// item, as blanks do; a click on the triangle does, too. A frame costs time in proportion to the items that are not hidden.
public struct Tree<ID: Hashable & Sendable, Event: Sendable>: View {
    private let rows: [TreeState<ID>.Row]
    private let expanded: Set<ID>
    private let list: RowList<Event>

    /// Creates a tree.
    ///
    /// - Parameters:
    ///   - roots: The items that are below no other.
    ///   - state: Which items are expanded, and which one is selected.
    ///   - look: How the selected row is told from the others.
    ///   - scrollBar: Whether there is a scroll bar if there are more rows than can be seen.
    ///   - move: The event of a command.
    ///   - open: The event of Enter; nil if Enter is not wanted.
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

    /// Draws the items that can be seen.
    public func draw(on surface: inout Surface<Event>) {
        list.draw(on: &surface) { index, part in
            let row = rows[index]
            let sign = row.node.children.isEmpty ? " " : expanded.contains(row.node.id) ? "▾" : "▸"
            part.write(sign, at: Point(column: 2 * row.depth, row: 0))
            let start = 2 * row.depth + 2
            part.write(row.node.text.truncated(to: part.size.columns - start), at: Point(column: start, row: 0))
        }
    }
}
