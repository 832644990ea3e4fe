import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Widgets: list")
struct ListTests {
    private enum Event: Hashable {
        case select(ListMove)
        case open
    }

    /// A list with an inverse selection, which does not indent rows.
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

    @Test("A move stays within the rows of a list")
    func moves() {
        expectEqual(ListMove.down.index(from: 3, count: 10), 4)
        expectEqual(ListMove.down.index(from: 9, count: 10), 9)
        expectEqual(ListMove.up.index(from: 0, count: 10), 0)
        expectEqual(ListMove.by(-4).index(from: 6, count: 10), 2)
        expectEqual(ListMove.last.index(from: 0, count: 10), 9)
        expectEqual(ListMove.first.index(from: 5, count: 10), 0)
        expectEqual(ListMove.to(7).index(from: 0, count: 10), 7)
        expectEqual(ListMove.to(99).index(from: 0, count: 10), 9)
        expectEqual(ListMove.to(-1).index(from: 3, count: 10), 0)
        for move in [ListMove.up, .down, .first, .last, .to(2)] { expectEqual(move.index(from: 5, count: 0), 0) }
        expectEqual(ListMove.by(.max).index(from: 5, count: 10), 9)
        expectEqual(ListMove.by(.min).index(from: -5, count: 10), 0)
        for move in [ListMove.by(.max), .by(.min), .first, .last, .to(.max), .to(.min)] {
            for count in [Int.min, -1, 0, .max] {
                for index in [Int.min, 0, .max] { expect(0..<max(count, 1) ~= move.index(from: index, count: count)) }
            }
        }
        // The rows may have become fewer.
        expectEqual(ListMove.up.index(from: 50, count: 10), 9)
    }

    // MARK: - The view

    @Test("A bold marker stands in front of the selected row, and blanks in front of the others")
    func marker() {
        var stand = Stand<Event>(9, 3)
        expectEqual(stand.show(marked(2, 1)), ["  row 0", "> row 1", ""])
        expectEqual(stand.canvas.marks(.bold, row: 1), "#........")
        expectEqual(stand.canvas.marks(.dim, row: 1), ".........")
        expectEqual(stand.show(marked(2, nil)), ["  row 0", "  row 1", ""])
        expectEqual(stand.show(List<Event>(["a", "b"])), ["a", "b", ""])
        expectEqual(stand.show(List<Event>(["a", "b"], selected: 0)), ["> a", "  b", ""])
    }

    @Test("A row that is cut leaves two columns for the marker, and one for the scroll bar")
    func markerAndCut() {
        var stand = Stand<Event>(6, 2)
        expectEqual(stand.show(marked(2, 0)), ["> row…", "  row…"])
        expectEqual(stand.show(marked(3, 0, scrollBar: true)), ["> ro…┃", "  ro…│"])
        stand.size = Size(columns: 1, rows: 2)
        expectEqual(stand.show(marked(2, 1)), ["", ">"])
    }

    @Test("The selected row may be inverse over its whole width instead of having a marker")
    func inverse() {
        var stand = Stand<Event>(8, 3)
        expectEqual(stand.show(list(2, 1)), ["row 0", "row 1", ""])
        expectEqual(stand.canvas.marks(.inverse, row: 1), "########")
        expectEqual(stand.canvas.marks(.inverse, row: 0), "........")
        stand.show(list(2, nil))
        expectEqual(stand.canvas.marks(.inverse, row: 1), "........")
    }

    @Test("The selected row, or its marker, is dimmed while another view has the focus")
    func unfocused() {
        var stand = Stand<Event>(8, 2)
        stand.show(
            Rows<Event> {
                Field("", edit: { _ in .open })
                list(2, 0)
            })
        expectEqual(stand.canvas.marks(.dim, row: 1), "########")
        stand.show(
            Rows<Event> {
                Field("", edit: { _ in .open })
                marked(2, 0)
            })
        expectEqual(stand.canvas.marks(.dim, row: 1), "#.......")
        expectEqual(stand.canvas.marks(.bold, row: 1), "........")
        expectEqual(stand.press(.down), [.select(.down)])
    }

    @Test("A list scrolls as little as needed for its selected row to be visible")
    func scrolling() {
        var stand = Stand<Event>(8, 3)
        expectEqual(stand.show(list(9, 2)), ["row 0", "row 1", "row 2"])
        expectEqual(stand.show(list(9, 3)), ["row 1", "row 2", "row 3"])
        expectEqual(stand.show(list(9, 1)), ["row 1", "row 2", "row 3"])
        expectEqual(stand.show(list(9, 0)), ["row 0", "row 1", "row 2"])
        expectEqual(stand.show(list(9, 8)), ["row 6", "row 7", "row 8"])
        expectEqual(stand.show(list(4, 3)), ["row 1", "row 2", "row 3"])
    }

