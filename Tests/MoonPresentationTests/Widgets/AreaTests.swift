import Testing

@testable import MoonPresentation

@Suite("Widgets: area")
struct AreaTests {
    private enum Event: Hashable {
        case edit(TextEdit)
        case submit
    }

    private func area(_ input: TextInput, scrollBar: Bool = false) -> Area<Event> {
        Area(input, placeholder: "What?", scrollBar: scrollBar, edit: Event.edit, submit: .submit)
    }

    @Test("lines are wrapped, with a column for the cursor behind a full row")
    func wrapping() {
        var stand = Stand<Event>(6, 3)
        #expect(stand.show(area("abcde\nx")) == ["abcde", "x", ""])
        #expect(stand.canvas.cursor == Point(column: 1, row: 1))
        #expect(stand.show(area("ab abcde")) == ["ab", "abcde", ""])
        #expect(stand.canvas.cursor == Point(column: 5, row: 1))
        #expect(stand.show(area("")) == ["What?", "", ""])
    }

    @Test("the rows scroll to the cursor when it moves, and the wheel scrolls without it")
    func scrolling() {
        var stand = Stand<Event>(6, 2)
        var input: TextInput = "1\n2\n3\n4\n5\n6"
        #expect(stand.show(area(input)) == ["5", "6"])
        #expect(stand.mouse(.wheelUp, 0, 0) == [] && stand.presentation.needsFrame)
        #expect(stand.show(area(input)) == ["2", "3"])
        #expect(stand.canvas.cursor == nil)
        #expect(stand.mouse(.wheelDown, 0, 0) == [])
        #expect(stand.show(area(input)) == ["5", "6"])
        input.apply(.move(.start))
        #expect(stand.show(area(input)) == ["1", "2"])
    }

    @Test("a scroll bar shows which rows can be seen")
    func scrollBar() {
        var stand = Stand<Event>(6, 3)
        #expect(stand.show(area("1\n2\n3\n4\n5\n6", scrollBar: true)) == ["4    │", "5    │", "6    ┃"])
        #expect(stand.show(area("1\n2", scrollBar: true)) == ["1", "2", ""])
    }

    @Test("the selection is shown inverse in each of its rows")
    func selection() {
        var stand = Stand<Event>(6, 3)
        var input: TextInput = "abc\ndef"
        input.apply(.move(.left))
        input.apply(.move(.rows(-1, width: 5), selecting: true))
        stand.show(area(input))
        #expect(stand.canvas.marks(.inverse, row: 0) == "..#...")
        #expect(stand.canvas.marks(.inverse, row: 1) == "##....")
    }

    @Test("arrows and pages move by the rows that are shown")
    func keys() {
        var stand = Stand<Event>(9, 4)
        stand.show(area("x"))
        #expect(stand.press(.up) == [.edit(.move(.rows(-1, width: 8)))])
        #expect(stand.press(.shift(.down)) == [.edit(.move(.rows(1, width: 8), selecting: true))])
        #expect(stand.press(.pageDown, .pageUp) == [.edit(.move(.rows(3, width: 8))), .edit(.move(.rows(-3, width: 8)))])
        #expect(stand.press(.enter, .alt(.enter)) == [.edit(.insert("\n")), .submit])
        #expect(stand.press("a", .left, .control(.up)) == [.edit(.insert("a")), .edit(.move(.left))])
        #expect(stand.presentation.take(.paste("a\nb")) == [.edit(.insert("a\nb"))])
    }

    @Test("a click leads to the character under it, or to the end")
    func mouse() {
        var stand = Stand<Event>(9, 4)
        stand.show(area("abc\nde"))
        #expect(stand.mouse(.press(1), 1, 1) == [.edit(.move(.to(5)))])
        #expect(stand.mouse(.move(1), 7, 0) == [.edit(.move(.to(3), selecting: true))])
        #expect(stand.mouse(.press(1), 0, 3) == [.edit(.move(.to(6)))])
    }

    @Test(
        "there may be no room",
        arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 0, rows: 3), Size(columns: 2, rows: 1)])
    func narrow(size: Size) {
        var stand = Stand<Event>(size.columns, size.rows)
        #expect(stand.show(area("hello\n世界", scrollBar: true)).count == size.rows)
    }
}
