import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Widgets: tabs")
struct TabsTests {
    private func tabs(_ selected: Int) -> Tabs<ListMove> { Tabs(["One", "Two", "日本"], selected: selected) { $0 } }

    @Test("The titles of tabs stand side by side, the selected one inverse")
    func picture() {
        var stand = Stand<ListMove>(20, 1)
        expectEqual(stand.show(tabs(1)), [" One │ Two │ 日本"])
        expectEqual(stand.canvas.marks(.inverse, row: 0), "......#####.........")
        expectEqual(tabs(0).naturalSize(in: .zero), NaturalSize(columns: 18, rows: 1))
    }

    @Test("The selected title of tabs is always visible")
    func scrolling() {
        var stand = Stand<ListMove>(8, 1)
        expectEqual(stand.show(tabs(2)), [" │ 日本"])
        expectEqual(stand.show(tabs(0)), [" One │ T"])
        expectEqual(stand.show(tabs(9)), [" One │ T"])
        // A title that is too wide shows its beginning.
        var three = Stand<ListMove>(3, 1)
        expectEqual(three.show(tabs(2)), [" 日"])
        for size in 0...3 {
            var narrow = Stand<ListMove>(size, 1)
            expectEqual(narrow.show(tabs(2)).count, 1)
        }
    }

    @Test("Arrows and clicks are moves in tabs")
    func keys() {
        var stand = Stand<ListMove>(20, 1)
        stand.show(tabs(1))
        expectEqual(stand.press(.left, .right, .home, .end, .up), [.up, .down, .first, .last])
        expectEqual(stand.mouse(.press(1), 13, 0), [.to(2)])
        expectEqual(stand.mouse(.press(1), 5, 0), [])
    }
}