    @Test("The wheel scrolls a list without moving the selection, and moving it makes it visible again")
    func wheel() {
        var stand = Stand<Event>(8, 3)
        stand.show(list(20, 0))
        expectEqual(stand.mouse(.wheel(columns: 0, rows: 1), 0, 0), [])
        expectEqual(stand.show(list(20, 0)), ["row 3", "row 4", "row 5"])
        expectEqual(stand.show(list(20, 0)), ["row 3", "row 4", "row 5"])
        expectEqual(stand.show(list(20, 1)), ["row 1", "row 2", "row 3"])
        for _ in 0..<9 { _ = stand.mouse(.wheel(columns: 0, rows: 1), 0, 0) }
        expectEqual(stand.show(list(20, 1)), ["row 17", "row 18", "row 19"])
        for _ in 0..<9 { _ = stand.mouse(.wheel(columns: 0, rows: -1), 0, 0) }
        expectEqual(stand.show(list(20, 1)), ["row 0", "row 1", "row 2"])
    }

    @Test("A list on a smaller screen shows its selected row")
    func resize() {
        var stand = Stand<Event>(8, 6)
        stand.show(list(6, 5))
        stand.size = Size(columns: 8, rows: 2)
        expectEqual(stand.show(list(6, 5)), ["row 4", "row 5"])
        stand.size = Size(columns: 8, rows: 6)
        expectEqual(stand.show(list(6, 5)), ["row 0", "row 1", "row 2", "row 3", "row 4", "row 5"])
    }

    @Test("Keys and clicks are moves in a list, and Enter opens a row")
    func keys() {
        var stand = Stand<Event>(8, 5)
        stand.show(list(20, 0))
        expectEqual(stand.press(.up, .down), [.select(.up), .select(.down)])
        expectEqual(stand.press(.pageDown, .pageUp), [.select(.by(4)), .select(.by(-4))])
        expectEqual(stand.press(.home, .end, .enter), [.select(.first), .select(.last), .open])
        expectEqual(stand.press("x", .left, .control(.up), .shift(.down)), [])
        expectEqual(stand.mouse(.press(1), 2, 3), [.select(.to(3))])
        stand.show(list(2, 0))
        expectEqual(stand.mouse(.press(1), 2, 3), [])
        expectEqual(stand.mouse(.press(2), 2, 1), [])
    }

    @Test("A list without selection scrolls by keys")
    func plain() {
        var stand = Stand<Event>(8, 2)
        let view = List<Event>(["a", "b", "c", "d"])
        expectEqual(stand.show(view), ["a", "b"])
        expectEqual(stand.press(.down), [])
        expectEqual(stand.show(view), ["b", "c"])
        expectEqual(stand.press(.end), [])
        expectEqual(stand.show(view), ["c", "d"])
        expectEqual(stand.press(.enter), [])
    }

    @Test("A list of a million rows reads only the visible ones")
    func million() {
        let asked = Asked()
        var stand = Stand<Event>(8, 3)
        let view = List<Event>(0..<1_000_000, selected: 500_000, look: .inverse, select: Event.select) { index in
            asked.note(index)
            return StyledText("\(index)")
        }
        expectEqual(stand.show(view), ["499998", "499999", "500000"])
        expect(asked.rows.allSatisfy { (499_998...500_000).contains($0) } && asked.rows.count <= 6)
    }

    @Test("Long rows are cut with an ellipsis, wide characters as a whole")
    func cut() {
        var stand = Stand<Event>(6, 2)
        expectEqual(stand.show(List<Event>(["abcdefgh", "日本語文"])), ["abcde…", "日本…"])
    }

    @Test("The scroll bar of a list is shown only if rows are hidden")
    func scrollBar() {
        var stand = Stand<Event>(7, 3)
        expectEqual(stand.show(list(3, 0, scrollBar: true)), ["row 0", "row 1", "row 2"])
        expectEqual(stand.show(list(6, 0, scrollBar: true)), ["row 0 ┃", "row 1 │", "row 2 │"])
        expectEqual(stand.show(list(6, 5, scrollBar: true)), ["row 3 │", "row 4 │", "row 5 ┃"])
    }

    @Test(
        "A list can be drawn without any room, and without rows",
        arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 0, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<Event>(size.columns, size.rows)
        expectEqual(stand.show(list(5, 3, scrollBar: true)).count, size.rows)
        expect(stand.show(list(0, 0)).allSatisfy { $0 == "" })
        expectEqual(stand.press(.down), [.select(.down)])
    }
}
