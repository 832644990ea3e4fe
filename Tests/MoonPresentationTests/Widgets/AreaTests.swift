import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Widgets: area")
struct AreaTests {
    private enum Event: Hashable {
        case edit(TextEdit)
        case submit
    }

    private func area(_ input: TextInput, scrollBar: Bool = false) -> TextArea<Event> {
        TextArea(input, placeholder: "What?", scrollBar: scrollBar, edit: Event.edit, submit: .submit)
    }

    @Test("Lines of an area are wrapped, with a column for the cursor behind a full row")
    func wrapping() {
        var stand = Stand<Event>(6, 3)
        expectEqual(stand.show(area("abcde\nx")), ["abcde", "x", ""])
        expectEqual(stand.canvas.cursor, Point(column: 1, row: 1))
        expectEqual(stand.show(area("ab abcde")), ["ab", "abcde", ""])
        expectEqual(stand.canvas.cursor, Point(column: 5, row: 1))
        expectEqual(stand.show(area("")), ["What?", "", ""])
    }

    @Test("An area scrolls to the cursor when it moves, and the wheel scrolls without moving the cursor")
    func scrolling() {
        var stand = Stand<Event>(6, 2)
        var input: TextInput = "1\n2\n3\n4\n5\n6"
        expectEqual(stand.show(area(input)), ["5", "6"])
        expect(stand.mouse(.wheel(columns: 0, rows: -1), 0, 0) == [] && stand.presentation.needsFrame)
        expectEqual(stand.show(area(input)), ["2", "3"])
        expect(stand.canvas.cursor == nil)
        expectEqual(stand.mouse(.wheel(columns: 0, rows: 1), 0, 0), [])
        expectEqual(stand.show(area(input)), ["5", "6"])
        input.apply(.move(.start))
        expectEqual(stand.show(area(input)), ["1", "2"])
    }

    @Test("An area scrolls to a cursor whose row changes, as the text behind it is removed")
    func removal() {
        var stand = Stand<Event>(6, 1)
        var input: TextInput = "abcd efg"
        input.apply(.move(.wordLeft))
        expectEqual(stand.show(area(input)), ["efg"])
        input.apply(.kill(.lineEnd))
        expectEqual(stand.show(area(input)), ["abcd"])
        expectEqual(stand.canvas.cursor, Point(column: 5, row: 0))
    }

    @Test("The cursor behind a character that is wider than an area stands on the last column")
    func narrow() {
        var stand = Stand<Event>(6, 1)
        stand.show(area("\t"))
        expectEqual(stand.canvas.cursor, Point(column: 5, row: 0))
        stand.size = Size(columns: 2, rows: 1)
        stand.show(area("日"))
        expectEqual(stand.canvas.cursor, Point(column: 1, row: 0))
    }

    @Test("A scroll bar shows which rows of an area are visible")
    func scrollBar() {
        var stand = Stand<Event>(6, 3)
        expectEqual(stand.show(area("1\n2\n3\n4\n5\n6", scrollBar: true)), ["4    │", "5    │", "6    ┃"])
        expectEqual(stand.show(area("1\n2", scrollBar: true)), ["1", "2", ""])
    }

    @Test("The selection in an area is inverse in each of its rows")
    func selection() {
        var stand = Stand<Event>(6, 3)
        var input: TextInput = "abc\ndef"
        input.apply(.move(.left))
        input.apply(.move(.rows(-1, width: 5), selecting: true))
        stand.show(area(input))
        expectEqual(stand.canvas.marks(.inverse, row: 0), "..#...")
        expectEqual(stand.canvas.marks(.inverse, row: 1), "##....")
    }

    @Test("Arrows and page keys move by the rows that an area shows")
    func keys() {
        var stand = Stand<Event>(9, 4)
        stand.show(area("x"))
        expectEqual(stand.press(.up), [.edit(.move(.rows(-1, width: 8)))])
        expectEqual(stand.press(.shift(.down)), [.edit(.move(.rows(1, width: 8), selecting: true))])
        expectEqual(stand.press(.pageDown, .pageUp), [.edit(.move(.rows(3, width: 8))), .edit(.move(.rows(-3, width: 8)))])
        expectEqual(stand.press(.enter, .alt(.enter)), [.edit(.insert("\n")), .submit])
        expectEqual(stand.press("a", .left, .control(.up)), [.edit(.insert("a")), .edit(.move(.left))])
        expectEqual(stand.presentation.take(.paste("a\nb")), [.edit(.insert("a\nb"))])
    }

    @Test("A click in an area moves the cursor to the character under it, or to the end")
    func mouse() {
        var stand = Stand<Event>(9, 4)
        stand.show(area("abc\nde"))
        expectEqual(stand.mouse(.press(1), 1, 1), [.edit(.move(.to(5)))])
        expectEqual(stand.mouse(.move(1), 7, 0), [.edit(.move(.to(3), selecting: true))])
        expectEqual(stand.mouse(.press(1), 0, 3), [.edit(.move(.to(6)))])
    }

    @Test(
        "An area can be drawn without any room",
        arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 0, rows: 3), Size(columns: 2, rows: 1)])
    func narrow(size: Size) {
        var stand = Stand<Event>(size.columns, size.rows)
        expectEqual(stand.show(area("hello\n世界", scrollBar: true)).count, size.rows)
    }
}
