import MoonPresentation
import Testing

@Suite("Widgets: tabs")
struct TabsTests {
    private func tabs(_ selected: Int) -> Tabs<ListMove> { Tabs(["One", "Two", "日本"], selected: selected) { $0 } }

    @Test("titles side by side, the selected one inverse")
    func picture() {
        var stand = Stand<ListMove>(20, 1)
        #expect(stand.show(tabs(1)) == [" One │ Two │ 日本"])
        #expect(stand.canvas.marks(.inverse, row: 0) == "......#####.........")
        #expect(tabs(0).naturalSize(in: .zero) == NaturalSize(columns: 18, rows: 1))
    }

    @Test("the selected title can always be seen")
    func scrolling() {
        var stand = Stand<ListMove>(8, 1)
        #expect(stand.show(tabs(2)) == [" │ 日本"])
        #expect(stand.show(tabs(0)) == [" One │ T"])
        #expect(stand.show(tabs(9)) == [" One │ T"])
        // Of a title that is too wide, the beginning is seen.
        var three = Stand<ListMove>(3, 1)
        #expect(three.show(tabs(2)) == [" 日"])
        for size in 0...3 {
            var narrow = Stand<ListMove>(size, 1)
            #expect(narrow.show(tabs(2)).count == 1)
        }
    }

    @Test("arrows and clicks are moves")
    func keys() {
        var stand = Stand<ListMove>(20, 1)
        stand.show(tabs(1))
        #expect(stand.press(.left, .right, .home, .end, .up) == [.up, .down, .first, .last])
        #expect(stand.mouse(.press(1), 13, 0) == [.to(2)])
        #expect(stand.mouse(.press(1), 5, 0) == [])
    }
}
