import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Widgets: tree")
struct TreeTests {
    private let roots = [
        TreeNode(1, "fruit", children: [TreeNode(2, "apple", children: [TreeNode(3, "core")]), TreeNode(4, "pear")]),
        TreeNode(5, "nuts"),
    ]

    private func state(_ state: TreeState<Int>, _ moves: TreeMove...) -> TreeState<Int> {
        var state = state
        for move in moves { state.apply(move, to: roots) }
        return state
    }

    @Test("Expanded items show their children")
    func picture() {
        var stand = Stand<TreeMove>(12, 5)
        expectEqual(stand.show(Tree(roots, state: TreeState(), look: .inverse, move: { $0 })), ["▸ fruit", "  nuts", "", "", ""])
        expectEqual(
            stand.show(Tree(roots, state: TreeState(expanded: [1, 2], selected: 4), look: .inverse, move: { $0 })),
            ["▾ fruit", "  ▾ apple", "      core", "    pear", "  nuts"])
        expectEqual(stand.canvas.marks(.inverse, row: 3), "############")
        // Children of a hidden item are hidden.
        expectEqual(
            stand.show(Tree(roots, state: TreeState(expanded: [2]), look: .inverse, move: { $0 })),
            ["▸ fruit", "  nuts", "", "", ""])
    }

    @Test("A marker stands in front of the selected item, and the clickable triangles behind it")
    func marker() {
        var stand = Stand<TreeMove>(14, 3)
        expectEqual(
            stand.show(Tree(roots, state: TreeState(expanded: [1], selected: 2), move: { $0 })),
            ["  ▾ fruit", ">   ▸ apple", "      pear"])
        expectEqual(stand.mouse(.press(1), 4, 1), [.select(.to(1)), .toggle])
        expectEqual(stand.mouse(.press(1), 5, 1), [.select(.to(1)), .toggle])
        expectEqual(stand.mouse(.press(1), 3, 1), [.select(.to(1))])
        expectEqual(stand.mouse(.press(1), 6, 1), [.select(.to(1))])
        expectEqual(stand.mouse(.press(1), 0, 0), [.select(.to(0))])
        expectEqual(stand.mouse(.press(1), 2, 0), [.select(.to(0)), .toggle])
    }

    @Test("The selection moves through the visible items")
    func selection() {
        let expanded = TreeState(expanded: [1], selected: 1)
        expectEqual(state(expanded, .select(.down)).selected, 2)
        expectEqual(state(expanded, .select(.down), .select(.down)).selected, 4)
        expectEqual(state(expanded, .select(.last)).selected, 5)
        expectEqual(state(TreeState(), .select(.down)).selected, 5)
        expectEqual(state(TreeState(selected: 3), .select(.down)).selected, 5)
    }

    @Test("Expanding an item shows its children, and expanding it again selects the first of them")
    func expand() {
        expectEqual(state(TreeState(selected: 1), .expand), TreeState(expanded: [1], selected: 1))
        expectEqual(state(TreeState(selected: 1), .expand, .expand).selected, 2)
        expectEqual(state(TreeState(selected: 5), .expand), TreeState(selected: 5))
    }

    @Test("Collapsing an item hides its children, and collapsing it again selects its parent")
    func collapse() {
        let deep = TreeState(expanded: [1, 2], selected: 3)
        expectEqual(state(deep, .collapse).selected, 2)
        expectEqual(state(deep, .collapse, .collapse), TreeState(expanded: [1], selected: 2))
        expectEqual(state(deep, .collapse, .collapse, .collapse).selected, 1)
        expectEqual(state(TreeState(expanded: [1], selected: 4), .collapse).selected, 1)
        expectEqual(state(TreeState(selected: 5), .collapse), TreeState(selected: 5))
    }

    @Test("Toggling expands or collapses an item, and does nothing to an item without children")
    func toggle() {
        expectEqual(state(TreeState(), .toggle).expanded, [1])
        expectEqual(state(TreeState(), .toggle, .toggle).expanded, [])
        expectEqual(state(TreeState(selected: 5), .toggle).expanded, [])
        var empty = TreeState<Int>()
        empty.apply(.expand, to: [])
        expectEqual(empty, TreeState())
    }

    @Test("Keys and clicks in a tree are commands")
    func keys() {
        var stand = Stand<TreeMove>(12, 4)
        stand.show(Tree(roots, state: TreeState(expanded: [1]), look: .inverse, move: { $0 }))
        expectEqual(stand.press(.right, .left, " ", .down), [.expand, .collapse, .toggle, .select(.down)])
        expectEqual(stand.mouse(.press(1), 2, 1), [.select(.to(1)), .toggle])
        expectEqual(stand.mouse(.press(1), 5, 1), [.select(.to(1))])
        expectEqual(stand.mouse(.press(1), 0, 3), [.select(.to(3)), .toggle])
    }

    @Test(
        "A tree can be drawn without any room, and without items",
        arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 3, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<TreeMove>(size.columns, size.rows)
        expectEqual(stand.show(Tree(roots, state: TreeState(expanded: [1, 2], selected: 3), move: { $0 })).count, size.rows)
        expect(stand.show(Tree([TreeNode<Int>](), state: TreeState(), move: { $0 })).allSatisfy { $0 == "" })
    }
}
