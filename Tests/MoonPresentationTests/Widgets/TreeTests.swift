import MoonPresentation
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

    @Test("items that are expanded show those below them")
    func picture() {
        var stand = Stand<TreeMove>(12, 5)
        #expect(stand.show(Tree(roots, state: TreeState(), look: .inverse, move: { $0 })) == ["▸ fruit", "  nuts", "", "", ""])
        #expect(
            stand.show(Tree(roots, state: TreeState(expanded: [1, 2], selected: 4), look: .inverse, move: { $0 }))
                == ["▾ fruit", "  ▾ apple", "      core", "    pear", "  nuts"])
        #expect(stand.canvas.marks(.inverse, row: 3) == "############")
        // What is below an item that cannot be seen cannot be seen.
        #expect(
            stand.show(Tree(roots, state: TreeState(expanded: [2]), look: .inverse, move: { $0 }))
                == ["▸ fruit", "  nuts", "", "", ""])
    }

    @Test("a marker stands in front of the selected item; the triangles, and clicks on them, are behind it")
    func marker() {
        var stand = Stand<TreeMove>(14, 3)
        #expect(
            stand.show(Tree(roots, state: TreeState(expanded: [1], selected: 2), move: { $0 }))
                == ["  ▾ fruit", ">   ▸ apple", "      pear"])
        #expect(stand.mouse(.press(1), 4, 1) == [.select(.to(1)), .toggle])
        #expect(stand.mouse(.press(1), 5, 1) == [.select(.to(1)), .toggle])
        #expect(stand.mouse(.press(1), 3, 1) == [.select(.to(1))])
        #expect(stand.mouse(.press(1), 6, 1) == [.select(.to(1))])
        #expect(stand.mouse(.press(1), 0, 0) == [.select(.to(0))])
        #expect(stand.mouse(.press(1), 2, 0) == [.select(.to(0)), .toggle])
    }

    @Test("the selection moves through the items that can be seen")
    func selection() {
        let expanded = TreeState(expanded: [1], selected: 1)
        #expect(state(expanded, .select(.down)).selected == 2)
        #expect(state(expanded, .select(.down), .select(.down)).selected == 4)
        #expect(state(expanded, .select(.last)).selected == 5)
        #expect(state(TreeState(), .select(.down)).selected == 5)
        #expect(state(TreeState(selected: 3), .select(.down)).selected == 5)
    }

    @Test("expanding shows what is below, and then leads there")
    func expand() {
        #expect(state(TreeState(selected: 1), .expand) == TreeState(expanded: [1], selected: 1))
        #expect(state(TreeState(selected: 1), .expand, .expand).selected == 2)
        #expect(state(TreeState(selected: 5), .expand) == TreeState(selected: 5))
    }

    @Test("collapsing hides what is below, and then leads up")
    func collapse() {
        let deep = TreeState(expanded: [1, 2], selected: 3)
        #expect(state(deep, .collapse).selected == 2)
        #expect(state(deep, .collapse, .collapse) == TreeState(expanded: [1], selected: 2))
        #expect(state(deep, .collapse, .collapse, .collapse).selected == 1)
        #expect(state(TreeState(expanded: [1], selected: 4), .collapse).selected == 1)
        #expect(state(TreeState(selected: 5), .collapse) == TreeState(selected: 5))
    }

    @Test("toggling does either, and nothing for an item with none below")
    func toggle() {
        #expect(state(TreeState(), .toggle).expanded == [1])
        #expect(state(TreeState(), .toggle, .toggle).expanded == [])
        #expect(state(TreeState(selected: 5), .toggle).expanded == [])
        var empty = TreeState<Int>()
        empty.apply(.expand, to: [])
        #expect(empty == TreeState())
    }

    @Test("keys and clicks are commands")
    func keys() {
        var stand = Stand<TreeMove>(12, 4)
        stand.show(Tree(roots, state: TreeState(expanded: [1]), look: .inverse, move: { $0 }))
        #expect(stand.press(.right, .left, " ", .down) == [.expand, .collapse, .toggle, .select(.down)])
        #expect(stand.mouse(.press(1), 2, 1) == [.select(.to(1)), .toggle])
        #expect(stand.mouse(.press(1), 5, 1) == [.select(.to(1))])
        #expect(stand.mouse(.press(1), 0, 3) == [.select(.to(3)), .toggle])
    }

    @Test("there may be no room, and no item", arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 3, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<TreeMove>(size.columns, size.rows)
        #expect(stand.show(Tree(roots, state: TreeState(expanded: [1, 2], selected: 3), move: { $0 })).count == size.rows)
        #expect(stand.show(Tree([TreeNode<Int>](), state: TreeState(), move: { $0 })).allSatisfy { $0 == "" })
    }
}
