import Testing

@testable import MoonPresentation

@Suite("Widgets: list")
struct ListTests {
    private enum Event: Hashable {
        case select(ListMove)
        case open
    }

    /// A list of which the selected row is inverse, so that rows are shown as they are.
    private func list(_ count: Int, _ selected: Int?, scrollBar: Bool = false) -> List<Event> {
        marked(count, selected, look: .inverse, scrollBar: scrollBar)
    }

    private func marked(
        _ count: Int, _ selected: Int?, look: SelectionLook = .marker, scrollBar: Bool = false
    ) -> List<Event> {
        List(0..<count, selected: selected, look: look, scrollBar: scrollBar, select: Event.select, open: .open) {
            StyledText("row \($0)")
        }
    }

    // MARK: - The reducer

    @Test("a move stays within the rows that there are")
    func moves() {
        #expect(ListMove.down.index(from: 3, count: 10) == 4)
        #expect(ListMove.down.index(from: 9, count: 10) == 9)
        #expect(ListMove.up.index(from: 0, count: 10) == 0)
        #expect(ListMove.by(-4).index(from: 6, count: 10) == 2)
        #expect(ListMove.last.index(from: 0, count: 10) == 9)
        #expect(ListMove.first.index(from: 5, count: 10) == 0)
        #expect(ListMove.to(7).index(from: 0, count: 10) == 7)
        #expect(ListMove.to(99).index(from: 0, count: 10) == 9)
        #expect(ListMove.to(-1).index(from: 3, count: 10) == 0)
        for move in [ListMove.up, .down, .first, .last, .to(2)] { #expect(move.index(from: 5, count: 0) == 0) }
        #expect(ListMove.by(.max).index(from: 5, count: 10) == 9)
        #expect(ListMove.by(.min).index(from: -5, count: 10) == 0)
        // The rows may have become fewer.
        #expect(ListMove.up.index(from: 50, count: 10) == 9)
    }

    // MARK: - The view

    @Test("a bold marker stands in front of the selected row, and room for it in front of the others")
    func marker() {
        var stand = Stand<Event>(9, 3)
        #expect(stand.show(marked(2, 1)) == ["  row 0", "> row 1", ""])
        #expect(stand.canvas.marks(.bold, row: 1) == "#........")
        #expect(stand.canvas.marks(.dim, row: 1) == ".........")
        #expect(stand.show(marked(2, nil)) == ["  row 0", "  row 1", ""])
        #expect(stand.show(List<Event>(["a", "b"])) == ["a", "b", ""])
        #expect(stand.show(List<Event>(["a", "b"], selected: 0)) == ["> a", "  b", ""])
        #expect(stand.show(marked(2, 1, look: .marker("→→", style: .plain))) == ["   row 0", "→→ row 1", ""])
        #expect(stand.canvas.marks(.bold, row: 1) == ".........")
        #expect(stand.show(marked(2, 1, look: .marker(""))) == ["row 0", "row 1", ""])
        #expect(stand.canvas.marks(.bold, row: 1) == ".........")
    }

    @Test("of a row that is cut, the marker takes two columns, and the scroll bar one")
    func markerAndCut() {
        var stand = Stand<Event>(6, 2)
        #expect(stand.show(marked(2, 0)) == ["> row…", "  row…"])
        #expect(stand.show(marked(3, 0, scrollBar: true)) == ["> ro…┃", "  ro…│"])
        stand.size = Size(columns: 1, rows: 2)
        #expect(stand.show(marked(2, 1)) == ["", ">"])
    }

    @Test("the selected row may be inverse over its whole width instead")
    func inverse() {
        var stand = Stand<Event>(8, 3)
        #expect(stand.show(list(2, 1)) == ["row 0", "row 1", ""])
        #expect(stand.canvas.marks(.inverse, row: 1) == "########")
        #expect(stand.canvas.marks(.inverse, row: 0) == "........")
        stand.show(list(2, nil))
        #expect(stand.canvas.marks(.inverse, row: 1) == "........")
    }

    @Test("the selected row, or its marker, is dimmed while another view has the focus")
    func unfocused() {
        var stand = Stand<Event>(8, 2)
        stand.show(
            Rows<Event> {
                Field("", edit: { _ in .open })
                list(2, 0)
            })
        #expect(stand.canvas.marks(.dim, row: 1) == "########")
        stand.show(
            Rows<Event> {
                Field("", edit: { _ in .open })
                marked(2, 0)
            })
        #expect(stand.canvas.marks(.dim, row: 1) == "#.......")
        #expect(stand.canvas.marks(.bold, row: 1) == "........")
        #expect(stand.press(.down) == [.select(.down)])
    }

    @Test("the list scrolls as little as it must for the selected row to be seen")
    func scrolling() {
        var stand = Stand<Event>(8, 3)
        #expect(stand.show(list(9, 2)) == ["row 0", "row 1", "row 2"])
        #expect(stand.show(list(9, 3)) == ["row 1", "row 2", "row 3"])
        #expect(stand.show(list(9, 1)) == ["row 1", "row 2", "row 3"])
        #expect(stand.show(list(9, 0)) == ["row 0", "row 1", "row 2"])
        #expect(stand.show(list(9, 8)) == ["row 6", "row 7", "row 8"])
        #expect(stand.show(list(4, 3)) == ["row 1", "row 2", "row 3"])
    }

    @Test("the wheel scrolls without the selection, which comes back into sight when it moves")
    func wheel() {
        var stand = Stand<Event>(8, 3)
        stand.show(list(20, 0))
        #expect(stand.mouse(.wheelDown, 0, 0) == [])
        #expect(stand.show(list(20, 0)) == ["row 3", "row 4", "row 5"])
        #expect(stand.show(list(20, 0)) == ["row 3", "row 4", "row 5"])
        #expect(stand.show(list(20, 1)) == ["row 1", "row 2", "row 3"])
        for _ in 0..<9 { _ = stand.mouse(.wheelDown, 0, 0) }
        #expect(stand.show(list(20, 1)) == ["row 17", "row 18", "row 19"])
        for _ in 0..<9 { _ = stand.mouse(.wheelUp, 0, 0) }
        #expect(stand.show(list(20, 1)) == ["row 0", "row 1", "row 2"])
    }

    @Test("a smaller screen shows the selected row, too")
    func resize() {
        var stand = Stand<Event>(8, 6)
        stand.show(list(6, 5))
        stand.size = Size(columns: 8, rows: 2)
        #expect(stand.show(list(6, 5)) == ["row 4", "row 5"])
        stand.size = Size(columns: 8, rows: 6)
        #expect(stand.show(list(6, 5)) == ["row 0", "row 1", "row 2", "row 3", "row 4", "row 5"])
    }

    @Test("keys and clicks are moves; Enter opens")
    func keys() {
        var stand = Stand<Event>(8, 5)
        stand.show(list(20, 0))
        #expect(stand.press(.up, .down) == [.select(.up), .select(.down)])
        #expect(stand.press(.pageDown, .pageUp) == [.select(.by(4)), .select(.by(-4))])
        #expect(stand.press(.home, .end, .enter) == [.select(.first), .select(.last), .open])
        #expect(stand.press("x", .left, .control(.up), .shift(.down)) == [])
        #expect(stand.mouse(.press(1), 2, 3) == [.select(.to(3))])
        stand.show(list(2, 0))
        #expect(stand.mouse(.press(1), 2, 3) == [])
        #expect(stand.mouse(.press(2), 2, 1) == [])
    }

    @Test("a list without selection scrolls by keys")
    func plain() {
        var stand = Stand<Event>(8, 2)
        let view = List<Event>(["a", "b", "c", "d"])
        #expect(stand.show(view) == ["a", "b"])
        #expect(stand.press(.down) == [])
        #expect(stand.show(view) == ["b", "c"])
        #expect(stand.press(.end) == [])
        #expect(stand.show(view) == ["c", "d"])
        #expect(stand.press(.enter) == [])
    }

    @Test("of a million rows only those that can be seen are asked for")
    func million() {
        let asked = Asked()
        var stand = Stand<Event>(8, 3)
        let view = List<Event>(0..<1_000_000, selected: 500_000, look: .inverse, select: Event.select) { index in
            asked.note(index)
            return StyledText("\(index)")
        }
        #expect(stand.show(view) == ["499998", "499999", "500000"])
        #expect(asked.rows.allSatisfy { (499_998...500_000).contains($0) } && asked.rows.count <= 6)
    }

    @Test("long rows are cut with an ellipsis, wide characters as a whole")
    func cut() {
        var stand = Stand<Event>(6, 2)
        #expect(stand.show(List<Event>(["abcdefgh", "日本語文"])) == ["abcde…", "日本…"])
    }

    @Test("the scroll bar is there only if there is more to see")
    func scrollBar() {
        var stand = Stand<Event>(7, 3)
        #expect(stand.show(list(3, 0, scrollBar: true)) == ["row 0", "row 1", "row 2"])
        #expect(stand.show(list(6, 0, scrollBar: true)) == ["row 0 ┃", "row 1 │", "row 2 │"])
        #expect(stand.show(list(6, 5, scrollBar: true)) == ["row 3 │", "row 4 │", "row 5 ┃"])
    }

    @Test("there may be no room, and no rows", arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 0, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<Event>(size.columns, size.rows)
        #expect(stand.show(list(5, 3, scrollBar: true)).count == size.rows)
        #expect(stand.show(list(0, 0)).allSatisfy { $0 == "" })
        #expect(stand.press(.down) == [.select(.down)])
    }
}
